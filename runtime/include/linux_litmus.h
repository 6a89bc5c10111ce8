/* The Linux kernel's words for concurrency, for programs that compile with gcc. Weir knows them by
   itself; for a compiler they are what the kernel has on x86-64. */
#pragma once
#ifndef __WEIR__
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
#define barrier() __asm__ volatile("" ::: "memory")
#define smp_mb() __asm__ volatile("mfence" ::: "memory")
#define smp_rmb() barrier()
#define smp_wmb() barrier()
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, value) __atomic_store_n(p, value, __ATOMIC_RELEASE)
#define smp_store_mb(x, value) ((void)__atomic_exchange_n(&(x), value, __ATOMIC_SEQ_CST))
#define xchg(p, value) __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST)
#define cmpxchg(p, old, fresh) __sync_val_compare_and_swap(p, old, fresh)
#endif
