/*
 * Written by weir V from examples/sense_barrier.cp.
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
unsigned char mem_missing[2];
unsigned char guess_missing[1];
unsigned char view_missing;
unsigned char last_missing;
_Bool mem_sense[2];
_Bool guess_sense[1];
_Bool view_sense;
unsigned char last_sense;
unsigned char mem_at_P_odd[2];
unsigned char guess_at_P_odd[1];
unsigned char mem_at_P_even[2];
unsigned char guess_at_P_even[1];
unsigned char self;

static void P(unsigned char me);
static void switch_point(void);
static void wait_point(void);
static void store_missing(unsigned char g);
static void store_sense(_Bool g);
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

static void store_missing(unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_missing[r_TSO] = g;
    view_missing = g;
    last_missing = r_TSO;
  }
}

static void store_sense(_Bool g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_sense[r_TSO] = g;
    view_sense = g;
    last_sense = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_missing = 0;
  last_sense = 0;
}

int main(void) {
  mem_missing[0] = 2;
  mem_sense[0] = 0;
  guess_missing[0] = any_uchar(0, 2);
  mem_missing[1] = guess_missing[0];
  guess_sense[0] = any_uchar(0, 1);
  mem_sense[1] = guess_sense[0];
  guess_at_P_odd[0] = any_uchar(0, 2);
  mem_at_P_odd[1] = guess_at_P_odd[0];
  guess_at_P_even[0] = any_uchar(0, 2);
  mem_at_P_even[1] = guess_at_P_even[0];
  start_thread();
  self = 0;
  P(0);
  start_thread();
  self = 1;
  P(1);
  assume(mem_missing[0] == guess_missing[0]);
  assume(mem_sense[0] == guess_sense[0]);
  assume(mem_at_P_odd[0] == guess_at_P_odd[0]);
  assume(mem_at_P_even[0] == guess_at_P_even[0]);
  check(!err, "no error is reached");
  return 0;
}

static void P(unsigned char me) {
  (void)me;
  _Bool mine = 0;
  unsigned char m = 0;
  _Bool t_cas = 0;
  _Bool t_sense = 0;
#line 17 "examples/sense_barrier.cp"
  while (1) {
#line 18 "examples/sense_barrier.cp"
    mine = !mine;
#line 19 "examples/sense_barrier.cp"
    if (mine) {
      assume(mem_at_P_odd[r_SC] != 2);
      mem_at_P_odd[r_SC] = mem_at_P_odd[r_SC] + 1;
      if (mem_at_P_odd[r_SC] >= 1 && mem_at_P_even[r_SC] >= 1) {
        err = 1;
        r_SC = 2;
        goto end;
      }
      wait_point();
      if (r_SC == 2) {
        goto end;
      }
      assume(mem_at_P_odd[r_SC] != 0);
      mem_at_P_odd[r_SC] = mem_at_P_odd[r_SC] - 1;
    } else {
      assume(mem_at_P_even[r_SC] != 2);
      mem_at_P_even[r_SC] = mem_at_P_even[r_SC] + 1;
      if (mem_at_P_odd[r_SC] >= 1 && mem_at_P_even[r_SC] >= 1) {
        err = 1;
        r_SC = 2;
        goto end;
      }
      wait_point();
      if (r_SC == 2) {
        goto end;
      }
      assume(mem_at_P_even[r_SC] != 0);
      mem_at_P_even[r_SC] = mem_at_P_even[r_SC] - 1;
    }
#line 20 "examples/sense_barrier.cp"
    do {
#line 21 "examples/sense_barrier.cp"
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_missing > r_SC) {
        m = view_missing;
      } else {
        m = mem_missing[r_SC];
      }
#line 22 "examples/sense_barrier.cp"
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      assume(r_SC >= r_TSO);
      if (mem_missing[r_SC] == m) {
        if (!(m - 1 >= 0)) {
          err = 1;
          r_SC = 2;
          goto end;
        }
        mem_missing[r_SC] = m - 1;
        t_cas = 1;
      } else {
        t_cas = 0;
      }
    } while (!t_cas);
#line 23 "examples/sense_barrier.cp"
    if (m == 1) {
#line 24 "examples/sense_barrier.cp"
      store_missing(2);
      if (r_SC == 2) {
        goto end;
      }
#line 25 "examples/sense_barrier.cp"
      store_sense(mine);
      if (r_SC == 2) {
        goto end;
      }
    } else {
#line 27 "examples/sense_barrier.cp"
      while (1) {
        switch_point();
        if (r_SC == 2) {
          goto end;
        }
        if (last_sense > r_SC) {
          t_sense = view_sense;
        } else {
          t_sense = mem_sense[r_SC];
        }
        if (!(t_sense != mine)) break;
      }
    }
  }
#line 14 "examples/sense_barrier.cp"
end:;
}
