// The shape S with a fence between the stores.
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=safe pso=safe
// why: the fence keeps y behind x under PSO too
// Try:  scripts/weir check examples/litmus/S_fence.cp

shared int<0..2> x = 0, y = 0;
thread int<0..1> r;

process P { x = 2; fence; y = 1; }
process Q { r = y; x = 1; }

final !(Q.r == 1 && x == 2);
