// A ring buffer for one producer and one consumer: three values through
// two places.
// From: L. Lamport, Specifying concurrent program modules, TOPLAS 1983; the kernel's
//       Documentation/core-api/circular-buffers.rst.
// expect: sc=safe tso=safe pso=unsafe
// why: x86 keeps each thread's stores in order: a value is there before the index says so; under
//      PSO the index may overtake it
// Try:  scripts/weir check examples/c/ring_buffer.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIZE = 3, VALUES = 3 }; // one place stays empty

struct ring {
  atomic_uint head; // of the consumer
  atomic_uint tail; // of the producer
  int values[SIZE];
};

static struct ring ring;

static bool put(struct ring *r, int value) {
  const unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
  const unsigned next = (tail + 1) % SIZE;
  if (next == atomic_load_explicit(&r->head, memory_order_acquire)) return false; // full
  r->values[tail] = value;
  atomic_store_explicit(&r->tail, next, memory_order_release);
  return true;
}

static bool get(struct ring *r, int *value) {
  const unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
  if (head == atomic_load_explicit(&r->tail, memory_order_acquire)) return false; // empty
  *value = r->values[head];
  atomic_store_explicit(&r->head, (head + 1) % SIZE, memory_order_release);
  return true;
}

static void *producer(void *unused) {
  (void)unused;
  for (int i = 1; i <= VALUES; i++)
    while (!put(&ring, i)) {
    }
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  for (int i = 1; i <= VALUES; i++) {
    int value;
    while (!get(&ring, &value)) {
    }
    assert(value == i);
  }
  return NULL;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  return 0;
}
