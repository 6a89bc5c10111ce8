/*
 * Written by weir V from examples/increasing_sequence.cp.
 * Its SC runs are the TSO runs of the source with at most 2 sweeps over the threads (--bound sweeps -k 1).
 *
 * Encoding eager: the threads run one after another, each through all sweeps.
 * mem_x[s] is x in sweep s; those of later sweeps are guessed first and checked at the
 * end of main. r is the sweep the thread is in, r_TSO the one in which its next store
 * reaches memory: a pending store is one written to the copy of a later sweep.
 *
 * To check it (loops are unwound so often, choose the number):
 *   cbmc FILE.c --no-standard-checks --no-unwinding-assertions --unwind 3
 */

/* Weir's words, for CBMC. */
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
void __CPROVER_fence(const char *, ...);
unsigned char nondet_uchar(void);
int nondet_int(void);
#define assume(condition) __CPROVER_assume(condition)
#define check(condition, text) __CPROVER_assert(condition, text)
#define atomic_begin() __CPROVER_atomic_begin()
#define atomic_end() __CPROVER_atomic_end()
#define full_fence() __CPROVER_fence("WWfence", "RRfence", "RWfence", "WRfence")

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

unsigned char r_SC;
unsigned char r_TSO;
_Bool err;
unsigned char mem_x[2];
unsigned char guess_x[1];
unsigned char view_x;
unsigned char last_x;
unsigned char self;

static void Writer(void);
static void Reader(void);
static void switch_point(void);
static void store_x(unsigned char g);
static void start_thread(void);

static void switch_point(void) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC);
  r_SC = n;
}

static void store_x(unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_x[r_TSO] = g;
    view_x = g;
    last_x = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_x = 0;
}

int main(void) {
  mem_x[0] = 0;
  guess_x[0] = any_uchar(0, 8);
  mem_x[1] = guess_x[0];
  start_thread();
  self = 0;
  Writer();
  start_thread();
  self = 1;
  Reader();
  assume(mem_x[0] == guess_x[0]);
  check(!err, "no error is reached");
  return 0;
}

static void Writer(void) {
  unsigned char v = 0;
#line 13 "examples/increasing_sequence.cp"
  while (1) {
#line 14 "examples/increasing_sequence.cp"
    store_x(v);
    if (r_SC == 2) {
      goto end;
    }
#line 15 "examples/increasing_sequence.cp"
    if (any_uchar(0, 1)) {
#line 16 "examples/increasing_sequence.cp"
      if (v < 8) {
        if (!(v + 1 <= 8)) {
          err = 1;
          r_SC = 2;
          goto end;
        }
        v = v + 1;
      }
    }
  }
#line 11 "examples/increasing_sequence.cp"
end:;
}

static void Reader(void) {
  unsigned char before = 0;
  unsigned char now = 0;
#line 24 "examples/increasing_sequence.cp"
  while (1) {
#line 25 "examples/increasing_sequence.cp"
    switch_point();
    if (r_SC == 2) {
      goto end;
    }
    if (last_x > r_SC) {
      now = view_x;
    } else {
      now = mem_x[r_SC];
    }
#line 26 "examples/increasing_sequence.cp"
    if (!(before <= now)) {
      err = 1;
      r_SC = 2;
      goto end;
    }
#line 27 "examples/increasing_sequence.cp"
    before = now;
  }
#line 21 "examples/increasing_sequence.cp"
end:;
}
