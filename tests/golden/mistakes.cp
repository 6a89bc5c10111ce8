shared int<0..3> x = 4, x;
shared bool flags[2] = {true};
thread int r
  ;
process P(int n) {
  L: y = 1;
  L: x = flags[0];
  flags[2] = r;
  if (x) goto M;
  while (true) { atomic_begin; }
  break;
}
process Q {
  call P;
  int z = 1 / 0;
  z = cas(r, 0, 1);
}
forbid P@nowhere;
final r == 0;
