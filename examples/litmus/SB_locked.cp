// Store buffering with locked instructions for the stores.
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=safe pso=safe
// why: arw and cas write to memory at once and need an empty buffer
// Try:  scripts/weir check examples/litmus/SB_locked.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r;

process P { arw(x, 0, 1); r = y; }
process Q { cas(y, 0, 1); r = x; }

final !(P.r == 0 && Q.r == 0);
