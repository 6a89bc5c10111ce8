// Treiber's stack, two threads, each pushes one node and pops one.
// From: R. K. Treiber, Systems programming: coping with parallelism, IBM RJ 5118, 1986.
// expect: sc=safe tso=safe pso=safe
// why: the compare-and-swap drains the buffer, so a node is complete in memory before it can be
//      found; no node is used again, so there is no ABA problem
// Try:  scripts/weir check examples/c/treiber_stack.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *_Atomic top;
static int popped[2];

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL) abort();
  node->value = value;
  node->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release,
                                                memory_order_relaxed)) {
  }
}

/// 0 if the stack is empty.
static int pop(void) {
  struct node *first = atomic_load_explicit(&top, memory_order_acquire);
  while (first != NULL &&
         !atomic_compare_exchange_weak_explicit(&top, &first, first->next, memory_order_acquire,
                                                memory_order_acquire)) {
  }
  return first == NULL ? 0 : first->value; // nodes are never freed: another thread may look at them
}

static void *thread(void *arg) {
  const int me = (int)(intptr_t)arg;
  push(me + 1);
  popped[me] = pop();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert((popped[0] == 1 && popped[1] == 2) || (popped[0] == 2 && popped[1] == 1));
  return 0;
}
