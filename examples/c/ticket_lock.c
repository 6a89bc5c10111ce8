// The ticket lock, two threads, two entries each, with C11's threads.
// From: N. Piggin, the ticket spinlocks of Linux 2.6.25.
// expect: sc=safe tso=safe pso=unsafe
// why: taking a ticket is a locked instruction, and only the holder stores to serving: a late
//      store only delays the next; under PSO serving may overtake the counter
// Try:  scripts/weir check examples/c/ticket_lock.c

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

enum { THREADS = 2, ENTRIES = 2 };

struct ticket_lock {
  atomic_uint next, serving;
};

static struct ticket_lock lock;
static int counter; // what the lock protects

static void ticket_lock(struct ticket_lock *l) {
  const unsigned ticket = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&l->serving, memory_order_acquire) != ticket) {
  }
}

static void ticket_unlock(struct ticket_lock *l) {
  const unsigned mine = atomic_load_explicit(&l->serving, memory_order_relaxed);
  atomic_store_explicit(&l->serving, mine + 1, memory_order_release);
}

static int thread(void *unused) {
  (void)unused;
  for (int i = 0; i < ENTRIES; i++) {
    ticket_lock(&lock);
    counter++;
    ticket_unlock(&lock);
  }
  return 0;
}

int main(void) {
  thrd_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) thrd_create(&threads[i], thread, NULL);
  for (int i = 0; i < THREADS; i++) thrd_join(threads[i], NULL);
  assert(counter == THREADS * ENTRIES);
  return 0;
}
