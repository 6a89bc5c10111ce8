// A producer and a consumer share 3 cells and count the full ones, not atomically. Erroneous.
// The paper does not print it: this is Weir's own reconstruction from the name and the size.
// From: TACAS 2012 Table 1, row 15.
// expect: sc=unsafe tso=unsafe pso=unsafe
// why: both may read the same count before either stores: an update is lost, and no fence helps
// Try:  scripts/weir check examples/producer_consumer_v1_n3.cp

const N = 3;
const ITEMS = N + 1;                   // items are numbered modulo N + 1
shared int<0..N> cell[N];
shared int<0..N> count = 0;

process Producer {
  int<0..N> item = 0;
  int<0..N-1> in = 0;
  while (true) {
    while (count == N) skip;
    cell[in] = item;
    in = (in + 1) % N;
    item = (item + 1) % ITEMS;
    count = count + 1;                 // not atomic
  }
}

process Consumer {
  int<0..N> item;
  int<0..N> next = 0;
  int<0..N-1> out = 0;
  while (true) {
    while (count == 0) skip;
    item = cell[out];
    assert(item == next);
    out = (out + 1) % N;
    next = (next + 1) % ITEMS;
    count = count - 1;                 // not atomic
  }
}
