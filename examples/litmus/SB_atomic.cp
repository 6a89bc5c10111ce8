// Store buffering with the stores in atomic sections.
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=safe pso=safe
// why: an atomic section ends with an empty buffer
// Try:  scripts/weir check examples/litmus/SB_atomic.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r;

process P { atomic { x = 1; } r = y; }
process Q { atomic { y = 1; } r = x; }

final !(P.r == 0 && Q.r == 0);
