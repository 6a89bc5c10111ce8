// Dijkstra's mutual exclusion, three threads, repeated entry, no fences.
// From: E. W. Dijkstra, Solution of a problem in concurrent programming control, CACM 1965; N.
//       Lynch, B. Patt-Shamir, Distributed algorithms, lecture notes, 1993; TACAS 2012 Table 1,
//       row 9.
// expect: sc=safe tso=unsafe pso=unsafe
// why: a thread may look at the others' flags while its own 2 is still in its store buffer
// Try:  scripts/weir check examples/dijkstra3.cp

const N = 3;
shared int<0..2> flag[N];              // 0: idle, 1: wants the turn, 2: tries to enter
shared int<0..N-1> turn = 0;

process P(int<0..N-1> me) {
  int<0..N-1> t;
  int<0..N> j;
  while (true) {
    again: flag[me] = 1;
    t = turn;
    while (t != me) {
      if (flag[t] == 0) turn = me;
      t = turn;
    }
    flag[me] = 2;
    j = 0;
    while (j < N) {
      if (j != me && flag[j] == 2) goto again;
      j = j + 1;
    }
    cs: skip;
    flag[me] = 0;
  }
}

forbid P@cs, P@cs;
