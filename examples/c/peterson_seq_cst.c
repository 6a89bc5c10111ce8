// Peterson's mutual exclusion, two threads, repeated entry, with C11's default order.
// From: G. L. Peterson, Myths about the mutual exclusion problem, IPL 1981.
// expect: sc=safe tso=safe pso=safe
// why: a sequentially consistent store is an xchg on x86, which leaves nothing in the buffer
// Try:  scripts/weir check examples/c/peterson_seq_cst.c

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
  atomic_store(&flag[me], true);
  atomic_store(&turn, other);
  while (atomic_load(&flag[other]) && atomic_load(&turn) == other) {
  }
}

static void unlock(int me) {
  atomic_store(&flag[me], false);
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
