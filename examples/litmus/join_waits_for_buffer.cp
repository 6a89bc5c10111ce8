// After a join the stores of the thread that has ended are seen.
// From: ours: join waits until the thread has ended and its buffer is empty.
// expect: sc=safe tso=safe pso=safe
// why: x is in memory when main goes on
// Try:  scripts/weir check examples/litmus/join_waits_for_buffer.cp

shared int<0..1> x = 0;

process P { x = 1; }

main {
  int t;
  t = spawn P;
  join t;
  assert(x == 1);
}
