// Store buffering: each thread stores to one variable and loads the other.
// From: P. Sewell et al., x86-TSO: a rigorous and usable programmer's model for x86
//       multiprocessors, CACM 2010.
// expect: sc=safe tso=unsafe pso=unsafe
// why: both stores may still be in the store buffers when both loads read memory
// Try:  scripts/weir check examples/c/sb.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r0, r1;

static void *thread0(void *unused) {
  (void)unused;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return NULL;
}

static void *thread1(void *unused) {
  (void)unused;
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  r1 = atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread0, NULL);
  pthread_create(&t1, NULL, thread1, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(r0 == 1 || r1 == 1);
  return 0;
}
