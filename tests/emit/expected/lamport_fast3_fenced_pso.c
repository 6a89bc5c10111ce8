/*
 * Written by weir V from examples/lamport_fast3_fenced_pso.cp.
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
_Bool mem_b[2][3];
_Bool guess_b[1][3];
_Bool view_b[3];
unsigned char last_b[3];
unsigned char mem_x[2];
unsigned char guess_x[1];
unsigned char view_x;
unsigned char last_x;
unsigned char mem_y[2];
unsigned char guess_y[1];
unsigned char view_y;
unsigned char last_y;
unsigned char mem_at_P_cs[2];
unsigned char guess_at_P_cs[1];
unsigned char self;

static void P(unsigned char me);
static void switch_point(void);
static void wait_point(void);
static void store_b(unsigned char i0, _Bool g);
static void store_x(unsigned char g);
static void store_y(unsigned char g);
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

static void store_b(unsigned char i0, _Bool g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_b[r_TSO][i0] = g;
    view_b[i0] = g;
    last_b[i0] = r_TSO;
  }
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
  last_b[0] = 0;
  last_b[1] = 0;
  last_b[2] = 0;
  last_x = 0;
  last_y = 0;
}

int main(void) {
  mem_b[0][0] = 0;
  mem_b[0][1] = 0;
  mem_b[0][2] = 0;
  mem_x[0] = 3;
  mem_y[0] = 3;
  guess_b[0][0] = any_uchar(0, 1);
  mem_b[1][0] = guess_b[0][0];
  guess_b[0][1] = any_uchar(0, 1);
  mem_b[1][1] = guess_b[0][1];
  guess_b[0][2] = any_uchar(0, 1);
  mem_b[1][2] = guess_b[0][2];
  guess_x[0] = any_uchar(0, 3);
  mem_x[1] = guess_x[0];
  guess_y[0] = any_uchar(0, 3);
  mem_y[1] = guess_y[0];
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
  assume(mem_b[0][0] == guess_b[0][0]);
  assume(mem_b[0][1] == guess_b[0][1]);
  assume(mem_b[0][2] == guess_b[0][2]);
  assume(mem_x[0] == guess_x[0]);
  assume(mem_y[0] == guess_y[0]);
  assume(mem_at_P_cs[0] == guess_at_P_cs[0]);
  check(!err, "no error is reached");
  return 0;
}

static void P(unsigned char me) {
  unsigned char t_y = 0;
  unsigned char t_x = 0;
  unsigned char j = 0;
  _Bool t_b = 0;
#line 16 "examples/lamport_fast3_fenced_pso.cp"
  while (1) {
start:;
#line 17 "examples/lamport_fast3_fenced_pso.cp"
    store_b(me, 1);
    if (r_SC == 2) {
      goto end;
    }
#line 18 "examples/lamport_fast3_fenced_pso.cp"
    store_x(me);
    if (r_SC == 2) {
      goto end;
    }
#line 19 "examples/lamport_fast3_fenced_pso.cp"
    if (r_SC < r_TSO) {
      r_SC = r_TSO;
    }
#line 20 "examples/lamport_fast3_fenced_pso.cp"
    switch_point();
    if (r_SC == 2) {
      goto end;
    }
    if (last_y > r_SC) {
      t_y = view_y;
    } else {
      t_y = mem_y[r_SC];
    }
    if (t_y != 3) {
#line 21 "examples/lamport_fast3_fenced_pso.cp"
      store_b(me, 0);
      if (r_SC == 2) {
        goto end;
      }
#line 22 "examples/lamport_fast3_fenced_pso.cp"
      while (1) {
        switch_point();
        if (r_SC == 2) {
          goto end;
        }
        if (last_y > r_SC) {
          t_y = view_y;
        } else {
          t_y = mem_y[r_SC];
        }
        if (!(t_y != 3)) break;
      }
#line 23 "examples/lamport_fast3_fenced_pso.cp"
      goto start_again;
    }
#line 25 "examples/lamport_fast3_fenced_pso.cp"
    store_y(me);
    if (r_SC == 2) {
      goto end;
    }
#line 26 "examples/lamport_fast3_fenced_pso.cp"
    if (r_SC < r_TSO) {
      r_SC = r_TSO;
    }
#line 27 "examples/lamport_fast3_fenced_pso.cp"
    switch_point();
    if (r_SC == 2) {
      goto end;
    }
    if (last_x > r_SC) {
      t_x = view_x;
    } else {
      t_x = mem_x[r_SC];
    }
    if (t_x != me) {
#line 28 "examples/lamport_fast3_fenced_pso.cp"
      store_b(me, 0);
      if (r_SC == 2) {
        goto end;
      }
#line 29 "examples/lamport_fast3_fenced_pso.cp"
      j = 0;
#line 30 "examples/lamport_fast3_fenced_pso.cp"
      while (j < 3) {
#line 31 "examples/lamport_fast3_fenced_pso.cp"
        while (1) {
          if (!(j <= 2)) {
            err = 1;
            r_SC = 2;
            goto end;
          }
          switch_point();
          if (r_SC == 2) {
            goto end;
          }
          if (last_b[j] > r_SC) {
            t_b = view_b[j];
          } else {
            t_b = mem_b[r_SC][j];
          }
          if (!(t_b)) break;
        }
#line 32 "examples/lamport_fast3_fenced_pso.cp"
        if (!(j + 1 <= 3)) {
          err = 1;
          r_SC = 2;
          goto end;
        }
        j = j + 1;
      }
#line 34 "examples/lamport_fast3_fenced_pso.cp"
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_y > r_SC) {
        t_y = view_y;
      } else {
        t_y = mem_y[r_SC];
      }
      if (t_y != me) {
#line 35 "examples/lamport_fast3_fenced_pso.cp"
        while (1) {
          switch_point();
          if (r_SC == 2) {
            goto end;
          }
          if (last_y > r_SC) {
            t_y = view_y;
          } else {
            t_y = mem_y[r_SC];
          }
          if (!(t_y != 3)) break;
        }
#line 36 "examples/lamport_fast3_fenced_pso.cp"
        goto start_again;
      }
    }
#line 39 "examples/lamport_fast3_fenced_pso.cp"
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
#line 40 "examples/lamport_fast3_fenced_pso.cp"
    store_y(3);
    if (r_SC == 2) {
      goto end;
    }
#line 41 "examples/lamport_fast3_fenced_pso.cp"
    if (r_SC < r_TSO) {
      r_SC = r_TSO;
    }
#line 42 "examples/lamport_fast3_fenced_pso.cp"
    store_b(me, 0);
    if (r_SC == 2) {
      goto end;
    }
  }
#line 15 "examples/lamport_fast3_fenced_pso.cp"
end:;
  return;
start_again:;
  goto start;
}
