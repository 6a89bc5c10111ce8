shared int<0..2> a[2], i;
process P { i = i + 1; i = i + 1; a[i] = 1; }
