// The CLH queue lock, two threads, repeated entry; nodes are numbered.
// From: P. Magnusson, A. Landin, E. Hagersten, Queue locks on cache coherent multiprocessors, IPPS
//       1994.
// expect: sc=safe tso=safe pso=unsafe
// why: the swap drains the buffer, so a node is busy in memory before another thread can find it;
//      under PSO the release may overtake the store to owner
// Try:  scripts/weir check examples/c/clh.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 2 };

static atomic_bool is_busy[THREADS + 1]; // one for each thread and one to start with
static atomic_int tail = THREADS;
static int owner; // what the lock protects

static void *thread(void *arg) {
  const int me = (int)(intptr_t)arg;
  int mine = me;
  while (true) {
    atomic_store_explicit(&is_busy[mine], true, memory_order_relaxed);
    const int before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    while (atomic_load_explicit(&is_busy[before], memory_order_acquire)) {
    }
    owner = me;
    assert(owner == me);
    atomic_store_explicit(&is_busy[mine], false, memory_order_release);
    mine = before; // its owner has left the queue
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
