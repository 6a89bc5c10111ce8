// Burns's mutual exclusion with one bit per thread, two threads, repeated entry, one fence per
// thread.
// From: J. E. Burns; N. Lynch, B. Patt-Shamir, Distributed algorithms, lecture notes, 1993; TACAS
//       2012 Table 1, row 8.
// expect: sc=safe tso=safe pso=safe@buffer=3
// why: the fence makes a raised flag visible before the second look; the buffers have no bound of
//      their own, since a thread that is sent back stores false again and again
// Try:  scripts/weir check examples/burns_fenced.cp

const N = 2;
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
    fence;
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
