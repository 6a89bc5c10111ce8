// Independent reads of independent writes: do all threads see stores in one order?
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=safe pso=safe
// why: a store is seen by all other threads at the same time: when it reaches memory
// Try:  scripts/weir check examples/litmus/IRIW.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r, s;

process P { x = 1; }
process Q { y = 1; }
process S { r = x; s = y; }
process T { r = y; s = x; }

final !(S.r == 1 && S.s == 0 && T.r == 1 && T.s == 0);
