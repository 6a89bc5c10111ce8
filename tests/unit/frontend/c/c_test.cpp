#include "frontend/load.h"
#include "ir/print.h"
#include "report/diagnostics.h"
#include "support/fences.h"
#include "support/parse.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace weir::test {
namespace {

Result<ir::Program> read(const std::string& text) {
  return frontend::parse(std::make_shared<const Source>("test.c", text));
}

std::string verdict_of(const std::string& text, Model model = Model::TSO) {
  const auto program = read(text);
  if (!program) return report::diagnostics_text(Source("test.c", text), program.error(), {});
  return verdict(*program, rules(model));
}

/// A main that asserts; without threads.
std::string sequential(const std::string& globals, const std::string& body) {
  return verdict_of(globals + "\nint main(void) {\n" + body + "\nreturn 0;\n}\n");
}
void holds(const std::string& globals, const std::string& body, const std::string& condition) {
  CAPTURE(body);
  CAPTURE(condition);
  CHECK(sequential(globals, body + " assert(" + condition + ");") == "safe");
  CHECK(sequential(globals, body + " assert(!(" + condition + "));") == "unsafe assert");
}
void says(const std::string& text, const std::string& what) {
  const std::string said = verdict_of(text);
  CAPTURE(said);
  CHECK(said.find(what) != std::string::npos);
}

/// Store buffering with these two bodies.
std::string buffering(const std::string& globals, const std::string& first,
                      const std::string& second, Model model = Model::TSO) {
  return verdict_of(
      globals + "int r0 = 9, r1 = 9;\nvoid *t0(void *a) { " + first +
          " return 0; }\nvoid *t1(void *a) { " + second +
          " return 0; }\nint main() { unsigned long a, b; pthread_create(&a, 0, t0, 0); "
          "pthread_create(&b, 0, t1, 0); pthread_join(a, 0); pthread_join(b, 0); assert(r0 || r1); "
          "}",
      model);
}

} // namespace

TEST_CASE("C: integer types, conversions and wrap-around") {
  holds("unsigned char c = 255; signed char s; unsigned u = 0; short h;",
        "c++; s = 200; u--; h = 70000;", "c == 0 && s == -56 && u == 4294967295u && h == 4464");
  holds("_Bool b; int i;", "b = 5; i = b + 1;", "b == 1 && i == 2");
  holds("int i = -7;", "", "i / 2 == -3 && i % 2 == -1 && (i >> 1) == -4 && (unsigned)i > 5");
  holds("unsigned long l;", "l = 0; l = l - 1;", "l > 5");
  holds("char c = 'a'; int x = 0x10 + 010;", "",
        "c == 97 && x == 24 && sizeof(int) == 4 && sizeof c == 1");
  holds("int x;", "x = 5; x += 3; x <<= 2; x ^= 1; x = ~x & 0xff;", "x == 222");
}

TEST_CASE("C: side effects happen where the text says") {
  holds("int x, y;", "x = 1; y = x++ + 10; y += ++x;", "x == 3 && y == 14");
  holds("int x, y, z;", "x = y = z = 4; x = (y++, y * 2);", "x == 10 && y == 5");
  holds("int x; int f(void) { x++; return x; }", "int y = f() && f(); int z = f() || f();",
        "x == 3 && y && z");
  holds("int a[3]; int i;", "i = 0; a[i++] = 5; a[i] = a[0]++ ? 7 : 8;",
        "a[0] == 6 && a[1] == 7 && i == 1");
}

TEST_CASE("C: statements") {
  holds("int n;",
        "for (int i = 0; i < 10; i++) { if (i == 2) continue; if (i == 5) break; n += i; }",
        "n == 8");
  holds("int n;", "int i = 3; do n += i; while (--i); while (n > 4) n--;", "n == 4");
  holds("int f(int x) { switch (x) { case 1: x = 10; case 2: x++; break; case 3 ... 5: return 7; "
        "default: x = 0; } "
        "return x; }",
        "", "f(1) == 11 && f(2) == 3 && f(4) == 7 && f(9) == 0");
  holds("int n;", "again: n++; if (n < 4) goto again;", "n == 4");
}

TEST_CASE("C: arrays, structs, pointers") {
  holds("struct p { int x, y[2]; } a = {1, {2, 3}}, b;",
        "b = a; b.y[1] = 9; struct p *q = &b; q->x = q->y[1] + 1;", "a.y[1] == 3 && b.x == 10");
  holds("int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int *p;", "p = m[1]; p++;",
        "*p == 5 && p[-1] == 4 && p - m[1] == 1");
  holds("void set(int *p, int v) { *p = v; }",
        "int x = 0, y[2] = {0, 0}; set(&x, 3); set(&y[1], 4);", "x == 3 && y[1] == 4");
  holds("struct n { int v; struct n *next; } a, b; struct n *head;",
        "a.v = 1; b.v = 2; a.next = &b; head = &a;", "head->next->v == 2 && head->next->next == 0");
  holds("#include <stdlib.h>\nstruct n { int v; struct n *next; };",
        "struct n *a = malloc(sizeof(struct n)); struct n *b = malloc(sizeof *b); a->v = 1; b->v = "
        "2; a->next = b;",
        "a != b && a->next->v == 2");
  says("int *p; int main() { return *p; }", "unsafe index");
  says("int a[2]; int i; int main() { i = 2; return a[i]; }", "unsafe index");
}

TEST_CASE("C: functions") {
  holds("int f(int n) { return n < 2 ? 1 : n * f(n - 1); }", "", "f(5) == 120");
  holds("static int count(void) { static int n = 5; return ++n; }", "count();", "count() == 7");
  holds("enum e { A, B = 5, C }; typedef struct { int v; } t; int get(t *p) { return p->v; }",
        "t x; x.v = C;", "get(&x) == 6");
}

TEST_CASE("C: the preprocessor, with places of the user's file") {
  says("#define F(x) x +\nint y;\nint main() { y = F(1) ; return 0; }",
       "3:23: error: unexpected ';'");
  says("#include \"nowhere.h\"\nint main() { return 0; }", "nowhere.h: No such file");
  const auto program = read("#define STORE(x) x = 1\nint a;\nint main() { STORE(a); return 0; }\n");
  REQUIRE(program);
  CHECK(
      with_fences(*program, gaps(*program, {})) ==
      "#define STORE(x) x = 1\nint a;\nint main() { STORE(a); __sync_synchronize(); return 0; }\n");
}

TEST_CASE("C: fences go beside the uses of macros") {
  const std::string head =
      "#include <stddef.h>\n#define STORE(v, n) do { (v) = (n); } while (0)\nint x, y;\n";
  const auto program = read(
      head + "void *t(void *p) { STORE(x, 1); y = 2; return NULL; }\nint main() { t(NULL); }\n");
  REQUIRE(program);
  fence::Placement all;
  all.kind = fence::Placement::Kind::Anywhere;
  CHECK(with_fences(*program, gaps(*program, {})) ==
        head + "void *t(void *p) { STORE(x, 1); __sync_synchronize(); y = 2; __sync_synchronize(); "
               "return NULL; }\n"
               "int main() { t(NULL); }\n");
}

TEST_CASE("C: 64-bit numbers without a sign") {
  holds("unsigned long w, n;", "w = -1; n = 7;",
        "w >> 60 == 15 && w > n && n / 2 == 3 && n % 4 == 3");
  CHECK(sequential("unsigned long w;", "w = -1; assert(w / 2 > 5);") ==
        "undecided"); // beyond what is kept
}

TEST_CASE("C: characters, remarks in assertions, GCC's generic atomics") {
  holds("", "", "'\\x41' == 65 && '\\101' == 65 && '\\n' == 10 && '\\0' == 0 && \"always\"");
  holds("#define S 5\nint n = 7, r, v = 3;", "__atomic_load(&n, &r, S); __atomic_store(&n, &v, S);",
        "r == 7 && n == 3");
  holds("#define S 5\nint n = 7, r, v = 3;",
        "__atomic_exchange(&n, &v, &r, S); r += __atomic_compare_exchange(&n, &v, &r, 0, S, S);",
        "r == 8 && n == 7");
}

TEST_CASE("C: what a differential test found") {
  holds("int g = 1, h = 2, r;", "r = g + ({ int t = h; t * 10; });", "r == 21");
  holds("int c = 1, r; long l;", "r = (c ? -1 : 0u) > 5; l = c ? -1 : 0u;",
        "r == 1 && l == 4294967295");
  holds("int a = 5;", "", "(a ?: 7) == 5 && sizeof(1 ? 1 : 1L) == 8");
  holds("int f(unsigned x) { switch (x) { case -1: return 1; } return 0; }", "",
        "f(4294967295u) == 1");
  holds("int a[] = {[0] = 1, [0] = 2};", "", "sizeof(a) == 4 && a[0] == 2");
  holds("typedef unsigned char T; int f(void) { typedef int T; T x = 300; return x; }", "T y = 44;",
        "f() == 300 && y == 44");
  holds("int x = 1;", "{ int x = 2; { extern int x; x = 5; } assert(x == 2); }", "x == 5");
  holds("int n = 2;", "int a[3] = {n, n + 1};", "a[0] == 2 && a[1] == 3 && a[2] == 0");
  holds("int z[]; int z[3] = {1, 2, 3};", "", "z[2] == 3");
  holds("int spin_count(int *p) { return ++*p; }", "int x = 1; spin_count(&x);", "x == 2");
  says("int x; int main() { return *(unsigned char *)&x; }", "one of another type");
  says("int x; int main() { return *(int *)((unsigned long)&x + 4); }", "only compared here");
  says("int a[3] = {[0 ... 1] = 5}; int main() { return 0; }", "a range is not supported");
  says("struct S { int a; struct S s; }; int main() { return 0; }", "is not complete here");
  says("int f(int n) { int x = n, *p = &x; return n ? f(n - 1) : *p; } int main() { return f(2); }",
       "in a function that calls itself");
  says("#include <stdatomic.h>\natomic_int x; void st(memory_order o) { atomic_store_explicit(&x, "
       "1, o); } int main() { st(5); }",
       "the memory order is a constant here");
  says("void *g(void *p) { static int n; n++; return 0; } int m; int main() { g(0); unsigned long "
       "t; pthread_create(&t, 0, g, 0); "
       "pthread_join(t, 0); return 0; }",
       "safe");
  // A plain store through a cast that drops _Atomic.
  CHECK(buffering("#include <stdatomic.h>\natomic_int x, y; ", "*(volatile int *)&x = 1; r0 = y;",
                  "*(volatile int *)&y = 1; r1 = x;") == "unsafe assert");
}

TEST_CASE("C: what drains the buffer on x86 and what does not") {
  const std::string plain = "int x, y; ", atomics = "#include <stdatomic.h>\natomic_int x, y; ";
  const auto both = [](const std::string& globals, const std::string& store,
                       const std::string& fence, const std::string& read = "{}") {
    const auto side = [&](const char* own, const char* other, const char* result) {
      return fmt::format(fmt::runtime(store), own) + " " + fence + " " + result + " = " +
             fmt::format(fmt::runtime(read), other) + ";";
    };
    return buffering(globals, side("x", "y", "r0"), side("y", "x", "r1"));
  };
  CHECK(both(plain, "{} = 1;", "") == "unsafe assert");
  CHECK(both(plain, "{} = 1;", "asm volatile(\"mfence\" ::: \"memory\");") == "safe");
  CHECK(both(plain, "{} = 1;",
             "__asm__ __volatile__(\"lock; addl $0,0(%%rsp)\" ::: \"memory\");") == "safe");
  CHECK(both(plain, "{} = 1;", "asm volatile(\"\" ::: \"memory\");") == "unsafe assert");
  CHECK(both(plain, "{} = 1;", "__sync_synchronize();") == "safe");
  CHECK(both(plain, "{} = 1;", "_mm_mfence();") == "safe");
  CHECK(both(plain, "{} = 1;", "smp_mb();") == "safe");
  CHECK(both(plain, "WRITE_ONCE({}, 1);", "smp_wmb(); smp_rmb();", "READ_ONCE({})") ==
        "unsafe assert");
  CHECK(both(plain, "smp_store_release(&{}, 1);", "", "smp_load_acquire(&{})") == "unsafe assert");
  CHECK(both(plain, "xchg(&{}, 1);", "") == "safe");
  CHECK(both(plain, "__atomic_store_n(&{}, 1, __ATOMIC_RELEASE);", "",
             "__atomic_load_n(&{}, __ATOMIC_ACQUIRE)") == "unsafe assert");
  CHECK(both("#define S __ATOMIC_SEQ_CST\n" + plain, "__atomic_store_n(&{}, 1, S);", "") == "safe");
  CHECK(both(plain, "__sync_fetch_and_add(&{}, 1);", "") == "safe");
  CHECK(both(atomics, "{} = 1;", "") == "safe");
  CHECK(both(atomics, "{}++;", "") == "safe");
  CHECK(both(atomics, "atomic_store({0}, 1);", "") != "unsafe assert");
  CHECK(both(atomics, "atomic_store(&{}, 1);", "") == "safe");
  CHECK(both(atomics, "atomic_store_explicit(&{}, 1, memory_order_relaxed);", "",
             "atomic_load_explicit(&{}, memory_order_seq_cst)") == "unsafe assert");
  CHECK(both(atomics, "atomic_store_explicit(&{}, 1, memory_order_relaxed);",
             "atomic_thread_fence(memory_order_acq_rel);") == "unsafe assert");
  CHECK(both(atomics, "atomic_store_explicit(&{}, 1, memory_order_relaxed);",
             "atomic_thread_fence(memory_order_seq_cst);") == "safe");
  CHECK(both(atomics, "atomic_fetch_or_explicit(&{}, 1, memory_order_relaxed);", "") == "safe");
}

TEST_CASE("C: locks, threads and arguments") {
  const std::string lock =
      "#include <pthread.h>\n#include <assert.h>\nint n; pthread_mutex_t m = "
      "PTHREAD_MUTEX_INITIALIZER;\n"
      "void *add(void *arg) { LOCK; int v = n; n = v + (int)(long)arg; UNLOCK; return 0; }\n"
      "int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, "
      "(void *)(long)(i + 1)); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(n == 3); "
      "}\n";
  const std::string with =
      "#define LOCK pthread_mutex_lock(&m)\n#define UNLOCK pthread_mutex_unlock(&m)\n";
  CHECK(verdict_of(with + lock) == "safe");
  CHECK(verdict_of("#define LOCK\n#define UNLOCK\n" + lock) == "unsafe assert");
  CHECK(verdict_of("#define LOCK while (pthread_mutex_trylock(&m))\n#define UNLOCK "
                   "pthread_mutex_unlock(&m)\n" +
                   lock) == "safe");
  CHECK(verdict_of("#include <threads.h>\nint n; mtx_t m; int add(void *p) { mtx_lock(&m); n++; "
                   "mtx_unlock(&m); return 0; }\n"
                   "int main(void) { thrd_t a, b; mtx_init(&m, mtx_plain); thrd_create(&a, add, "
                   "0); thrd_create(&b, add, 0); "
                   "thrd_join(a, 0); thrd_join(b, 0); assert(n == 2); }") == "safe");
}

TEST_CASE("C: the words of checkers") {
  CHECK(verdict_of("int x; void __VERIFIER_atomic_inc(void) { x++; } void *t(void *a) { "
                   "__VERIFIER_atomic_inc(); }\n"
                   "int main() { __CPROVER_ASYNC_1: t(0); __VERIFIER_atomic_inc(); "
                   "__CPROVER_assume(x == 2); "
                   "__CPROVER_assert(x == 2, \"both\"); }") == "safe");
  CHECK(verdict_of("int main() { if (__VERIFIER_nondet_bool()) reach_error(); }") ==
        "unsafe assert");
  CHECK(verdict_of(
            "int main() { _Bool b = __VERIFIER_nondet_bool(); if (b) abort(); assert(!b); }") ==
        "safe");
  CHECK(verdict_of("int x; void *t(void *a) { __VERIFIER_atomic_begin(); x = 1; x = 0; "
                   "__VERIFIER_atomic_end(); }\n"
                   "int main() { __CPROVER_ASYNC_1: t(0); assert(x == 0); }") == "safe");
}

TEST_CASE("C: what is read before it is set may be anything") {
  CHECK(verdict_of("int main() { _Bool b; assert(!b); }") == "unsafe assert");
  CHECK(verdict_of("int main() { int x; assert(x == 0); }") == "undecided");
  CHECK(verdict_of("int main() { int x; x = 0; assert(x == 0); }") == "safe");
}

TEST_CASE("C: programs print as .cp and read back") {
  for (const char* text : {"int x; int main() { x = 1; assert(x); }",
                           "struct s { int a, b; } v; int f(struct s *p) { return p->a; } int "
                           "main() { v.a = 2; switch (f(&v)) { case 2: break; } }"}) {
    const auto program = read(text);
    REQUIRE(program);
    const std::string printed = print(*program);
    CHECK(print(parse(printed)) == printed);
  }
}

TEST_CASE("C: what is not supported is refused where it stands") {
  says("double d; int main() { return 0; }", "1:8: error: 'double' is not supported");
  says("int main() { return 1.5; }", "floating-point numbers are not supported");
  says("union u { int a; char b; } v; int main() { return 0; }", "'union u' is not supported");
  says("struct s { int a : 3; }; int main() { return 0; }", "bit-fields are not supported");
  says("int f(int n, ...) { return n; } int main() { return f(1, 2); }", "any number of arguments");
  says("int f(a) int a; { return a; } int main() { return f(1); }", "old-style parameters");
  says("int f(void); int main() { return f(); }", "'f' has no body here");
  says("int main() { asm(\"hlt\"); return 0; }", "this assembly is not supported");
  says("int (*p)(void); int main() { return p(); }", "a call by a pointer to a function");
  says("#include <pthread.h>\npthread_cond_t c; int main() { return 0; }", "condition variables");
  says("struct s { int a; }; int f(struct s v) { return v.a; } int main() { struct s v; v.a = 1; "
       "return f(v); }",
       "a struct is passed by its address");
  says("int main() { int n = 2; int a[n]; return 0; }", "the length of an array is a constant");
  says("int f(void) { return 0; }", "the program has no main");
  says("int main() { return y; }", "'y' is not declared");
  says("int main() { goto out; }", "there is no label 'out'");
  says("void *t(void *a) { return 0; } int main() { void *r; unsigned long i; pthread_create(&i, "
       "0, t, 0); pthread_join(i, &r); }",
       "the result of a thread is not supported");
}

} // namespace weir::test
