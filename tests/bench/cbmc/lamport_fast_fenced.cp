// Lamport's fast mutual exclusion, two threads, each enters once, two fences per thread.
// From: L. Lamport, A fast mutual exclusion algorithm, TOCS 1987; TACAS 2012 Table 1, row 5; PLDI
//       2011 Fast0 and Fast3.
// expect: sc=safe tso=safe pso=safe
// why: one fence after the store of x, one after that of y; nobody comes back after the way out
// Try:  scripts/bench cbmc

const N = 2;
const NOBODY = N;
shared bool b[N];
shared int<0..N> x = NOBODY, y = NOBODY;

process P(int<0..N-1> me) {
  start: b[me] = true;
  x = me;
  fence;
  if (y != NOBODY) {
    b[me] = false;
    while (y != NOBODY) skip;
    goto start;
  }
  y = me;
  fence;
  if (x != me) {                       // the slow path
    b[me] = false;
    int<0..N> j = 0;
    while (j < N) {
      while (b[j]) skip;
      j = j + 1;
    }
    if (y != me) {
      while (y != NOBODY) skip;
      goto start;
    }
  }
  cs: skip;
  y = NOBODY;
  b[me] = false;
}

forbid P@cs, P@cs;
