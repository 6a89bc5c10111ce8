// Lamport's fast mutual exclusion, two threads, repeated entry, two fences per thread, with GCC's
// __atomic built-ins.
// From: L. Lamport, A fast mutual exclusion algorithm, TOCS 1987.
// expect: sc=safe tso=safe pso=unsafe
// why: one fence after the store of x, one after that of y; under PSO b = false may overtake
//      y = NOBODY and the store to owner on the way out
// Try:  scripts/weir check examples/c/lamport_fast_fenced.c

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { N = 2, NOBODY = 0 }; // threads are 1..N

static bool b[N + 1];
static int x = NOBODY, y = NOBODY;
static int owner; // what the lock protects

static void lock(int me) {
start:
  __atomic_store_n(&b[me], true, __ATOMIC_RELEASE);
  __atomic_store_n(&x, me, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__atomic_load_n(&y, __ATOMIC_ACQUIRE) != NOBODY) {
    __atomic_store_n(&b[me], false, __ATOMIC_RELEASE);
    while (__atomic_load_n(&y, __ATOMIC_ACQUIRE) != NOBODY) {
    }
    goto start;
  }
  __atomic_store_n(&y, me, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__atomic_load_n(&x, __ATOMIC_ACQUIRE) != me) { // the slow path
    __atomic_store_n(&b[me], false, __ATOMIC_RELEASE);
    for (int j = 1; j <= N; j++)
      while (__atomic_load_n(&b[j], __ATOMIC_ACQUIRE)) {
      }
    if (__atomic_load_n(&y, __ATOMIC_ACQUIRE) != me) {
      while (__atomic_load_n(&y, __ATOMIC_ACQUIRE) != NOBODY) {
      }
      goto start;
    }
  }
}

static void unlock(int me) {
  __atomic_store_n(&y, NOBODY, __ATOMIC_RELEASE);
  __atomic_store_n(&b[me], false, __ATOMIC_RELEASE);
}

static void *thread(void *arg) {
  const int me = (int)(long)arg;
  for (;;) {
    lock(me);
    owner = me;
    assert(owner == me);
    unlock(me);
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, thread, (void *)1L);
  pthread_create(&second, NULL, thread, (void *)2L);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
