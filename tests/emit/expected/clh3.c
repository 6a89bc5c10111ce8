/*
 * Written by weir V from examples/clh3.cp.
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
_Bool mem_busy[2][4];
_Bool guess_busy[1][4];
_Bool view_busy[4];
unsigned char last_busy[4];
unsigned char mem_tail[2];
unsigned char guess_tail[1];
unsigned char view_tail;
unsigned char last_tail;
unsigned char mem_at_P_cs[2];
unsigned char guess_at_P_cs[1];
unsigned char self;

static void P(unsigned char me);
static void switch_point(void);
static void wait_point(void);
static void store_busy(unsigned char i0, _Bool g);
static void start_thread(void);

static void switch_point(void) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC);
  r_SC = n;
}

static void wait_point(void) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC);
  r_SC = n;
}

static void store_busy(unsigned char i0, _Bool g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_busy[r_TSO][i0] = g;
    view_busy[i0] = g;
    last_busy[i0] = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_busy[0] = 0;
  last_busy[1] = 0;
  last_busy[2] = 0;
  last_busy[3] = 0;
  last_tail = 0;
}

int main(void) {
  mem_busy[0][0] = 0;
  mem_busy[0][1] = 0;
  mem_busy[0][2] = 0;
  mem_busy[0][3] = 0;
  mem_tail[0] = 3;
  guess_busy[0][0] = any_uchar(0, 1);
  mem_busy[1][0] = guess_busy[0][0];
  guess_busy[0][1] = any_uchar(0, 1);
  mem_busy[1][1] = guess_busy[0][1];
  guess_busy[0][2] = any_uchar(0, 1);
  mem_busy[1][2] = guess_busy[0][2];
  guess_busy[0][3] = any_uchar(0, 1);
  mem_busy[1][3] = guess_busy[0][3];
  guess_tail[0] = any_uchar(0, 3);
  mem_tail[1] = guess_tail[0];
  guess_at_P_cs[0] = any_uchar(0, 3);
  mem_at_P_cs[1] = guess_at_P_cs[0];
  start_thread();
  self = 0;
  P(0);
  start_thread();
  self = 1;
  P(1);
  start_thread();
  self = 2;
  P(2);
  assume(mem_busy[0][0] == guess_busy[0][0]);
  assume(mem_busy[0][1] == guess_busy[0][1]);
  assume(mem_busy[0][2] == guess_busy[0][2]);
  assume(mem_busy[0][3] == guess_busy[0][3]);
  assume(mem_tail[0] == guess_tail[0]);
  assume(mem_at_P_cs[0] == guess_at_P_cs[0]);
  check(!err, "no error is reached");
  return 0;
}

static void P(unsigned char me) {
  unsigned char mine = 0;
  unsigned char before = 0;
  _Bool t_cas = 0;
  _Bool t_busy = 0;
#line 17 "examples/clh3.cp"
  mine = me;
#line 18 "examples/clh3.cp"
  before = 0;
#line 19 "examples/clh3.cp"
  while (1) {
#line 20 "examples/clh3.cp"
    store_busy(mine, 1);
    if (r_SC == 2) {
      goto end;
    }
#line 21 "examples/clh3.cp"
    do {
#line 22 "examples/clh3.cp"
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_tail > r_SC) {
        before = view_tail;
      } else {
        before = mem_tail[r_SC];
      }
#line 23 "examples/clh3.cp"
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      assume(r_SC >= r_TSO);
      if (mem_tail[r_SC] == before) {
        mem_tail[r_SC] = mine;
        t_cas = 1;
      } else {
        t_cas = 0;
      }
    } while (!t_cas);
#line 24 "examples/clh3.cp"
    while (1) {
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_busy[before] > r_SC) {
        t_busy = view_busy[before];
      } else {
        t_busy = mem_busy[r_SC][before];
      }
      if (!(t_busy)) break;
    }
#line 25 "examples/clh3.cp"
    assume(mem_at_P_cs[r_SC] != 3);
    mem_at_P_cs[r_SC] = mem_at_P_cs[r_SC] + 1;
    if (mem_at_P_cs[r_SC] >= 2) {
      err = 1;
      r_SC = 2;
      goto end;
    }
    wait_point();
    if (r_SC == 2) {
      goto end;
    }
    assume(mem_at_P_cs[r_SC] != 0);
    mem_at_P_cs[r_SC] = mem_at_P_cs[r_SC] - 1;
#line 26 "examples/clh3.cp"
    store_busy(mine, 0);
    if (r_SC == 2) {
      goto end;
    }
#line 27 "examples/clh3.cp"
    mine = before;
  }
#line 16 "examples/clh3.cp"
end:;
}
