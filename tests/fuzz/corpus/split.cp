shared int<0..3> a, c, d[2]; shared bool e, f; thread int r, s;
process P { r = a + c * d[a] - a; e = e && f || a == c && (c < r || !f); a = d[r + c]; d[a] = c + a; while (a + c < 3 && e) { int q = a; s = q - c; if (a == c) continue; else if (e || f) break; } }
process Q(bool w) { int<1..2> z = 2, y[2][2] = {{1, 2}, {2, 1}}; y[0][z - 1] = z; if (w) { bool t_a = e; } }
procedure g(int n, bool m) { call g(n - 1, !m); assume(cas(a, c, 1) || cas(c, a, 2)); }
