// A producer and a consumer share 2 cells; only the consumer says how far it is. No fences.
// The paper does not print it: this is Weir's own reconstruction from the name and the size.
// From: TACAS 2012 Table 1, row 16.
// expect: sc=safe tso=safe pso=safe@buffer=4
// why: each variable has one writer, and the producer fills a cell only after its last item has
//      been taken; the consumer stores its progress without bound
// Try:  scripts/weir check examples/producer_consumer_v2_n2.cp

const N = 2;
const ROUND = 2 * N;                   // items are counted modulo 2 N
shared int<0..3> cell[N];              // 0: never filled; else on which lap, modulo 3, it was
shared int<0..ROUND-1> consumed = 0;

process Producer {
  int<0..ROUND-1> produced = 0;
  int<0..2> lap = 0;
  while (true) {
    while ((produced + ROUND - consumed) % ROUND == N) skip;
    cell[produced % N] = lap + 1;
    produced = (produced + 1) % ROUND;
    if (produced % N == 0) lap = (lap + 1) % 3;
  }
}

process Consumer {
  int<0..ROUND-1> taken = 0;
  int<0..2> lap = 0;
  int<0..3> c;
  while (true) {
    c = cell[taken % N];
    assert(c != (lap + 1) % 3 + 1);    // the next lap: an item was overwritten
    if (c == lap + 1) {
      taken = (taken + 1) % ROUND;
      if (taken % N == 0) lap = (lap + 1) % 3;
    }
    consumed = taken;                  // published on every turn of the loop
  }
}
