/*
 * Written by weir V from examples/tournament_barrier.cp.
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
_Bool mem_arrived[2];
_Bool guess_arrived[1];
_Bool view_arrived;
unsigned char last_arrived;
_Bool mem_go[2];
_Bool guess_go[1];
_Bool view_go;
unsigned char last_go;
unsigned char mem_at_Winner_even[2];
unsigned char guess_at_Winner_even[1];
unsigned char mem_at_Loser_odd[2];
unsigned char guess_at_Loser_odd[1];
unsigned char mem_at_Winner_odd[2];
unsigned char guess_at_Winner_odd[1];
unsigned char mem_at_Loser_even[2];
unsigned char guess_at_Loser_even[1];
unsigned char self;

static void Winner(void);
static void Loser(void);
static void switch_point(void);
static void wait_point(void);
static void store_arrived(_Bool g);
static void store_go(_Bool g);
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

static void store_arrived(_Bool g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_arrived[r_TSO] = g;
    view_arrived = g;
    last_arrived = r_TSO;
  }
}

static void store_go(_Bool g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_go[r_TSO] = g;
    view_go = g;
    last_go = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_arrived = 0;
  last_go = 0;
}

int main(void) {
  mem_arrived[0] = 0;
  mem_go[0] = 0;
  guess_arrived[0] = any_uchar(0, 1);
  mem_arrived[1] = guess_arrived[0];
  guess_go[0] = any_uchar(0, 1);
  mem_go[1] = guess_go[0];
  guess_at_Winner_even[0] = any_uchar(0, 1);
  mem_at_Winner_even[1] = guess_at_Winner_even[0];
  guess_at_Loser_odd[0] = any_uchar(0, 1);
  mem_at_Loser_odd[1] = guess_at_Loser_odd[0];
  guess_at_Winner_odd[0] = any_uchar(0, 1);
  mem_at_Winner_odd[1] = guess_at_Winner_odd[0];
  guess_at_Loser_even[0] = any_uchar(0, 1);
  mem_at_Loser_even[1] = guess_at_Loser_even[0];
  start_thread();
  self = 0;
  Winner();
  start_thread();
  self = 1;
  Loser();
  assume(mem_arrived[0] == guess_arrived[0]);
  assume(mem_go[0] == guess_go[0]);
  assume(mem_at_Winner_even[0] == guess_at_Winner_even[0]);
  assume(mem_at_Loser_odd[0] == guess_at_Loser_odd[0]);
  assume(mem_at_Winner_odd[0] == guess_at_Winner_odd[0]);
  assume(mem_at_Loser_even[0] == guess_at_Loser_even[0]);
  check(!err, "no error is reached");
  return 0;
}

static void Winner(void) {
  _Bool t_arrived = 0;
#line 14 "examples/tournament_barrier.cp"
  while (1) {
#line 15 "examples/tournament_barrier.cp"
    mem_at_Winner_even[r_SC] = 1;
    if (mem_at_Winner_even[r_SC] >= 1 && mem_at_Loser_odd[r_SC] >= 1) {
      err = 1;
      r_SC = 2;
      goto end;
    }
    wait_point();
    if (r_SC == 2) {
      goto end;
    }
    mem_at_Winner_even[r_SC] = 0;
#line 16 "examples/tournament_barrier.cp"
    while (1) {
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_arrived > r_SC) {
        t_arrived = view_arrived;
      } else {
        t_arrived = mem_arrived[r_SC];
      }
      if (!(!t_arrived)) break;
    }
#line 17 "examples/tournament_barrier.cp"
    store_go(1);
    if (r_SC == 2) {
      goto end;
    }
#line 18 "examples/tournament_barrier.cp"
    mem_at_Winner_odd[r_SC] = 1;
    if (mem_at_Winner_odd[r_SC] >= 1 && mem_at_Loser_even[r_SC] >= 1) {
      err = 1;
      r_SC = 2;
      goto end;
    }
    wait_point();
    if (r_SC == 2) {
      goto end;
    }
    mem_at_Winner_odd[r_SC] = 0;
#line 19 "examples/tournament_barrier.cp"
    while (1) {
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_arrived > r_SC) {
        t_arrived = view_arrived;
      } else {
        t_arrived = mem_arrived[r_SC];
      }
      if (!(t_arrived)) break;
    }
#line 20 "examples/tournament_barrier.cp"
    store_go(0);
    if (r_SC == 2) {
      goto end;
    }
  }
#line 13 "examples/tournament_barrier.cp"
end:;
}

static void Loser(void) {
  _Bool t_go = 0;
#line 25 "examples/tournament_barrier.cp"
  while (1) {
#line 26 "examples/tournament_barrier.cp"
    mem_at_Loser_even[r_SC] = 1;
    if (mem_at_Winner_odd[r_SC] >= 1 && mem_at_Loser_even[r_SC] >= 1) {
      err = 1;
      r_SC = 2;
      goto end;
    }
    wait_point();
    if (r_SC == 2) {
      goto end;
    }
    mem_at_Loser_even[r_SC] = 0;
#line 27 "examples/tournament_barrier.cp"
    store_arrived(1);
    if (r_SC == 2) {
      goto end;
    }
#line 28 "examples/tournament_barrier.cp"
    while (1) {
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_go > r_SC) {
        t_go = view_go;
      } else {
        t_go = mem_go[r_SC];
      }
      if (!(!t_go)) break;
    }
#line 29 "examples/tournament_barrier.cp"
    mem_at_Loser_odd[r_SC] = 1;
    if (mem_at_Winner_even[r_SC] >= 1 && mem_at_Loser_odd[r_SC] >= 1) {
      err = 1;
      r_SC = 2;
      goto end;
    }
    wait_point();
    if (r_SC == 2) {
      goto end;
    }
    mem_at_Loser_odd[r_SC] = 0;
#line 30 "examples/tournament_barrier.cp"
    store_arrived(0);
    if (r_SC == 2) {
      goto end;
    }
#line 31 "examples/tournament_barrier.cp"
    while (1) {
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_go > r_SC) {
        t_go = view_go;
      } else {
        t_go = mem_go[r_SC];
      }
      if (!(t_go)) break;
    }
  }
#line 24 "examples/tournament_barrier.cp"
end:;
}
