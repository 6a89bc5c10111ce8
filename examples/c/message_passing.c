// Message passing: data, then a flag that says that it is there.
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model for x86
//       multiprocessors, CACM 2010 (example 8-1 of Intel's manual).
// expect: sc=safe tso=safe pso=unsafe
// why: a store buffer is first in, first out, and a release store is a plain store on x86; under
//      PSO, where it would need a barrier, the flag may overtake the data
// Try:  scripts/weir check examples/c/message_passing.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static int data;
static atomic_bool is_ready;

static void *producer(void *unused) {
  (void)unused;
  data = 42;
  atomic_store_explicit(&is_ready, true, memory_order_release);
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  while (!atomic_load_explicit(&is_ready, memory_order_acquire)) {
  }
  assert(data == 42);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, producer, NULL);
  pthread_create(&threads[1], NULL, consumer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
