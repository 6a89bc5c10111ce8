// n6: a thread sees its own store before it sees one that reached memory earlier.
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model, CACM 2010.
// expect: sc=safe tso=unsafe pso=unsafe
// why: P may read x = 1 from its own buffer and y = 0 from memory before Q stores, and x = 1
//      reaches memory last
// Try:  scripts/weir check examples/litmus/n6.cp

shared int<0..2> x = 0, y = 0;
thread int<0..2> r, s;

process P { x = 1; r = x; s = y; }
process Q { y = 2; x = 2; }

final !(P.r == 1 && P.s == 0 && x == 1);
