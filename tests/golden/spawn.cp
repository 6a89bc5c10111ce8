// Threads started on the way, a section, a call and a choice.
shared int<0..3> n;
thread bool up;
main {
  int t;
  t = spawn Worker(2);
  spawn Worker(1);
  atomic { n = n + 1; }
  join t;
  assert(n < 3);
}
process Worker(int<0..3> by) {
  up = *;
  if (up) call add(by);
}
procedure add(int<0..3> by) {
  int<0..3> old = n;
  if (old + by <= 3) n = old + by;
}
