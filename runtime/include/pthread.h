#pragma once
#include <stddef.h>
typedef unsigned long pthread_t;
typedef int pthread_attr_t;
typedef int pthread_mutex_t;
typedef int pthread_mutexattr_t;
typedef int pthread_spinlock_t;
#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_CREATE_JOINABLE 0
/* Not supported; a program that uses them is told so. */
struct weir_pthread_cond;
typedef struct weir_pthread_cond pthread_cond_t;
typedef struct weir_pthread_cond pthread_rwlock_t;
typedef struct weir_pthread_cond pthread_barrier_t;
