// Store buffering with a cas that fails for a fence.
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=safe pso=safe
// why: a cas needs an empty buffer also when it fails
// Try:  scripts/weir check examples/litmus/SB_failed_cas.cp

shared int<0..1> x = 0, y = 0;
shared int<0..1> z = 0;
thread int<0..1> r;

process P { x = 1; cas(z, 1, 0); r = y; }
process Q { y = 1; cas(z, 1, 0); r = x; }

final !(P.r == 0 && Q.r == 0);
