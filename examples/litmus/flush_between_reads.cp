// A store that reaches memory between two loads of its thread, in a round of flushes alone.
// From: ours: a run that the translation of CAV 2011, read literally, loses (Fig. 6 starts a round
//       only with a statement).
// expect: sc=safe tso=unsafe pso=unsafe
// why: x has to be pending at the first load of P and in memory before Q reads it the second time
// Try:  scripts/weir check examples/litmus/flush_between_reads.cp

shared int<0..1> x = 0, y = 0, z = 0;
thread int<0..1> r, s;

process P { x = 1; r = y; s = z; }
process Q { y = 1; fence; r = x; s = x; z = 1; }

final !(P.r == 0 && Q.r == 0 && Q.s == 1 && P.s == 1);
