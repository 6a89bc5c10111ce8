// Coherence of two reads: may a later load see an older value?
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=safe pso=safe
// why: the stores to one variable reach memory in order, and memory forgets the old value
// Try:  scripts/weir check examples/litmus/CoRR.cp

shared int<0..1> x = 0;
thread int<0..1> r, s;

process P { x = 1; }
process Q { r = x; s = x; }

final !(Q.r == 1 && Q.s == 0);
