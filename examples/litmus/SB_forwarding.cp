// Store buffering after each thread has read its own store back.
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=unsafe pso=unsafe
// why: a load takes the newest store from the own buffer, which does not bring it to memory
// Try:  scripts/weir check examples/litmus/SB_forwarding.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r, s;

process P { x = 1; r = x; s = y; }
process Q { y = 1; r = y; s = x; }

final !(P.r == 1 && P.s == 0 && Q.r == 1 && Q.s == 0);
