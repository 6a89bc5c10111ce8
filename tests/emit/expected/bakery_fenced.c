/*
 * Written by weir V from examples/bakery_fenced.cp.
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
_Bool mem_choosing[2][2];
_Bool guess_choosing[1][2];
_Bool view_choosing[2];
unsigned char last_choosing[2];
unsigned char mem_number[2][2];
unsigned char guess_number[1][2];
unsigned char view_number[2];
unsigned char last_number[2];
unsigned char mem_at_P_cs[2];
unsigned char guess_at_P_cs[1];
unsigned char self;

static void P(unsigned char me);
static void switch_point(void);
static void wait_point(void);
static void store_choosing(unsigned char i0, _Bool g);
static void store_number(unsigned char i0, unsigned char g);
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

static void store_choosing(unsigned char i0, _Bool g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_choosing[r_TSO][i0] = g;
    view_choosing[i0] = g;
    last_choosing[i0] = r_TSO;
  }
}

static void store_number(unsigned char i0, unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_number[r_TSO][i0] = g;
    view_number[i0] = g;
    last_number[i0] = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_choosing[0] = 0;
  last_choosing[1] = 0;
  last_number[0] = 0;
  last_number[1] = 0;
}

int main(void) {
  mem_choosing[0][0] = 0;
  mem_choosing[0][1] = 0;
  mem_number[0][0] = 0;
  mem_number[0][1] = 0;
  guess_choosing[0][0] = any_uchar(0, 1);
  mem_choosing[1][0] = guess_choosing[0][0];
  guess_choosing[0][1] = any_uchar(0, 1);
  mem_choosing[1][1] = guess_choosing[0][1];
  guess_number[0][0] = any_uchar(0, 2);
  mem_number[1][0] = guess_number[0][0];
  guess_number[0][1] = any_uchar(0, 2);
  mem_number[1][1] = guess_number[0][1];
  guess_at_P_cs[0] = any_uchar(0, 2);
  mem_at_P_cs[1] = guess_at_P_cs[0];
  start_thread();
  self = 0;
  P(0);
  start_thread();
  self = 1;
  P(1);
  assume(mem_choosing[0][0] == guess_choosing[0][0]);
  assume(mem_choosing[0][1] == guess_choosing[0][1]);
  assume(mem_number[0][0] == guess_number[0][0]);
  assume(mem_number[0][1] == guess_number[0][1]);
  assume(mem_at_P_cs[0] == guess_at_P_cs[0]);
  check(!err, "no error is reached");
  return 0;
}

static void P(unsigned char me) {
  unsigned char highest = 0;
  unsigned char seen = 0;
  unsigned char j = 0;
  unsigned char ticket = 0;
  _Bool t_choosing = 0;
#line 17 "examples/bakery_fenced.cp"
  while (1) {
#line 18 "examples/bakery_fenced.cp"
    store_choosing(me, 1);
    if (r_SC == 2) {
      goto end;
    }
#line 19 "examples/bakery_fenced.cp"
    if (r_SC < r_TSO) {
      r_SC = r_TSO;
    }
#line 20 "examples/bakery_fenced.cp"
    highest = 0;
#line 21 "examples/bakery_fenced.cp"
    seen = 0;
#line 22 "examples/bakery_fenced.cp"
    j = 0;
#line 23 "examples/bakery_fenced.cp"
    do {
      wait_point();
      if (r_SC == 2) {
        goto end;
      }
#line 24 "examples/bakery_fenced.cp"
      highest = 0;
#line 25 "examples/bakery_fenced.cp"
      j = 0;
#line 26 "examples/bakery_fenced.cp"
      while (1) {
        wait_point();
        if (r_SC == 2) {
          goto end;
        }
        if (!(j < 2)) break;
#line 27 "examples/bakery_fenced.cp"
        if (j != me) {
#line 28 "examples/bakery_fenced.cp"
          if (!(j <= 1)) {
            err = 1;
            r_SC = 2;
            goto end;
          }
          switch_point();
          if (r_SC == 2) {
            goto end;
          }
          if (last_number[j] > r_SC) {
            seen = view_number[j];
          } else {
            seen = mem_number[r_SC][j];
          }
#line 29 "examples/bakery_fenced.cp"
          if (seen > highest) {
            highest = seen;
          }
        }
#line 31 "examples/bakery_fenced.cp"
        if (!(j + 1 <= 2)) {
          err = 1;
          r_SC = 2;
          goto end;
        }
        j = j + 1;
      }
    } while (highest == 2);
#line 34 "examples/bakery_fenced.cp"
    if (!(highest + 1 <= 2)) {
      err = 1;
      r_SC = 2;
      goto end;
    }
    ticket = highest + 1;
#line 35 "examples/bakery_fenced.cp"
    store_number(me, ticket);
    if (r_SC == 2) {
      goto end;
    }
#line 36 "examples/bakery_fenced.cp"
    if (r_SC < r_TSO) {
      r_SC = r_TSO;
    }
#line 37 "examples/bakery_fenced.cp"
    store_choosing(me, 0);
    if (r_SC == 2) {
      goto end;
    }
#line 38 "examples/bakery_fenced.cp"
    j = 0;
#line 39 "examples/bakery_fenced.cp"
    while (1) {
      wait_point();
      if (r_SC == 2) {
        goto end;
      }
      if (!(j < 2)) break;
#line 40 "examples/bakery_fenced.cp"
      if (j != me) {
#line 41 "examples/bakery_fenced.cp"
        while (1) {
          if (!(j <= 1)) {
            err = 1;
            r_SC = 2;
            goto end;
          }
          switch_point();
          if (r_SC == 2) {
            goto end;
          }
          if (last_choosing[j] > r_SC) {
            t_choosing = view_choosing[j];
          } else {
            t_choosing = mem_choosing[r_SC][j];
          }
          if (!(t_choosing)) break;
        }
#line 42 "examples/bakery_fenced.cp"
        do {
#line 43 "examples/bakery_fenced.cp"
          if (!(j <= 1)) {
            err = 1;
            r_SC = 2;
            goto end;
          }
          switch_point();
          if (r_SC == 2) {
            goto end;
          }
          if (last_number[j] > r_SC) {
            seen = view_number[j];
          } else {
            seen = mem_number[r_SC][j];
          }
        } while (seen != 0 && (seen < ticket || (seen == ticket && j < me)));
      }
#line 46 "examples/bakery_fenced.cp"
      if (!(j + 1 <= 2)) {
        err = 1;
        r_SC = 2;
        goto end;
      }
      j = j + 1;
    }
#line 48 "examples/bakery_fenced.cp"
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
#line 49 "examples/bakery_fenced.cp"
    store_number(me, 0);
    if (r_SC == 2) {
      goto end;
    }
  }
#line 16 "examples/bakery_fenced.cp"
end:;
}
