// Lamport's bakery, two threads, each enters once, with acquire and release.
// From: L. Lamport, A new solution of Dijkstra's concurrent programming problem, CACM 1974.
// expect: sc=safe tso=unsafe pso=unsafe
// why: a thread may look at the other's ticket while its own choosing or number is still in its
//      store buffer
// Try:  scripts/weir check examples/c/bakery.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { N = 2 };

static atomic_bool choosing[N];
static atomic_int number[N]; // 0: no ticket
static int counter;          // what the lock protects

static void lock(int me) {
  atomic_store_explicit(&choosing[me], true, memory_order_release);
  int highest = 0;
  for (int j = 0; j < N; j++) {
    const int seen = atomic_load_explicit(&number[j], memory_order_acquire);
    if (seen > highest) highest = seen;
  }
  const int ticket = highest + 1;
  atomic_store_explicit(&number[me], ticket, memory_order_release);
  atomic_store_explicit(&choosing[me], false, memory_order_release);
  for (int j = 0; j < N; j++) {
    if (j == me) continue;
    while (atomic_load_explicit(&choosing[j], memory_order_acquire)) {
    }
    int seen;
    do {
      seen = atomic_load_explicit(&number[j], memory_order_acquire);
    } while (seen != 0 && (seen < ticket || (seen == ticket && j < me)));
  }
}

static void unlock(int me) {
  atomic_store_explicit(&number[me], 0, memory_order_release);
}

static void *thread(void *arg) {
  const int me = (int)(intptr_t)arg;
  lock(me);
  counter++;
  unlock(me);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  assert(counter == N);
  return 0;
}
