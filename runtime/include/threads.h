#pragma once
#include <stddef.h>
typedef unsigned long thrd_t;
typedef int mtx_t;
typedef int (*thrd_start_t)(void *);
#define thread_local _Thread_local
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
