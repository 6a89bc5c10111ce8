// Waiting for an event, Linux's waitqueue_active() pattern without barriers: the waiter enters the
// queue and looks for the event, the waker stores the event and looks whether anybody waits.
// From: the comment of waitqueue_active() in Linux's include/linux/wait.h.
// expect: sc=safe tso=unsafe pso=unsafe
// why: both stores may still be in the store buffers: the waiter sees no event and sleeps, the
//      waker sees nobody in the queue
// Try:  scripts/weir check examples/c/wait_flag.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool is_queued; // there is somebody in the wait queue
static atomic_bool has_happened;
static bool sleeps, is_woken;

static void *waiter(void *unused) {
  (void)unused;
  atomic_store_explicit(&is_queued, true, memory_order_relaxed);
  if (!atomic_load_explicit(&has_happened, memory_order_relaxed))
    sleeps = true; // schedule()
  return NULL;
}

static void *waker(void *unused) {
  (void)unused;
  atomic_store_explicit(&has_happened, true, memory_order_relaxed);
  if (atomic_load_explicit(&is_queued, memory_order_relaxed)) // waitqueue_active()
    is_woken = true;                                          // wake_up()
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, waiter, NULL);
  pthread_create(&threads[1], NULL, waker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(!sleeps || is_woken); // else it sleeps for ever
  return 0;
}
