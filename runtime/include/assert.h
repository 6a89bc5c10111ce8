/* Weir knows the word `assert` by itself. */
#undef assert
#ifdef NDEBUG
#define assert(ignored) ((void)0)
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
