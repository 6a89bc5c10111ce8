// n5: may two threads see their stores to one variable in opposite orders?
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=safe pso=safe
// why: the store that reaches memory first was overwritten when the other thread has read it
// Try:  scripts/weir check examples/litmus/n5.cp

shared int<0..2> x = 0;
thread int<0..2> r;

process P { x = 1; r = x; }
process Q { x = 2; r = x; }

final !(P.r == 2 && Q.r == 1);
