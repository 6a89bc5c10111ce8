// Double-checked initialisation: the lock is only taken until the object is there.
// From: D. C. Schmidt, T. Harrison, Double-checked locking, PLoP 1996; S. Meyers, A. Alexandrescu,
//       C++ and the perils of double-checked locking, 2004.
// expect: sc=safe tso=safe pso=unsafe
// why: x86 keeps stores in order, so the object is complete before the pointer to it is there;
//      under PSO the pointer may overtake
// Try:  scripts/weir check examples/c/double_checked.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct config {
  int version, size;
};

static struct config *_Atomic config;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool is_made;

static struct config *get_config(void) {
  struct config *c = atomic_load_explicit(&config, memory_order_acquire);
  if (c == NULL) {
    pthread_mutex_lock(&mutex);
    c = atomic_load_explicit(&config, memory_order_relaxed);
    if (c == NULL) {
      c = malloc(sizeof(struct config));
      if (c == NULL) abort();
      c->version = 7;
      c->size = 64;
      assert(!is_made); // only once
      is_made = true;
      atomic_store_explicit(&config, c, memory_order_release);
    }
    pthread_mutex_unlock(&mutex);
  }
  return c;
}

static void *thread(void *unused) {
  (void)unused;
  const struct config *c = get_config();
  assert(c->version == 7 && c->size == 64);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
