// The MCS queue lock, two threads, repeated entry.
// From: J. Mellor-Crummey, M. L. Scott, Algorithms for scalable synchronization on shared-memory
//       multiprocessors, TOCS 1991.
// expect: sc=safe tso=safe pso=unsafe
// why: the swap of the tail drains the buffer, so a node is ready before another thread can find
//      it; under PSO the hand-over may overtake the store to owner
// Try:  scripts/weir check examples/c/mcs.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 2 };

struct node {
  struct node *_Atomic next;
  atomic_bool is_waiting;
};

static struct node *_Atomic tail;
static struct node nodes[THREADS];
static int owner; // what the lock protects

static void lock(struct node *me) {
  atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&me->is_waiting, true, memory_order_relaxed);
  struct node *before = atomic_exchange(&tail, me);
  if (before == NULL) return;
  atomic_store_explicit(&before->next, me, memory_order_release);
  while (atomic_load_explicit(&me->is_waiting, memory_order_acquire)) {
  }
}

static void unlock(struct node *me) {
  struct node *after = atomic_load_explicit(&me->next, memory_order_acquire);
  if (after == NULL) {
    struct node *expected = me;
    if (atomic_compare_exchange_strong(&tail, &expected, NULL)) return;
    do { // somebody is between the swap of the tail and the link
      after = atomic_load_explicit(&me->next, memory_order_acquire);
    } while (after == NULL);
  }
  atomic_store_explicit(&after->is_waiting, false, memory_order_release);
}

static void *thread(void *arg) {
  const int me = (int)(intptr_t)arg;
  while (true) {
    lock(&nodes[me]);
    owner = me;
    assert(owner == me);
    unlock(&nodes[me]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
