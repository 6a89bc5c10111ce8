// Peterson's filter lock, N threads, repeated entry, no fences and no property: every state counts.
// The others are looked at from me + 1 on: each round of a loop has a shared access, as in
// peterson.pml, the program for SPIN.
// scripts/bench explicit sets N.

const N = 3;
shared int<0..N-1> level[N];           // 0: not interested
shared int<0..N-1> last[N];            // who came last to a level; last[0] is not used

process P(int<0..N-1> me) {
  int<0..N> l;
  int<0..N> k;
  bool wait;
  while (true) {
    l = 1;
    do {
      level[me] = l;
      last[l] = me;
      do {                             // wait while someone is as far and I came last
        k = 1;
        do {
          wait = level[(me + k) % N] >= l;
          k = k + 1;
        } while (k < N && !wait);
        if (wait) wait = last[l] == me;
      } while (wait);
      l = l + 1;
    } while (l < N);
    cs: level[me] = 0;
  }
}
