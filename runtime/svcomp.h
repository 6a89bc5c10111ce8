/* Weir's words, for any tool of the SV-COMP. */
extern void abort(void);
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#define nondet_uchar() __VERIFIER_nondet_uchar()
#define nondet_int() __VERIFIER_nondet_int()
#define assume(condition) do { if (!(condition)) abort(); } while (0)
#define check(condition, text) do { if (!(condition)) { reach_error(); abort(); } } while (0)
#define atomic_begin() __VERIFIER_atomic_begin()
#define atomic_end() __VERIFIER_atomic_end()
#define full_fence() ((void)0)
