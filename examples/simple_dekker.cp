// The core of Dekker's mutual exclusion, two threads, repeated entry, no fences.
// From: D. Weaver, T. Germond (eds.), The SPARC Architecture Manual Version 9, 1994; TACAS 2012
//       Table 1, row 1.
// expect: sc=safe tso=unsafe pso=unsafe
// why: each thread may read the other's flag while its own is still in its store buffer
// Try:  scripts/weir check examples/simple_dekker.cp

const N = 2;
shared bool flag[N];

process P(int<0..N-1> me) {
  while (true) {
    flag[me] = true;
    bool alone = true;
    int<0..N> j = 0;
    while (j < N && alone) {
      if (j != me) alone = !flag[j];
      j = j + 1;
    }
    if (alone) {
      cs: skip;
    }
    flag[me] = false;
  }
}

forbid P@cs, P@cs;
