// Read to write causality.
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=unsafe pso=unsafe
// why: y = 1 may wait in the buffer of S until its load of x has read 0
// Try:  scripts/weir check examples/litmus/RWC.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r, s;

process P { x = 1; }
process Q { r = x; s = y; }
process S { y = 1; r = x; }

final !(Q.r == 1 && Q.s == 0 && S.r == 0);
