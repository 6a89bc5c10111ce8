// Dekker's mutual exclusion, two threads, repeated entry, on volatile variables.
// From: E. W. Dijkstra, Cooperating sequential processes, 1965.
// expect: sc=safe tso=unsafe pso=unsafe
// why: volatile keeps the compiler from reordering, not the processor: each thread may look at the
//      other's flag while its own is still in its store buffer
// Try:  scripts/weir check examples/c/dekker.c

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static volatile bool wants[2];
static volatile int turn;
static volatile int owner; // what the lock protects

static void lock(int me) {
  const int other = 1 - me;
  wants[me] = true;
  while (wants[other]) {
    if (turn == other) {
      wants[me] = false;
      while (turn == other) {
      }
      wants[me] = true;
    }
  }
}

static void unlock(int me) {
  turn = 1 - me;
  wants[me] = false;
}

static void *thread(void *arg) {
  const int me = *(const int *)arg;
  for (;;) {
    lock(me);
    owner = me;
    assert(owner == me);
    unlock(me);
  }
  return NULL;
}

static int ids[2] = {0, 1};

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, &ids[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
