// The CLH queue lock, two threads, repeated entry, no fences.
// The swap is a loop around cas, which drains the store buffer as x86's locked instructions do, so
// that PSO needs no fence either; the program of PLDI 2011 (CLH0 and CLH2), which the paper does
// not print, needs two.
// From: P. Magnusson, A. Landin, E. Hagersten, Queue locks on cache coherent multiprocessors, IPPS
//       1994; TACAS 2012 Table 1, row 6.
// expect: sc=safe tso=safe pso=safe
// why: the swap drains the buffer, so a node is busy in memory before another thread can find it;
//      a late release only delays
// Try:  scripts/weir check examples/clh.cp

const N = 2;
shared bool busy[N + 1];               // one node for each thread and one to start with
shared int<0..N> tail = N;

process P(int<0..N-1> me) {
  int<0..N> mine = me;
  int<0..N> before;
  while (true) {
    busy[mine] = true;
    do {                               // swap tail and mine
      before = tail;
    } while (!cas(tail, before, mine));
    while (busy[before]) skip;
    cs: skip;
    busy[mine] = false;
    mine = before;                     // its owner has left the queue
  }
}

forbid P@cs, P@cs;
