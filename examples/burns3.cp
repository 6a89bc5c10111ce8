// Burns's mutual exclusion with one bit per thread, three threads, repeated entry, no fences.
// From: J. E. Burns; N. Lynch, B. Patt-Shamir, Distributed algorithms, lecture notes, 1993; TACAS
//       2012 Table 1, row 8.
// expect: sc=safe tso=unsafe pso=unsafe
// why: a thread may look at the others' flags while its own is still in its store buffer
// Try:  scripts/weir check examples/burns3.cp

const N = 3;
shared bool flag[N];

process P(int<0..N-1> me) {
  int<0..N> j;
  while (true) {
    back: flag[me] = false;
    j = 0;
    while (j < me) {
      if (flag[j]) goto back;
      j = j + 1;
    }
    flag[me] = true;
    j = 0;
    while (j < me) {
      if (flag[j]) goto back;
      j = j + 1;
    }
    j = me + 1;
    while (j < N) {
      while (flag[j]) skip;
      j = j + 1;
    }
    cs: skip;
    flag[me] = false;
  }
}

forbid P@cs, P@cs;
