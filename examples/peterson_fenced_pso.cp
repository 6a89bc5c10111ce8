// Peterson's mutual exclusion, two threads, repeated entry, two fences per thread, enough for PSO.
// From: G. L. Peterson, Myths about the mutual exclusion problem, IPL 1981; TACAS 2012 Table 1,
//       row 3; PLDI 2011 Pet0 and Pet2.
// expect: sc=safe tso=safe pso=safe
// why: the first fence keeps the turn behind the flag, the second makes both visible before the
//      reads
// Try:  scripts/weir check examples/peterson_fenced_pso.cp

shared bool flag[2];
shared int<0..1> turn = 0;

process P(int<0..1> me) {
  while (true) {
    flag[me] = true;
    fence;
    turn = 1 - me;
    fence;
    while (flag[1 - me] && turn == 1 - me) skip;
    cs: skip;
    flag[me] = false;
  }
}

forbid P@cs, P@cs;
