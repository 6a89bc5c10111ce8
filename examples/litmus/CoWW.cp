// Coherence of two writes: may the first store of a thread be the last to reach memory?
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=safe pso=safe
// why: the stores to one variable leave the buffer in order, also under PSO
// Try:  scripts/weir check examples/litmus/CoWW.cp

shared int<0..2> x = 0;

process P { x = 1; x = 2; }

final x == 2;
