// Message passing: is the message there when its flag is?
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=safe pso=unsafe
// why: stores leave a TSO buffer in order; under PSO y may overtake x
// Try:  scripts/weir check examples/litmus/MP.cp

shared int<0..1> x = 0, y = 0;
thread int<0..1> r, s;

process P { x = 1; y = 1; }
process Q { r = y; s = x; }

final !(Q.r == 1 && Q.s == 0);
