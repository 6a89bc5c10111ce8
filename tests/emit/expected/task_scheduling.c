/*
 * Written by weir V from examples/task_scheduling.cp.
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
unsigned char mem_task[2];
unsigned char guess_task[1];
unsigned char view_task;
unsigned char last_task;
unsigned char mem_done[2];
unsigned char guess_done[1];
unsigned char view_done;
unsigned char last_done;
unsigned char mem_at_Worker_work[2];
unsigned char guess_at_Worker_work[1];
unsigned char self;

static void Scheduler(void);
static void Worker(unsigned char me);
static void switch_point(void);
static void wait_point(void);
static void store_task(unsigned char g);
static void store_done(unsigned char g);
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

static void store_task(unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_task[r_TSO] = g;
    view_task = g;
    last_task = r_TSO;
  }
}

static void store_done(unsigned char g) {
  unsigned char n = 0;
  n = any_uchar(0, 2);
  assume(n >= r_SC && n >= r_TSO);
  if (n == 2) {
    r_SC = 2;
  } else {
    r_TSO = n;
    mem_done[r_TSO] = g;
    view_done = g;
    last_done = r_TSO;
  }
}

static void start_thread(void) {
  r_SC = 0;
  r_TSO = 0;
  last_task = 0;
  last_done = 0;
}

int main(void) {
  mem_task[0] = 0;
  mem_done[0] = 0;
  guess_task[0] = any_uchar(0, 2);
  mem_task[1] = guess_task[0];
  guess_done[0] = any_uchar(0, 2);
  mem_done[1] = guess_done[0];
  guess_at_Worker_work[0] = any_uchar(0, 2);
  mem_at_Worker_work[1] = guess_at_Worker_work[0];
  start_thread();
  self = 0;
  Scheduler();
  start_thread();
  self = 1;
  Worker(1);
  start_thread();
  self = 2;
  Worker(2);
  assume(mem_task[0] == guess_task[0]);
  assume(mem_done[0] == guess_done[0]);
  assume(mem_at_Worker_work[0] == guess_at_Worker_work[0]);
  check(!err, "no error is reached");
  return 0;
}

static void Scheduler(void) {
  unsigned char next = 1;
  unsigned char t_done = 0;
#line 13 "examples/task_scheduling.cp"
  while (1) {
#line 14 "examples/task_scheduling.cp"
    do {
#line 15 "examples/task_scheduling.cp"
      store_task(next);
      if (r_SC == 2) {
        goto end;
      }
#line 16 "examples/task_scheduling.cp"
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_done > r_SC) {
        t_done = view_done;
      } else {
        t_done = mem_done[r_SC];
      }
    } while (t_done != next);
#line 17 "examples/task_scheduling.cp"
    next = 3 - next;
  }
#line 11 "examples/task_scheduling.cp"
end:;
}

static void Worker(unsigned char me) {
  unsigned char t_task = 0;
#line 22 "examples/task_scheduling.cp"
  while (1) {
#line 23 "examples/task_scheduling.cp"
    while (1) {
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_task > r_SC) {
        t_task = view_task;
      } else {
        t_task = mem_task[r_SC];
      }
      if (!(t_task != me)) break;
    }
#line 24 "examples/task_scheduling.cp"
    assume(mem_at_Worker_work[r_SC] != 2);
    mem_at_Worker_work[r_SC] = mem_at_Worker_work[r_SC] + 1;
    if (mem_at_Worker_work[r_SC] >= 2) {
      err = 1;
      r_SC = 2;
      goto end;
    }
    wait_point();
    if (r_SC == 2) {
      goto end;
    }
    assume(mem_at_Worker_work[r_SC] != 0);
    mem_at_Worker_work[r_SC] = mem_at_Worker_work[r_SC] - 1;
#line 25 "examples/task_scheduling.cp"
    store_done(me);
    if (r_SC == 2) {
      goto end;
    }
#line 26 "examples/task_scheduling.cp"
    while (1) {
      switch_point();
      if (r_SC == 2) {
        goto end;
      }
      if (last_task > r_SC) {
        t_task = view_task;
      } else {
        t_task = mem_task[r_SC];
      }
      if (!(t_task == me)) break;
    }
  }
#line 21 "examples/task_scheduling.cp"
end:;
}
