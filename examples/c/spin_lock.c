// A test-and-test-and-set spin lock whose unlock is a plain store, two threads, repeated entry.
// From: L. Rudolph, Z. Segall, Dynamic decentralized cache schemes for MIMD parallel processors,
//       ISCA 1984; the unlock is that of Linux 2.6 after L. Torvalds, linux-kernel, November 1999.
// expect: sc=safe tso=safe pso=unsafe
// why: the release is the youngest store in a buffer that is first in, first out; under PSO it may
//      overtake the store to owner
// Try:  scripts/weir check examples/c/spin_lock.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static atomic_bool is_taken;
static int owner; // what the lock protects

static void lock(void) {
  while (atomic_exchange_explicit(&is_taken, true, memory_order_acquire)) {
    while (atomic_load_explicit(&is_taken, memory_order_relaxed)) {
    }
  }
}

static void unlock(void) {
  atomic_store_explicit(&is_taken, false, memory_order_release);
}

static void *thread(void *arg) {
  const int me = (int)(intptr_t)arg;
  while (true) {
    lock();
    owner = me;
    assert(owner == me);
    unlock();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
