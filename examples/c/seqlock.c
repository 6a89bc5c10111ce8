// A sequence lock: one writer, one reader that tries again when it was disturbed.
// From: the seqlock of Linux 2.6; H.-J. Boehm, Can seqlocks get along with programming language
//       memory models?, MSPC 2012.
// expect: sc=safe tso=safe pso=unsafe
// why: x86 keeps stores in order among themselves, and loads too; under PSO the even number may
//      overtake the data
// Try:  scripts/weir check examples/c/seqlock.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { WRITES = 2 };

static atomic_uint sequence; // odd: somebody writes
static atomic_int low, high; // always the same outside

static void write_both(int value) {
  const unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&low, value, memory_order_relaxed);
  atomic_store_explicit(&high, value, memory_order_relaxed);
  atomic_store_explicit(&sequence, before + 2, memory_order_release);
}

static unsigned read_begin(void) {
  return atomic_load_explicit(&sequence, memory_order_acquire);
}

static bool must_retry(unsigned begin) {
  atomic_thread_fence(memory_order_acquire);
  return begin % 2 != 0 || atomic_load_explicit(&sequence, memory_order_relaxed) != begin;
}

static void *writer(void *unused) {
  (void)unused;
  for (int i = 1; i <= WRITES; i++) write_both(i);
  return NULL;
}

static void *reader(void *unused) {
  (void)unused;
  unsigned begin;
  int l, h;
  do {
    begin = read_begin();
    l = atomic_load_explicit(&low, memory_order_relaxed);
    h = atomic_load_explicit(&high, memory_order_relaxed);
  } while (must_retry(begin));
  assert(l == h);
  return NULL;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  return 0;
}
