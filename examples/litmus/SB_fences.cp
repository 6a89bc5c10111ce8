// Store buffering with a fence in each thread.
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=safe pso=safe
// why: each store is in memory before the load of its thread
// Try:  scripts/weir check examples/litmus/SB_fences.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r;

process P { x = 1; fence; r = y; }
process Q { y = 1; fence; r = x; }

final !(P.r == 0 && Q.r == 0);
