// Two threads store twice, with a fence between.
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=safe pso=safe
// why: the fences keep the stores in order under PSO too
// Try:  scripts/weir check examples/litmus/2+2W_fences.cp

shared int<0..2> x = 0, y = 0;

process P { x = 1; fence; y = 2; }
process Q { y = 1; fence; x = 2; }

final !(x == 1 && y == 1);
