// The alternating-bit protocol over two shared variables; no item is lost or doubled.
// The paper does not print it: this is Weir's own reconstruction from the name and the size.
// From: K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, A note on reliable full-duplex
//       transmission, CACM 1969; TACAS 2012 Table 1, row 13.
// expect: sc=safe tso=safe pso=safe@buffer=6
// why: each side repeats itself without bound, and the buffers are the first-in-first-out channels
//      that the protocol is made for
// Try:  scripts/weir check examples/alternating_bit.cp

const ITEMS = 3;
const MESSAGES = 2 * ITEMS;
shared int<0..MESSAGES-1> message = 0;  // 2 * item + bit
shared int<0..1> ack = 0;

process Sender {
  int<0..ITEMS-1> item = 0;
  int<0..1> bit = 1;
  while (true) {
    do {
      message = 2 * item + bit;        // sent again until it is acknowledged
    } while (ack != bit);
    item = (item + 1) % ITEMS;
    bit = 1 - bit;
  }
}

process Receiver {
  int<0..ITEMS-1> next = 0;
  int<0..1> bit = 1;
  int<0..MESSAGES-1> m;
  while (true) {
    m = message;
    if (m % 2 == bit) {
      assert(m / 2 == next);
      next = (next + 1) % ITEMS;
      bit = 1 - bit;
    }
    ack = m % 2;
  }
}
