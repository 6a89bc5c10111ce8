/*
 * Written by weir V from examples/producer_consumer_v2_n3.cp.
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
unsigned char mem_cell[2][3];
unsigned char guess_cell[1][3];
unsigned char view_cell[3];
unsigned char last_cell[3];
unsigned char mem_consumed[2];
unsigned char guess_consumed[1];
unsigned char view_consumed;
unsigned char last_consumed;
unsigned char self;

static void Producer(void);
static void Consumer(void);
static void switch_point(void);
static void store_cell(unsigned char i0, unsigned char g);
static void store_consumed(unsigned char g);
static void start_thread(void);

static void switch_point(void) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC);
  r_SC = n;
}

static void store_cell(unsigned char i0, unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_cell[r_TSO][i0] = g;
    view_cell[i0] = g;
    last_cell[i0] = r_TSO;
  }
}

static void store_consumed(unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_consumed[r_TSO] = g;
    view_consumed = g;
    last_consumed = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_cell[0] = 0;
  last_cell[1] = 0;
  last_cell[2] = 0;
  last_consumed = 0;
}

int main(void) {
  mem_cell[0][0] = 0;
  mem_cell[0][1] = 0;
  mem_cell[0][2] = 0;
  mem_consumed[0] = 0;
  guess_cell[0][0] = any_uchar(0, 3);
  mem_cell[1][0] = guess_cell[0][0];
  guess_cell[0][1] = any_uchar(0, 3);
  mem_cell[1][1] = guess_cell[0][1];
  guess_cell[0][2] = any_uchar(0, 3);
  mem_cell[1][2] = guess_cell[0][2];
  guess_consumed[0] = any_uchar(0, 5);
  mem_consumed[1] = guess_consumed[0];
  start_thread();
  self = 0;
  Producer();
  start_thread();
  self = 1;
  Consumer();
  assume(mem_cell[0][0] == guess_cell[0][0]);
  assume(mem_cell[0][1] == guess_cell[0][1]);
  assume(mem_cell[0][2] == guess_cell[0][2]);
  assume(mem_consumed[0] == guess_consumed[0]);
  check(!err, "no error is reached");
  return 0;
}

static void Producer(void) {
  unsigned char produced = 0;
  unsigned char lap = 0;
  unsigned char t_consumed = 0;
#line 17 "examples/producer_consumer_v2_n3.cp"
  while (1) {
#line 18 "examples/producer_consumer_v2_n3.cp"
    while (1) {
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_consumed > r_SC) {
        t_consumed = view_consumed;
      } else {
        t_consumed = mem_consumed[r_SC];
      }
      if (!((produced + 6 - t_consumed) % 6 == 3)) break;
    }
#line 19 "examples/producer_consumer_v2_n3.cp"
    store_cell(produced % 3, lap + 1);
    if (r_SC == 2) {
      goto end;
    }
#line 20 "examples/producer_consumer_v2_n3.cp"
    produced = (produced + 1) % 6;
#line 21 "examples/producer_consumer_v2_n3.cp"
    if (produced % 3 == 0) {
      lap = (lap + 1) % 3;
    }
  }
#line 14 "examples/producer_consumer_v2_n3.cp"
end:;
}

static void Consumer(void) {
  unsigned char taken = 0;
  unsigned char lap = 0;
  unsigned char c = 0;
#line 29 "examples/producer_consumer_v2_n3.cp"
  while (1) {
#line 30 "examples/producer_consumer_v2_n3.cp"
    switch_point();
    if (r_SC == 2) {
      goto end;
    }
    if (last_cell[taken % 3] > r_SC) {
      c = view_cell[taken % 3];
    } else {
      c = mem_cell[r_SC][taken % 3];
    }
#line 31 "examples/producer_consumer_v2_n3.cp"
    if (!(c != (lap + 1) % 3 + 1)) {
      err = 1;
      r_SC = 2;
      goto end;
    }
#line 32 "examples/producer_consumer_v2_n3.cp"
    if (c == lap + 1) {
#line 33 "examples/producer_consumer_v2_n3.cp"
      taken = (taken + 1) % 6;
#line 34 "examples/producer_consumer_v2_n3.cp"
      if (taken % 3 == 0) {
        lap = (lap + 1) % 3;
      }
    }
#line 36 "examples/producer_consumer_v2_n3.cp"
    store_consumed(taken);
    if (r_SC == 2) {
      goto end;
    }
  }
#line 25 "examples/producer_consumer_v2_n3.cp"
end:;
}
