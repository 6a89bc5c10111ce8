// Message passing with a fence between the stores.
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=safe pso=safe
// why: the fence keeps y behind x under PSO too; loads are never reordered here
// Try:  scripts/weir check examples/litmus/MP_fence.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r, s;

process P { x = 1; fence; y = 1; }
process Q { r = y; s = x; }

final !(Q.r == 1 && Q.s == 0);
