// The lost wake-up of HotSpot's Parker: park() takes a permit that is there without a lock and
// without a fence.
// From: D. Dice, A race in LockSupport park() arising from weak memory models, 2009 (JDK bug
//       6822370).
// expect: sc=safe tso=unsafe pso=unsafe
// why: counter = 0 is still in the store buffer when park() returns and its caller finds no event;
//      unpark() sees the old permit, leaves it at 1 and wakes nobody; then the 0 reaches memory
// Try:  scripts/weir check examples/c/park.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int counter = 1; // the permit: of an unpark() that came earlier
static bool is_waiting;        // on the condition variable
static atomic_bool has_happened;

static void park(void) {
  if (atomic_load_explicit(&counter, memory_order_relaxed) > 0) {
    atomic_store_explicit(&counter, 0, memory_order_relaxed);
    return;
  }
  pthread_mutex_lock(&mutex);
  if (atomic_load_explicit(&counter, memory_order_relaxed) == 0)
    is_waiting = true; // pthread_cond_wait()
  else
    atomic_store_explicit(&counter, 0, memory_order_relaxed);
  pthread_mutex_unlock(&mutex);
}

static void unpark(void) {
  pthread_mutex_lock(&mutex);
  const int before = atomic_load_explicit(&counter, memory_order_relaxed);
  atomic_store_explicit(&counter, 1, memory_order_relaxed);
  if (before < 1) is_waiting = false; // pthread_cond_signal()
  pthread_mutex_unlock(&mutex);
}

static void *consumer(void *unused) {
  (void)unused;
  for (int i = 0; i < 2; i++)
    if (!atomic_load_explicit(&has_happened, memory_order_acquire)) park();
  return NULL;
}

static void *producer(void *unused) {
  (void)unused;
  atomic_store_explicit(&has_happened, true, memory_order_release);
  unpark();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, consumer, NULL);
  pthread_create(&threads[1], NULL, producer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(!is_waiting); // else it waits for ever
  return 0;
}
