// The core of Dekker's mutual exclusion, two threads, repeated entry, one fence per thread.
// From: D. Weaver, T. Germond (eds.), The SPARC Architecture Manual Version 9, 1994; TACAS 2012
//       Table 1, row 1.
// expect: sc=safe tso=safe pso=safe
// why: the fence makes a thread's flag visible before it looks at the other's
// Try:  scripts/weir check examples/simple_dekker_fenced.cp

const N = 2;
shared bool flag[N];

process P(int<0..N-1> me) {
  while (true) {
    flag[me] = true;
    fence;
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
