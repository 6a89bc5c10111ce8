// Store buffering with a fence in one of the two threads only.
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=unsafe pso=unsafe
// why: the store of Q may still be in its buffer when both loads read 0
// Try:  scripts/weir check examples/litmus/SB_one_fence.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r;

process P { x = 1; fence; r = y; }
process Q { y = 1; r = x; }

final !(P.r == 0 && Q.r == 0);
