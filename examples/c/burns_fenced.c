// Burns's mutual exclusion with one bit per thread, two threads, repeated entry, on volatile
// variables, one fence per thread.
// From: J. E. Burns; N. Lynch, B. Patt-Shamir, Distributed algorithms, lecture notes, 1993.
// expect: sc=safe tso=safe pso=unsafe
// why: the fence makes the raised flag visible before the second look; under PSO the flag that is
//      lowered at the end may overtake the store to owner
// Try:  scripts/weir check examples/c/burns_fenced.c

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { N = 2 };

static volatile bool flag[N];
static volatile int owner; // what the lock protects

static bool lower_wants(int me) {
  for (int j = 0; j < me; j++)
    if (flag[j]) return true;
  return false;
}

static void lock(int me) {
  do {
    flag[me] = false;
    while (lower_wants(me)) {
    }
    flag[me] = true;
    __sync_synchronize();
  } while (lower_wants(me));
  for (int j = me + 1; j < N; j++)
    while (flag[j]) {
    }
}

static void unlock(int me) {
  flag[me] = false;
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
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
