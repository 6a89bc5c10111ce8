/* Weir's words, for ESBMC. */
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
unsigned char nondet_uchar(void);
int nondet_int(void);
#define assume(condition) __ESBMC_assume(condition)
#define check(condition, text) __ESBMC_assert(condition, text)
#define atomic_begin() __ESBMC_atomic_begin()
#define atomic_end() __ESBMC_atomic_end()
#define full_fence() ((void)0) /* ESBMC knows SC only */
