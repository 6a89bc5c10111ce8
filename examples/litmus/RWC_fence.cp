// Read to write causality with a fence.
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=safe pso=safe
// why: y = 1 is in memory before the load of x
// Try:  scripts/weir check examples/litmus/RWC_fence.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r, s;

process P { x = 1; }
process Q { r = x; s = y; }
process S { y = 1; fence; r = x; }

final !(Q.r == 1 && Q.s == 0 && S.r == 0);
