// Szymanski's mutual exclusion, two threads, repeated entry, with acquire and release.
// From: B. K. Szymanski, A simple solution to Lamport's concurrent programming problem with linear
//       wait, ICS 1988.
// expect: sc=safe tso=unsafe pso=unsafe
// why: a thread may look at the other's flag while its own OUTSIDE or IN_DOOR is still in its
//      store buffer
// Try:  scripts/weir check examples/c/szymanski.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AWAY, OUTSIDE, WAITS_INSIDE, IN_DOOR, INSIDE };

static atomic_int flag[2];
static int owner; // what the lock protects

static void set(int me, int state) {
  atomic_store_explicit(&flag[me], state, memory_order_release);
}

static int look(int who) {
  return atomic_load_explicit(&flag[who], memory_order_acquire);
}

static void lock(int me) {
  const int other = 1 - me;
  set(me, OUTSIDE);
  while (look(other) >= IN_DOOR) { // until the door is open
  }
  set(me, IN_DOOR);
  if (look(other) == OUTSIDE) {
    set(me, WAITS_INSIDE); // let the other in first
    while (look(other) != INSIDE) {
    }
  }
  set(me, INSIDE);
  if (me > other) { // lower numbers go first
    while (look(other) >= WAITS_INSIDE) {
    }
  }
}

static void unlock(int me) {
  const int other = 1 - me;
  if (me < other) { // until the higher one knows that the door is shut
    int state;
    do {
      state = look(other);
    } while (state == WAITS_INSIDE || state == IN_DOOR);
  }
  set(me, AWAY);
}

static void *thread(void *arg) {
  const int me = (int)(intptr_t)arg;
  while (true) {
    lock(me);
    owner = me;
    assert(owner == me);
    unlock(me);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
