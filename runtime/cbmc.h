/* Weir's words, for CBMC. */
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
void __CPROVER_fence(const char *, ...);
unsigned char nondet_uchar(void);
int nondet_int(void);
#define assume(condition) __CPROVER_assume(condition)
#define check(condition, text) __CPROVER_assert(condition, text)
#define atomic_begin() __CPROVER_atomic_begin()
#define atomic_end() __CPROVER_atomic_end()
#define full_fence() __CPROVER_fence("WWfence", "RRfence", "RWfence", "WRfence")
