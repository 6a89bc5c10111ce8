// Two threads store twice: may both first stores be the last to reach memory?
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=safe pso=unsafe
// why: stores leave a TSO buffer in order; under PSO each y may overtake its x
// Try:  scripts/weir check examples/litmus/2+2W.cp

shared int<0..2> x = 0, y = 0;

process P { x = 1; y = 2; }
process Q { y = 1; x = 2; }

final !(x == 1 && y == 1);
