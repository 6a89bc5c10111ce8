// The shape R with a fence between the store and the load.
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=safe pso=unsafe
// why: the fence brings y = 2 to memory before the load; under PSO y = 1 may also overtake x = 1
// Try:  scripts/weir check examples/litmus/R_fence.cp

shared int<0..2> x = 0, y = 0;
thread int<0..1> r;

process P { x = 1; y = 1; }
process Q { y = 2; fence; r = x; }

final !(y == 2 && Q.r == 0);
