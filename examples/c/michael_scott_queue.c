// The Michael-Scott queue, two threads, each enqueues one value and dequeues one.
// From: M. M. Michael, M. L. Scott, Simple, fast, and practical non-blocking and blocking
//       concurrent queue algorithms, PODC 1996.
// expect: sc=safe tso=safe pso=safe
// why: each store to a shared link is a compare-and-swap, which drains the buffer, so a node is
//      complete in memory before it can be found; no node is used again
// Try:  scripts/weir check examples/c/michael_scott_queue.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *_Atomic next;
};

static struct node dummy;
static struct node *_Atomic head = &dummy;
static struct node *_Atomic tail = &dummy;
static int dequeued[2];

static void enqueue(int value) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL) abort();
  node->value = value;
  atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
  while (true) {
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&last->next);
    if (last != atomic_load(&tail)) continue;
    if (next != NULL) { // the tail lags behind: help
      atomic_compare_exchange_strong(&tail, &last, next);
    } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
      atomic_compare_exchange_strong(&tail, &last, node);
      return;
    }
  }
}

/// 0 if the queue is empty.
static int dequeue(void) {
  while (true) {
    struct node *first = atomic_load(&head);
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&first->next);
    if (first != atomic_load(&head)) continue;
    if (first == last) {
      if (next == NULL) return 0;
      atomic_compare_exchange_strong(&tail, &last, next);
    } else {
      const int value = next->value;
      if (atomic_compare_exchange_strong(&head, &first, next)) return value;
    }
  }
}

static void *thread(void *arg) {
  const int me = (int)(intptr_t)arg;
  enqueue(me + 1);
  dequeued[me] = dequeue();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert((dequeued[0] == 1 && dequeued[1] == 2) || (dequeued[0] == 2 && dequeued[1] == 1));
  return 0;
}
