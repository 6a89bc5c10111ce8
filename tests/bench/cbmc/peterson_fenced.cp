// Peterson's mutual exclusion, two threads, each enters once, one fence per thread.
// From: G. L. Peterson, Myths about the mutual exclusion problem, IPL 1981; TACAS 2012 Table 1,
//       row 3; PLDI 2011 Pet0 and Pet2.
// expect: sc=safe tso=safe pso=unsafe
// why: the fence makes flag and turn visible before the other's flag is read; under PSO the turn
//      may still overtake the flag
// Try:  scripts/bench cbmc

shared bool flag[2];
shared int<0..1> turn = 0;

process P(int<0..1> me) {
  flag[me] = true;
  turn = 1 - me;
  fence;
  while (flag[1 - me] && turn == 1 - me) skip;
  cs: skip;
  flag[me] = false;
}

forbid P@cs, P@cs;
