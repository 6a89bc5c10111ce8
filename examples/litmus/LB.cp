// Load buffering: may both loads see stores that come after them?
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=safe pso=safe
// why: a store buffer delays stores, so that a load never reads from a later store
// Try:  scripts/weir check examples/litmus/LB.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r;

process P { r = y; x = 1; }
process Q { r = x; y = 1; }

final !(P.r == 1 && Q.r == 1);
