// Store buffering: the smallest program that x86 breaks.
shared int<0..1> x, y;
thread int<0..1> r;
process P { x = 1; r = y; }
process Q { y = 1; r = x; }
final !(P.r == 0 && Q.r == 0);
