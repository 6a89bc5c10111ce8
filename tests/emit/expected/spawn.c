/*
 * Written by weir V from tests/golden/spawn.cp.
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

_Bool up;
unsigned char r_SC;
unsigned char r_TSO;
_Bool err;
unsigned char mem_n[2];
unsigned char guess_n[1];
unsigned char view_n;
unsigned char last_n;
_Bool mem_ended[2][3];
_Bool guess_ended[1][3];
unsigned char self;
unsigned char spawned;
unsigned char start[2];
unsigned char kind[2];
unsigned char arg_Worker_by[2];

static void main_thread(void);
static void Worker(unsigned char by);
static void add(unsigned char by);
static void switch_point(void);
static void wait_point(void);
static void store_n(unsigned char g);
static void start_thread(void);

static void switch_point(void) {
  unsigned char n_ = 0;
  n_ = any_uchar(0, 2);
  assume(n_ >= r_SC);
  r_SC = n_;
}

static void wait_point(void) {
  unsigned char n_ = 0;
  n_ = any_uchar(0, 2);
  assume(n_ >= r_SC);
  r_SC = n_;
}

static void store_n(unsigned char g) {
  unsigned char n_ = 0;
  n_ = any_uchar(0, 2);
  assume(n_ >= r_SC && n_ >= r_TSO);
  if (n_ == 2) {
    r_SC = 2;
  } else {
    r_TSO = n_;
    mem_n[r_TSO] = g;
    view_n = g;
    last_n = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_n = 0;
  up = 0;
}

int main(void) {
  mem_n[0] = 0;
  guess_n[0] = any_uchar(0, 3);
  mem_n[1] = guess_n[0];
  guess_ended[0][0] = any_uchar(0, 1);
  mem_ended[1][0] = guess_ended[0][0];
  guess_ended[0][1] = any_uchar(0, 1);
  mem_ended[1][1] = guess_ended[0][1];
  guess_ended[0][2] = any_uchar(0, 1);
  mem_ended[1][2] = guess_ended[0][2];
  start_thread();
  self = 0;
  main_thread();
  if (0 < spawned) {
    start_thread();
    self = 1;
    r_SC = start[0];
    Worker(arg_Worker_by[0]);
  }
  if (1 < spawned) {
    start_thread();
    self = 2;
    r_SC = start[1];
    Worker(arg_Worker_by[1]);
  }
  assume(mem_n[0] == guess_n[0]);
  assume(mem_ended[0][0] == guess_ended[0][0]);
  assume(mem_ended[0][1] == guess_ended[0][1]);
  assume(mem_ended[0][2] == guess_ended[0][2]);
  check(!err, "no error is reached");
  return 0;
}

static void main_thread(void) {
  int t = 0;
  unsigned char t_n = 0;
#line 6 "tests/golden/spawn.cp"
  switch_point();
  if (r_SC == 2) {
    goto end;
  }
  assume(spawned < 2);
  start[spawned] = r_SC;
  kind[spawned] = 1;
  arg_Worker_by[spawned] = 2;
  spawned = spawned + 1;
  t = spawned;
#line 7 "tests/golden/spawn.cp"
  switch_point();
  if (r_SC == 2) {
    goto end;
  }
  assume(spawned < 2);
  start[spawned] = r_SC;
  kind[spawned] = 1;
  arg_Worker_by[spawned] = 1;
  spawned = spawned + 1;
#line 8 "tests/golden/spawn.cp"
  switch_point();
  if (r_SC == 2) {
    goto end;
  }
  assume(r_SC >= r_TSO);
  if (last_n > r_SC) {
    t_n = view_n;
  } else {
    t_n = mem_n[r_SC];
  }
  if (!(t_n + 1 <= 3)) {
    err = 1;
    r_SC = 2;
    goto end;
  }
  mem_n[r_SC] = t_n + 1;
  assume(r_SC >= r_TSO);
#line 9 "tests/golden/spawn.cp"
  switch_point();
  if (r_SC == 2) {
    goto end;
  }
  if (t < 0 || t >= spawned + 1) {
    err = 1;
    r_SC = 2;
    goto end;
  }
  assume(mem_ended[r_SC][t]);
#line 10 "tests/golden/spawn.cp"
  switch_point();
  if (r_SC == 2) {
    goto end;
  }
  if (last_n > r_SC) {
    t_n = view_n;
  } else {
    t_n = mem_n[r_SC];
  }
  if (!(t_n < 3)) {
    err = 1;
    r_SC = 2;
    goto end;
  }
#line 4 "tests/golden/spawn.cp"
  wait_point();
  if (r_SC == 2) {
    goto end;
  }
  assume(r_SC >= r_TSO);
  mem_ended[r_SC][self] = 1;
end:;
}

static void Worker(unsigned char by) {
#line 13 "tests/golden/spawn.cp"
  up = any_uchar(0, 1);
#line 14 "tests/golden/spawn.cp"
  if (up) {
    add(by);
    if (r_SC == 2) {
      goto end;
    }
  }
#line 12 "tests/golden/spawn.cp"
  wait_point();
  if (r_SC == 2) {
    goto end;
  }
  assume(r_SC >= r_TSO);
  mem_ended[r_SC][self] = 1;
end:;
}

static void add(unsigned char by) {
  unsigned char old = 0;
#line 17 "tests/golden/spawn.cp"
  switch_point();
  if (r_SC == 2) {
    goto end;
  }
  if (last_n > r_SC) {
    old = view_n;
  } else {
    old = mem_n[r_SC];
  }
#line 18 "tests/golden/spawn.cp"
  if (old + by <= 3) {
    if (!(old + by <= 3)) {
      err = 1;
      r_SC = 2;
      goto end;
    }
    store_n(old + by);
    if (r_SC == 2) {
      goto end;
    }
  }
end:;
}
