// Store buffering around a ring of three threads.
// From: J. Alglave, L. Maranget, P. Sewell: the shapes of the diy tool suite.
// expect: sc=safe tso=unsafe pso=unsafe
// why: all three stores may still be in the buffers when all three loads read 0
// Try:  scripts/weir check examples/litmus/SB3.cp

shared int<0..1> x = 0, y = 0, z = 0;
thread int<0..1> r;

process P { x = 1; r = y; }
process Q { y = 1; r = z; }
process S { z = 1; r = x; }

final !(P.r == 0 && Q.r == 0 && S.r == 0);
