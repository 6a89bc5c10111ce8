// A counter without a range: the exact engines name it.
shared int tickets, served;
process P(int<0..1> me) {
  int mine;
  while (true) {
    atomic { mine = tickets; tickets = tickets + 1; }
    while (served != mine) skip;
    critical: skip;
    served = served + 1;
  }
}
forbid P@critical, P@critical;
