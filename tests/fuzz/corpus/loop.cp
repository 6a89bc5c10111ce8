shared int<0..2> x = *, a[2] = {0, 1}; thread bool r = *;
process P(int<0..1> me) { while (x < 2 && a[me] == 0) { x = x + 1; if (r) break; } cs: skip; }
forbid P@cs, P(1)@cs; final x != 0 || P(0).r;
