// Store buffering with fences.
shared bool x, y;
thread bool r;
process P { x = true; fence; r = y; }
process Q { y = true; fence; r = x; }
final P.r || Q.r;
