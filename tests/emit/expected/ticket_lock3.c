/*
 * Written by weir V from examples/ticket_lock3.cp.
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
unsigned char mem_next[2];
unsigned char guess_next[1];
unsigned char view_next;
unsigned char last_next;
unsigned char mem_serving[2];
unsigned char guess_serving[1];
unsigned char view_serving;
unsigned char last_serving;
unsigned char mem_at_P_cs[2];
unsigned char guess_at_P_cs[1];
unsigned char self;

static void P(unsigned char me);
static void switch_point(void);
static void wait_point(void);
static void store_serving(unsigned char g);
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

static void store_serving(unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_serving[r_TSO] = g;
    view_serving = g;
    last_serving = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_next = 0;
  last_serving = 0;
}

int main(void) {
  mem_next[0] = 0;
  mem_serving[0] = 0;
  guess_next[0] = any_uchar(0, 3);
  mem_next[1] = guess_next[0];
  guess_serving[0] = any_uchar(0, 3);
  mem_serving[1] = guess_serving[0];
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
  assume(mem_next[0] == guess_next[0]);
  assume(mem_serving[0] == guess_serving[0]);
  assume(mem_at_P_cs[0] == guess_at_P_cs[0]);
  check(!err, "no error is reached");
  return 0;
}

static void P(unsigned char me) {
  (void)me;
  unsigned char ticket = 0;
  unsigned char t_serving = 0;
#line 15 "examples/ticket_lock3.cp"
  while (1) {
#line 16 "examples/ticket_lock3.cp"
    switch_point();
    if (r_SC == 2) {
      goto end;
    }
    assume(r_SC >= r_TSO);
#line 17 "examples/ticket_lock3.cp"
    if (last_next > r_SC) {
      ticket = view_next;
    } else {
      ticket = mem_next[r_SC];
    }
#line 18 "examples/ticket_lock3.cp"
    mem_next[r_SC] = (ticket + 1) % 4;
#line 19 "examples/ticket_lock3.cp"
    assume(r_SC >= r_TSO);
#line 20 "examples/ticket_lock3.cp"
    while (1) {
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_serving > r_SC) {
        t_serving = view_serving;
      } else {
        t_serving = mem_serving[r_SC];
      }
      if (!(t_serving != ticket)) break;
    }
#line 21 "examples/ticket_lock3.cp"
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
#line 22 "examples/ticket_lock3.cp"
    store_serving((ticket + 1) % 4);
    if (r_SC == 2) {
      goto end;
    }
  }
#line 13 "examples/ticket_lock3.cp"
end:;
}
