// One thread stores an increasing sequence, the other never sees it decrease. No fences.
// The paper does not print it: this is Weir's own reconstruction from the name and the size.
// From: TACAS 2012 Table 1, row 12.
// expect: sc=safe tso=safe pso=safe@buffer=6
// why: the stores to one variable leave the buffer in order; there may be any number of them in it
// Try:  scripts/weir check examples/increasing_sequence.cp

const LAST = 8;
shared int<0..LAST> x = 0;

process Writer {
  int<0..LAST> v = 0;
  while (true) {
    x = v;
    if (*) {
      if (v < LAST) v = v + 1;
    }
  }
}

process Reader {
  int<0..LAST> before = 0;
  int<0..LAST> now;
  while (true) {
    now = x;
    assert(before <= now);
    before = now;
  }
}
