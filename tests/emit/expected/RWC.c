/*
 * Written by weir V from examples/litmus/RWC.cp.
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

unsigned char r;
unsigned char s;
unsigned char r_SC;
unsigned char r_TSO;
unsigned char mem_x[2];
unsigned char guess_x[1];
unsigned char view_x;
unsigned char last_x;
unsigned char mem_y[2];
unsigned char guess_y[1];
unsigned char view_y;
unsigned char last_y;
unsigned char self;
unsigned char finished;
unsigned char final_Q_r;
_Bool known_Q_r;
unsigned char final_Q_s;
_Bool known_Q_s;
unsigned char final_S_r;
_Bool known_S_r;

static void P(void);
static void Q(void);
static void S(void);
static void switch_point(void);
static void store_x(unsigned char g);
static void store_y(unsigned char g);
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

static void store_y(unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_y[r_TSO] = g;
    view_y = g;
    last_y = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_x = 0;
  last_y = 0;
  r = 0;
  s = 0;
}

int main(void) {
  mem_x[0] = 0;
  mem_y[0] = 0;
  guess_x[0] = any_uchar(0, 1);
  mem_x[1] = guess_x[0];
  guess_y[0] = any_uchar(0, 1);
  mem_y[1] = guess_y[0];
  start_thread();
  self = 0;
  P();
  start_thread();
  self = 1;
  Q();
  if (!known_Q_r) {
    known_Q_r = 1;
    final_Q_r = r;
  }
  if (!known_Q_s) {
    known_Q_s = 1;
    final_Q_s = s;
  }
  start_thread();
  self = 2;
  S();
  if (!known_S_r) {
    known_S_r = 1;
    final_S_r = r;
  }
  assume(mem_x[0] == guess_x[0]);
  assume(mem_y[0] == guess_y[0]);
  check(!(finished == 3) || !(final_Q_r == 1 && final_Q_s == 0 && final_S_r == 0), "line 14");
  return 0;
}

static void P(void) {
#line 10 "examples/litmus/RWC.cp"
  store_x(1);
  if (r_SC == 2) {
    goto end;
  }
  finished = finished + 1;
end:;
}

static void Q(void) {
#line 11 "examples/litmus/RWC.cp"
  switch_point();
  if (r_SC == 2) {
    goto end;
  }
  if (last_x > r_SC) {
    r = view_x;
  } else {
    r = mem_x[r_SC];
  }
  switch_point();
  if (r_SC == 2) {
    goto end;
  }
  if (last_y > r_SC) {
    s = view_y;
  } else {
    s = mem_y[r_SC];
  }
  finished = finished + 1;
end:;
}

static void S(void) {
#line 12 "examples/litmus/RWC.cp"
  store_y(1);
  if (r_SC == 2) {
    goto end;
  }
  switch_point();
  if (r_SC == 2) {
    goto end;
  }
  if (last_x > r_SC) {
    r = view_x;
  } else {
    r = mem_x[r_SC];
  }
  finished = finished + 1;
end:;
}
