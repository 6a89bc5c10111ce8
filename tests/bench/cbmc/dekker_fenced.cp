// Dekker's mutual exclusion with the turn, two threads, each enters once, one fence per thread.
// A thread that gave way starts over, so its flag is raised in one place only.
// From: E. W. Dijkstra, Cooperating sequential processes, 1965; TACAS 2012 Table 1, row 2.
// expect: sc=safe tso=safe pso=safe
// why: the fence makes a thread's flag visible before it looks at the other's; who waited for the
//      turn comes by it again
// Try:  scripts/bench cbmc

shared bool flag[2];
shared int<0..1> turn = 0;

process P(int<0..1> me) {
  enter: flag[me] = true;
  fence;
  while (flag[1 - me]) {
    if (turn != me) {
      flag[me] = false;
      while (turn != me) skip;
      goto enter;
    }
  }
  cs: skip;
  turn = 1 - me;
  flag[me] = false;
}

forbid P@cs, P@cs;
