// Szymanski's mutual exclusion, two threads, each enters once, two fences per thread.
// From: B. K. Szymanski, A simple solution to Lamport's concurrent programming problem with linear
//       wait, ICS 1988; CAV 2011 Table 1.
// expect: sc=safe tso=safe pso=safe
// why: the 1 and the 3 have to be visible before the others are looked at, the later stores may
//      lag behind; P(1) alone could do without its first fence
// Try:  scripts/bench cbmc

const N = 2;
shared int<0..4> flag[N];   // 0: out, 1: wants in, 2: waits for others, 3: in the door, 4: past it

process P(int<0..N-1> me) {
  int<0..N> j;
  int<0..4> f;
  bool other;
  flag[me] = 1;
  fence;
  j = 0;
  while (j < N) {                    // wait until the door is open
    if (j != me) {
      do { f = flag[j]; } while (f >= 3);
    }
    j = j + 1;
  }
  flag[me] = 3;
  fence;
  other = false;
  j = 0;
  while (j < N) {
    if (j != me && flag[j] == 1) other = true;
    j = j + 1;
  }
  if (other) {
    flag[me] = 2;                    // let the other in first and wait for one past the door
    other = false;
    while (!other) {
      j = 0;
      while (j < N) {
        if (j != me && flag[j] == 4) other = true;
        j = j + 1;
      }
    }
  }
  flag[me] = 4;
  j = 0;
  while (j < me) {                   // lower numbers go first
    do { f = flag[j]; } while (f >= 2);
    j = j + 1;
  }
  cs: skip;
  j = me + 1;
  while (j < N) {                    // wait until the higher ones know that the door is shut
    do { f = flag[j]; } while (f == 2 || f == 3);
    j = j + 1;
  }
  flag[me] = 0;
}

forbid P@cs, P@cs;
