// Lamport's bakery, three threads, repeated entry, two fences per thread.
// Tickets are bounded: a thread in the doorway waits while the highest ticket is out.
// From: L. Lamport, A new solution of Dijkstra's concurrent programming problem, CACM 1974; TACAS
//       2012 Table 1, row 4; PLDI 2011 Lam0 and Lam2.
// expect: sc=safe tso=safe pso=safe
// why: the first fence makes choosing visible before the tickets are read, the second the number
//      before the waiting; the second may also stand after choosing = false under TSO, but not
//      under PSO
// Try:  scripts/weir check examples/bakery3_fenced.cp

const N = 3;
const LAST = 3;                        // the highest ticket
shared bool choosing[N];
shared int<0..LAST> number[N];         // 0: no ticket

process P(int<0..N-1> me) {
  while (true) {
    choosing[me] = true;
    fence;
    int<0..LAST> highest;
    int<0..LAST> seen;
    int<0..N> j;
    do {                               // wait while the tickets are used up
      highest = 0;
      j = 0;
      while (j < N) {
        if (j != me) {
          seen = number[j];
          if (seen > highest) highest = seen;
        }
        j = j + 1;
      }
    } while (highest == LAST);
    int<0..LAST> ticket = highest + 1;
    number[me] = ticket;
    fence;
    choosing[me] = false;
    j = 0;
    while (j < N) {
      if (j != me) {
        while (choosing[j]) skip;
        do {
          seen = number[j];
        } while (seen != 0 && (seen < ticket || (seen == ticket && j < me)));
      }
      j = j + 1;
    }
    cs: skip;
    number[me] = 0;
  }
}

forbid P@cs, P@cs;
