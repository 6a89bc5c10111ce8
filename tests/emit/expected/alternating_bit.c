/*
 * Written by weir V from examples/alternating_bit.cp.
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
unsigned char mem_message[2];
unsigned char guess_message[1];
unsigned char view_message;
unsigned char last_message;
unsigned char mem_ack[2];
unsigned char guess_ack[1];
unsigned char view_ack;
unsigned char last_ack;
unsigned char self;

static void Sender(void);
static void Receiver(void);
static void switch_point(void);
static void store_message(unsigned char g);
static void store_ack(unsigned char g);
static void start_thread(void);

static void switch_point(void) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC);
  r_SC = n;
}

static void store_message(unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_message[r_TSO] = g;
    view_message = g;
    last_message = r_TSO;
  }
}

static void store_ack(unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_ack[r_TSO] = g;
    view_ack = g;
    last_ack = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_message = 0;
  last_ack = 0;
}

int main(void) {
  mem_message[0] = 0;
  mem_ack[0] = 0;
  guess_message[0] = any_uchar(0, 5);
  mem_message[1] = guess_message[0];
  guess_ack[0] = any_uchar(0, 1);
  mem_ack[1] = guess_ack[0];
  start_thread();
  self = 0;
  Sender();
  start_thread();
  self = 1;
  Receiver();
  assume(mem_message[0] == guess_message[0]);
  assume(mem_ack[0] == guess_ack[0]);
  check(!err, "no error is reached");
  return 0;
}

static void Sender(void) {
  unsigned char item = 0;
  unsigned char bit = 1;
  unsigned char t_ack = 0;
#line 18 "examples/alternating_bit.cp"
  while (1) {
#line 19 "examples/alternating_bit.cp"
    do {
#line 20 "examples/alternating_bit.cp"
      store_message(2 * item + bit);
      if (r_SC == 2) {
        goto end;
      }
#line 21 "examples/alternating_bit.cp"
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_ack > r_SC) {
        t_ack = view_ack;
      } else {
        t_ack = mem_ack[r_SC];
      }
    } while (t_ack != bit);
#line 22 "examples/alternating_bit.cp"
    item = (item + 1) % 3;
#line 23 "examples/alternating_bit.cp"
    bit = 1 - bit;
  }
#line 15 "examples/alternating_bit.cp"
end:;
}

static void Receiver(void) {
  unsigned char next = 0;
  unsigned char bit = 1;
  unsigned char m = 0;
#line 31 "examples/alternating_bit.cp"
  while (1) {
#line 32 "examples/alternating_bit.cp"
    switch_point();
    if (r_SC == 2) {
      goto end;
    }
    if (last_message > r_SC) {
      m = view_message;
    } else {
      m = mem_message[r_SC];
    }
#line 33 "examples/alternating_bit.cp"
    if (m % 2 == bit) {
#line 34 "examples/alternating_bit.cp"
      if (!(m / 2 == next)) {
        err = 1;
        r_SC = 2;
        goto end;
      }
#line 35 "examples/alternating_bit.cp"
      next = (next + 1) % 3;
#line 36 "examples/alternating_bit.cp"
      bit = 1 - bit;
    }
#line 38 "examples/alternating_bit.cp"
    store_ack(m % 2);
    if (r_SC == 2) {
      goto end;
    }
  }
#line 27 "examples/alternating_bit.cp"
end:;
}
