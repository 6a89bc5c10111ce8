// Sleeping in the Linux kernel with set_current_state(): the task says that it goes to sleep and
// looks for the condition, wake_up_process() is called after the condition was stored.
// From: "Sleep and wake-up functions" in Linux's Documentation/memory-barriers.txt.
// expect: sc=safe tso=safe pso=safe
// why: the new state is visible before the condition is read, and the condition before the state
// Try:  scripts/weir check examples/c/task_state_fenced.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum task_state { TASK_RUNNING, TASK_UNINTERRUPTIBLE };

struct task {
  _Atomic(enum task_state) state;
};

static struct task sleeper;
static atomic_bool is_done;

static void set_current_state(enum task_state state) {
  atomic_store(&sleeper.state, state); // smp_store_mb(): an xchg
}

static void __set_current_state(enum task_state state) {
  atomic_store_explicit(&sleeper.state, state, memory_order_relaxed);
}

static bool sleeps; // schedule() took it off the processor

static void *sleep_until_done(void *unused) {
  (void)unused;
  set_current_state(TASK_UNINTERRUPTIBLE);
  if (!atomic_load_explicit(&is_done, memory_order_relaxed))
    sleeps = true; // schedule(): until the state is TASK_RUNNING
  else
    __set_current_state(TASK_RUNNING);
  return NULL;
}

static void wake_up_process(struct task *task) {
  atomic_thread_fence(memory_order_seq_cst); // the kernel's has one
  if (atomic_load_explicit(&task->state, memory_order_relaxed) != TASK_RUNNING)
    atomic_store_explicit(&task->state, TASK_RUNNING, memory_order_relaxed);
}

static void *finish(void *unused) {
  (void)unused;
  atomic_store_explicit(&is_done, true, memory_order_relaxed);
  wake_up_process(&sleeper);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, sleep_until_done, NULL);
  pthread_create(&threads[1], NULL, finish, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(!sleeps || sleeper.state == TASK_RUNNING); // else it sleeps for ever
  return 0;
}
