#include "ir/print.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {

/// The printed body of process P.
std::string body(const std::string& declarations, const std::string& statements) {
  const std::string text =
      ir::print(test::parse(declarations + " process P { " + statements + " }"));
  const auto begin = text.find("process P");
  const auto open = text.find("{\n", begin) + 2;
  return text.substr(open, text.find("\n}\n", open) - open);
}

bool complains(const std::string& text, const std::string& part) {
  const std::string found = test::errors(text);
  INFO(found);
  return found.find(part) != std::string::npos;
}

const std::string xy = "shared int<0..3> x, y; shared bool f; thread int r; thread bool b;";

} // namespace

TEST_CASE("an expression with several shared reads is split left to right") {
  CHECK(body(xy, "r = y - x * y;") == "  int<0..3> t_y;\n  int<0..3> t_x;\n  int<0..3> t_y_2;\n"
                                      "  t_y = y;\n  t_x = x;\n  t_y_2 = y;\n"
                                      "  r = t_y - t_x * t_y_2;");
}

TEST_CASE("a plain read or write is one statement") {
  CHECK(body(xy, "r = x; x = 2; x = r; b = f; b = cas(x, 0, 1);") ==
        "  r = x;\n  x = 2;\n  x = r;\n  b = f;\n  b = cas(x, 0, 1);");
}

TEST_CASE("the right side of && and || is only looked at if it matters") {
  CHECK(body(xy, "b = b && f;") ==
        "  bool t_f;\n  bool t_and;\n  t_and = b;\n  if (t_and) {\n    t_f = f;\n    t_and = t_f;\n"
        "  }\n  b = t_and;");
  CHECK(body(xy, "b = b || r == 1;") == "  b = b || r == 1;"); // nothing shared: one step
}

TEST_CASE("indices are read before the value that is stored") {
  CHECK(body("shared int<0..1> i, a[2], y;", "a[i] = y;") ==
        "  int<0..1> t_i;\n  int<0..1> t_y;\n  t_i = i;\n  t_y = y;\n  a[t_i] = t_y;");
}

TEST_CASE("temporaries are shared between statements, not within one") {
  CHECK(body(xy, "r = x + 1; r = x + 2;") ==
        "  int<0..3> t_x;\n  t_x = x;\n  r = t_x + 1;\n  t_x = x;\n  r = t_x + 2;");
}

TEST_CASE("break and continue become jumps") {
  CHECK(body(xy, "while (*) { if (b) break; if (f) continue; skip; }") ==
        "  bool t_f;\n  next_1: while (*) {\n    if (b) {\n      goto end_1;\n    }\n    t_f = f;\n"
        "    if (t_f) {\n      goto next_1;\n    }\n    skip;\n  }\n  end_1: skip;");
}

TEST_CASE("variables of blocks side by side are one, and each declaration resets them") {
  CHECK(body(xy, "{ int n = x; } { int n; } { bool n = true; }") ==
        "  int n;\n  bool n_2;\n  n = x;\n  n = 0;\n  n_2 = true;");
}

TEST_CASE("without main each process starts once for each value of its parameters") {
  const auto p = test::parse("process P(int<0..2> a, bool b) { skip; } process Q { skip; }");
  CHECK(p.threads.size() == 7);
  CHECK(p.threads[1].arguments == std::vector<ir::Value>{0, 1});
  const auto q = test::parse("process P(int n) { skip; } main { spawn P(7); }");
  CHECK(q.threads.size() == 1);
}

TEST_CASE("every form of the paper's grammar is read") {
  CHECK(test::errors(R"(
shared int s = 0, t[3];
thread int g;
main start {
  l1: skip;
  l2: assume(g == 0);
  l3: assert(g == 0);
  l4: g = g + 1;
  l5: call f;
  l6: if (g == 1) { skip; } else { skip; }
  l7: while (g < 3) { g = g + 1; }
  l8: atomic_begin; g = s; s = g; atomic_end;
  l9: spawn p;
  l10: fence;
  l11: g = s;
  l12: s = g;
  l13: return;
}
process p { skip; }
procedure f { return; }
)") == "");
}

TEST_CASE("all mistakes of a file are reported at once") {
  const std::string found = test::errors("shared bool f;\nprocess P {\n  g = 1;\n  f = 2;\n"
                                         "  if (f) goto nowhere;\n  atomic_end;\n  call P;\n}\n");
  for (const char* part :
       {"test.cp:3:3:", "test.cp:4:7:", "test.cp:5:15:", "test.cp:6:3:", "test.cp:7:8:"})
    CHECK_MESSAGE(found.find(part) != std::string::npos, part << "\n" << found);
}

TEST_CASE("names, types and ranges are checked") {
  CHECK(complains("process P { z = 1; }", "'z' is not declared"));
  CHECK(complains(xy + "process P { x = 4; }", "4 is outside int<0..3>"));
  CHECK(complains(xy + "process P { x = 0 - 1; }", "-1 is outside int<0..3>"));
  CHECK(complains(xy + "process P { x = true; }", "expected an int, but this is a bool"));
  CHECK(complains(xy + "process P { if (x) skip; }", "expected a bool, but this is an int"));
  CHECK(complains(xy + "process P { r = f; }", "expected an int, but this is a bool"));
  CHECK(complains(xy + "process P { b = x == f; }", "compares an int with a bool"));
  CHECK(complains(xy + "process P { r = 1 / 0; }", "division by zero"));
  CHECK(complains(xy + "process P { x[0] = 1; }", "'x' is not an array"));
  CHECK(complains("shared int a[2]; process P { a[2] = 1; }", "index 2 is outside 0..1"));
  CHECK(complains("shared int a[2]; process P { a = 1; }", "say which element"));
  CHECK(complains("shared int a[0]; process P { skip; }", "at least one element"));
  CHECK(complains("shared int<3..1> a; process P { skip; }", "range 3..1 is empty"));
  CHECK(complains("shared int<1..3> a; process P { skip; }", "needs an initial value"));
  CHECK(complains("shared int<1..3> a = 4; process P { skip; }", "4 is outside int<1..3>"));
  CHECK(complains("shared int a[2] = {1}; process P { skip; }", "1 values for 2 elements"));
  CHECK(complains("shared int a = 99999999999999999999; process P { skip; }", "64 bits"));
  CHECK(complains("process P { L: skip; L: skip; }", "label 'L' is defined twice"));
  CHECK(complains("process P { goto M; }", "no label 'M'"));
  CHECK(complains("process P { break; }", "'break' outside a loop"));
  CHECK(complains("process P { int r; int r; }", "'r' is declared already"));
  CHECK(complains("process P { skip; } process P { skip; }", "'P' is declared twice"));
  CHECK(complains("main { skip; } main m2 { skip; }", "one main"));
  CHECK(complains("process P(int n) { skip; }", "would start a thread for each value"));
  CHECK(complains("process P(int<0..1> n) { skip; } main { spawn P; }", "takes 1 argument, not 0"));
  CHECK(complains("process P(int<0..1> n) { skip; } main { spawn P(2); }", "2 is outside"));
  CHECK(complains("process P { skip; } main { call P; }", "start a process with: spawn P;"));
  CHECK(complains("procedure f { skip; } main { spawn f; }", "run a procedure with: call f;"));
  CHECK(complains("process P { skip; } forbid P@cs;", "'P' has no label 'cs'"));
  CHECK(complains("process P { while (*) { break; } } forbid P@end_1;", "has no label 'end_1'"));
  CHECK(complains("process P { while (*) { break; } goto end_1; }", "no label 'end_1'"));
  CHECK(complains("thread int<3..5> r = *; process P { skip; } main { skip; } final P.r > 2;",
                  "may never start"));
  CHECK(complains("process P(bool a, bool b, bool c, bool d, bool e, bool f, bool g) { skip; }",
                  "more than 64 threads"));
  CHECK(complains("process P { int a[5000]; }", "at most 4096 elements"));
  CHECK(test::errors("const N = 0; process P { int r; if (N != 0 && 10 / N > 1) r = 1; }") == "");
  CHECK(test::errors("main m { cs: skip; } forbid main@cs;") == "");
  CHECK(complains("process P { skip; } forbid Q@cs;", "'Q' is not a process"));
  CHECK(complains("thread int r; process P { skip; } final r == 0;", "belongs to a thread"));
  CHECK(complains("process P(int<0..1> i) { int r; } final P.r == 0;", "say which"));
  CHECK(complains("process P { int r = P.r; }", "only read its own variables"));
  CHECK(complains("shared int x; const N = x; process P { skip; }", "'x' is not a constant"));
}

TEST_CASE("syntax errors say what was expected") {
  CHECK(complains("process P { x = 1 }", "expected ';' before '}'"));
  CHECK(complains("process P { if true skip; }", "expected '(' before 'true'"));
  CHECK(complains("shared int x\nprocess P { skip; }", "test.cp:1:13: error: expected ';' or ','"));
  CHECK(complains("proces P { }", "unexpected 'proces'"));
  CHECK(complains("process P { skip;", "unexpected the end of the file"));
  CHECK(complains("process P { @ }", "unexpected '@'"));
  CHECK(complains("shared int x; process P { if (x = 0) skip; }", "to compare, write =="));
}
