// A spawned thread may miss a store that its parent made before.
// From: ours: spawn is no fence in .cp; the front end for C puts one before it, as pthread_create
//       does.
// expect: sc=safe tso=unsafe pso=unsafe
// why: the store of main may still be in its buffer when the new thread reads x
// Try:  scripts/weir check examples/litmus/spawn_keeps_buffer.cp

shared int<0..1> x = 0;
thread int<0..1> r;

process P { r = x; }

main { x = 1; spawn P; }

final P.r == 1;
