// Waiting for an event, Linux's waitqueue_active() pattern: the waiter enters the queue and looks
// for the event, the waker stores the event and looks whether anybody waits.
// From: the comment of waitqueue_active() in Linux's include/linux/wait.h.
// expect: sc=safe tso=safe pso=safe
// why: each store is visible before the load after it: one of the two sees the other
// Try:  scripts/weir check examples/c/wait_flag_fenced.c

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
  atomic_thread_fence(memory_order_seq_cst); // smp_mb() of set_current_state()
  if (!atomic_load_explicit(&has_happened, memory_order_relaxed))
    sleeps = true; // schedule()
  return NULL;
}

static void *waker(void *unused) {
  (void)unused;
  atomic_store_explicit(&has_happened, true, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst); // smp_mb()
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
