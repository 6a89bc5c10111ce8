const N = 2; shared bool l; main { int t; t = spawn P(N); join t; atomic { l = !l; } }
process P(int n) { int i = 0; do { r: i = i + 1; if (*) continue; goto r; } while (i < n); call f(i); arw(l, false, true); }
procedure f(int d) { if (d > 0) { call f(d - 1); } else return; fence; assert(cas(l, false, true)); }
