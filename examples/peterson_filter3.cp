// Peterson's filter lock, three threads, repeated entry, no fences.
// From: G. L. Peterson, Myths about the mutual exclusion problem, IPL 1981 (the form for n
//       threads).
// expect: sc=safe tso=unsafe pso=unsafe
// why: a thread may look at the others' levels while its own is still in its store buffer
// Try:  scripts/weir check examples/peterson_filter3.cp

const N = 3;
shared int<0..N-1> level[N];           // 0: not interested
shared int<0..N-1> last[N];            // who came last to a level; last[0] is not used

process P(int<0..N-1> me) {
  int<1..N> l = 1;
  int<0..N> j;
  bool wait;
  while (true) {
    l = 1;
    while (l < N) {
      level[me] = l;
      last[l] = me;
      do {                             // wait while someone is as far and I came last
        wait = false;
        j = 0;
        while (j < N && !wait) {
          if (j != me) wait = level[j] >= l;
          j = j + 1;
        }
        if (wait) wait = last[l] == me;
      } while (wait);
      l = l + 1;
    }
    cs: skip;
    level[me] = 0;
  }
}

forbid P@cs, P@cs;
