// Peterson's mutual exclusion, two threads, repeated entry, one fence per thread.
// From: G. L. Peterson, Myths about the mutual exclusion problem, IPL 1981.
// expect: sc=safe tso=safe pso=unsafe
// why: the fence makes the own flag and turn visible before the other's flag is read; under PSO
//      turn may overtake the flag
// Try:  scripts/weir check examples/c/peterson_fenced.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static atomic_bool flag[2];
static atomic_int turn;
static int owner; // what the lock protects

static void lock(int me) {
  const int other = 1 - me;
  atomic_store_explicit(&flag[me], true, memory_order_release);
  atomic_store_explicit(&turn, other, memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
  while (atomic_load_explicit(&flag[other], memory_order_acquire) &&
         atomic_load_explicit(&turn, memory_order_acquire) == other) {
  }
}

static void unlock(int me) {
  atomic_store_explicit(&flag[me], false, memory_order_release);
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
