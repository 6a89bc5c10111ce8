// Double-checked initialisation that publishes the object before it is complete.
// From: S. Meyers, A. Alexandrescu, C++ and the perils of double-checked locking, 2004.
// expect: sc=unsafe tso=unsafe pso=unsafe
// why: the second thread may find the pointer before its target is filled in, on any machine
// Try:  scripts/weir check examples/c/double_checked_early.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct config {
  int version, size;
};

static struct config *_Atomic config;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct config *get_config(void) {
  if (atomic_load(&config) == NULL) {
    pthread_mutex_lock(&mutex);
    if (atomic_load(&config) == NULL) {
      atomic_store(&config, malloc(sizeof(struct config)));
      if (atomic_load(&config) == NULL) abort();
      struct config *c = atomic_load(&config);
      c->version = 7;
      c->size = 64;
    }
    pthread_mutex_unlock(&mutex);
  }
  return atomic_load(&config);
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
