// The shape R with both fences.
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=safe pso=safe
// why: the first fence keeps the stores of P in order, the second brings y = 2 to memory before
//      the load
// Try:  scripts/weir check examples/litmus/R_fences.cp

shared int<0..2> x = 0, y = 0;
thread int<0..1> r;

process P { x = 1; fence; y = 1; }
process Q { y = 2; fence; r = x; }

final !(y == 2 && Q.r == 0);
