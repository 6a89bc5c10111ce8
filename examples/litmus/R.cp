// The shape R: a store that wins and a load that misses.
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=unsafe pso=unsafe
// why: y = 2 may wait in the buffer of Q until the load of x has read 0 and P is done
// Try:  scripts/weir check examples/litmus/R.cp

shared int<0..2> x = 0, y = 0;
thread int<0..1> r;

process P { x = 1; y = 1; }
process Q { y = 2; r = x; }

final !(y == 2 && Q.r == 0);
