// The Chase-Lev work-stealing deque without its fence: the owner pushes two tasks and takes one, a
// thief tries to steal twice.
// From: D. Chase, Y. Lev, Dynamic circular work-stealing deque, SPAA 2005; N. M. Le et al., Correct
//       and efficient work-stealing for weak memory models, PPoPP 2013.
// expect: sc=safe tso=unsafe pso=unsafe
// why: the owner reads top while its new bottom is still in its store buffer, and a thief that does
//      not see it steals the task that the owner has taken
// Try:  scripts/weir check examples/c/chase_lev.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIZE = 2, NONE = 0 };

static atomic_int tasks[SIZE];
static atomic_int top, bottom;
static int taken, stolen[2];

static void push(int task) {
  const int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&tasks[b % SIZE], task, memory_order_relaxed);
  atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static int take(void) {
  const int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) { // it is empty
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return NONE;
  }
  int task = atomic_load_explicit(&tasks[b % SIZE], memory_order_relaxed);
  if (t == b) { // the last task: a thief may want it too
    if (!atomic_compare_exchange_strong(&top, &t, t + 1)) task = NONE;
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  }
  return task;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  const int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b) return NONE;
  const int task = atomic_load_explicit(&tasks[t % SIZE], memory_order_relaxed);
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? task : NONE;
}

static void *owner(void *unused) {
  (void)unused;
  push(1);
  push(2);
  taken = take();
  return NULL;
}

static void *thief(void *unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) stolen[i] = steal();
  return NULL;
}

int main(void) {
  pthread_t o, t;
  pthread_create(&o, NULL, owner, NULL);
  pthread_create(&t, NULL, thief, NULL);
  pthread_join(o, NULL);
  pthread_join(t, NULL);
  assert(taken == NONE || (taken != stolen[0] && taken != stolen[1]));
  assert(stolen[0] == NONE || stolen[0] != stolen[1]);
  const int done = (taken != NONE) + (stolen[0] != NONE) + (stolen[1] != NONE);
  assert(done + bottom - top == 2); // none is lost
  return 0;
}
