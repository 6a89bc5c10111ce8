// Write to read causality: is what a seen store caused seen with it?
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=safe pso=safe
// why: x = 1 is in memory when Q has read it, and y = 1 comes later
// Try:  scripts/weir check examples/litmus/WRC.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r, s;

process P { x = 1; }
process Q { r = x; y = 1; }
process S { r = y; s = x; }

final !(Q.r == 1 && S.r == 1 && S.s == 0);
