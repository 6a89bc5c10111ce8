// Dekker's mutual exclusion as it is usually written, two threads, repeated entry, no fences.
// The flag is raised in two places: before the loop, and in it after waiting for the turn.
// From: E. W. Dijkstra, Cooperating sequential processes, 1965; PLDI 2011 Dek0 and Dek2; CAV 2011
//       Table 1.
// expect: sc=safe tso=unsafe pso=unsafe
// why: each thread may read the other's flag while its own is still in its store buffer
// Try:  scripts/weir check examples/dekker_classic.cp

shared bool flag[2];
shared int<0..1> turn = 0;

process P(int<0..1> me) {
  while (true) {
    flag[me] = true;
    while (flag[1 - me]) {
      if (turn != me) {
        flag[me] = false;
        while (turn != me) skip;
        flag[me] = true;
      }
    }
    cs: skip;
    turn = 1 - me;
    flag[me] = false;
  }
}

forbid P@cs, P@cs;
