/*
 * Written by weir V from examples/dekker_classic.cp.
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
_Bool mem_flag[2][2];
_Bool guess_flag[1][2];
_Bool view_flag[2];
unsigned char last_flag[2];
unsigned char mem_turn[2];
unsigned char guess_turn[1];
unsigned char view_turn;
unsigned char last_turn;
unsigned char mem_at_P_cs[2];
unsigned char guess_at_P_cs[1];
unsigned char self;

static void P(unsigned char me);
static void switch_point(void);
static void wait_point(void);
static void store_flag(unsigned char i0, _Bool g);
static void store_turn(unsigned char g);
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

static void store_flag(unsigned char i0, _Bool g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_flag[r_TSO][i0] = g;
    view_flag[i0] = g;
    last_flag[i0] = r_TSO;
  }
}

static void store_turn(unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_turn[r_TSO] = g;
    view_turn = g;
    last_turn = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_flag[0] = 0;
  last_flag[1] = 0;
  last_turn = 0;
}

int main(void) {
  mem_flag[0][0] = 0;
  mem_flag[0][1] = 0;
  mem_turn[0] = 0;
  guess_flag[0][0] = any_uchar(0, 1);
  mem_flag[1][0] = guess_flag[0][0];
  guess_flag[0][1] = any_uchar(0, 1);
  mem_flag[1][1] = guess_flag[0][1];
  guess_turn[0] = any_uchar(0, 1);
  mem_turn[1] = guess_turn[0];
  guess_at_P_cs[0] = any_uchar(0, 2);
  mem_at_P_cs[1] = guess_at_P_cs[0];
  start_thread();
  self = 0;
  P(0);
  start_thread();
  self = 1;
  P(1);
  assume(mem_flag[0][0] == guess_flag[0][0]);
  assume(mem_flag[0][1] == guess_flag[0][1]);
  assume(mem_turn[0] == guess_turn[0]);
  assume(mem_at_P_cs[0] == guess_at_P_cs[0]);
  check(!err, "no error is reached");
  return 0;
}

static void P(unsigned char me) {
  _Bool t_flag = 0;
  unsigned char t_turn = 0;
#line 13 "examples/dekker_classic.cp"
  while (1) {
#line 14 "examples/dekker_classic.cp"
    store_flag(me, 1);
    if (r_SC == 2) {
      goto end;
    }
#line 15 "examples/dekker_classic.cp"
    while (1) {
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_flag[1 - me] > r_SC) {
        t_flag = view_flag[1 - me];
      } else {
        t_flag = mem_flag[r_SC][1 - me];
      }
      if (!(t_flag)) break;
#line 16 "examples/dekker_classic.cp"
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_turn > r_SC) {
        t_turn = view_turn;
      } else {
        t_turn = mem_turn[r_SC];
      }
      if (t_turn != me) {
#line 17 "examples/dekker_classic.cp"
        store_flag(me, 0);
        if (r_SC == 2) {
          goto end;
        }
#line 18 "examples/dekker_classic.cp"
        while (1) {
          switch_point();
          if (r_SC == 2) {
            goto end;
          }
          if (last_turn > r_SC) {
            t_turn = view_turn;
          } else {
            t_turn = mem_turn[r_SC];
          }
          if (!(t_turn != me)) break;
        }
#line 19 "examples/dekker_classic.cp"
        store_flag(me, 1);
        if (r_SC == 2) {
          goto end;
        }
      }
    }
#line 22 "examples/dekker_classic.cp"
    assume(mem_at_P_cs[r_SC] != 2);
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
#line 23 "examples/dekker_classic.cp"
    store_turn(1 - me);
    if (r_SC == 2) {
      goto end;
    }
#line 24 "examples/dekker_classic.cp"
    store_flag(me, 0);
    if (r_SC == 2) {
      goto end;
    }
  }
#line 12 "examples/dekker_classic.cp"
end:;
}
