/* Any value from lo to hi. */
static inline unsigned char any_uchar(unsigned char lo, unsigned char hi) {
  unsigned char choice = nondet_uchar();
  assume(lo <= choice && choice <= hi);
  return choice;
}
static inline int any_int(int lo, int hi) {
  int choice = nondet_int();
  assume(lo <= choice && choice <= hi);
  return choice;
}
