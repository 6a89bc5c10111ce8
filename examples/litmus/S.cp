// The shape S: a store that is seen and an earlier one that wins.
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=safe pso=unsafe
// why: x = 2 is in memory before y = 1 and so before x = 1; under PSO y may overtake x
// Try:  scripts/weir check examples/litmus/S.cp

shared int<0..2> x = 0, y = 0;
thread int<0..1> r;

process P { x = 2; y = 1; }
process Q { r = y; x = 1; }

final !(Q.r == 1 && x == 2);
