#include "ir/print.h"
#include "support/parse.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace weir;

TEST_CASE("a program prints as text with one access per statement") {
  const auto program = test::parse(R"(
shared int<0..3> x = 1, a[2] = {1, *};
thread bool b = *;
process P(int<0..1> me) {
  int<1..2> n = 2;
  while (x < 2 && a[me] == 0) { x = x + 1; }
  L: if (*) goto L;
}
procedure f(int d) { call f(d - 1); }
forbid P(0)@L, P@L;
final x == 3 || P(1).b;
)");
  CHECK(ir::print(program) == R"(shared int<0..3> x = 1;
shared int<0..3> a[2] = {1, *};
thread bool b = *;

process P(int<0..1> me) {
  int<1..2> n = 2;
  int<0..3> t_x;
  int<0..3> t_a;
  bool t_and;
  do {
    t_x = x;
    t_and = t_x < 2;
    if (t_and) {
      t_a = a[me];
      t_and = t_a == 0;
    }
  } while (t_and) {
    t_x = x;
    x = t_x + 1;
  }
  L: if (*) {
    goto L;
  }
}

procedure f(int d) {
  call f(d - 1);
}

forbid P(0)@L, P@L;
final x == 3 || P(1).b;
)");
}

TEST_CASE("parentheses are printed where they are needed") {
  const auto program = test::parse("thread int r; process P { r = 1 - (2 - r) * -r; "
                                   "assert(!(r == 1 && r < 2) || (r > 0) == (r > 1)); }");
  const std::string text = ir::print(program);
  CHECK(text.find("r = 1 - (2 - r) * -r;") != std::string::npos);
  CHECK(text.find("assert(!(r == 1 && r < 2) || r > 0 == r > 1);") != std::string::npos);
}

TEST_CASE("every example reads back as the same program after printing") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WEIR_ROOT "/examples")) {
    if (entry.path().extension() != ".cp") continue;
    const auto program = test::parse(test::read_file(entry.path()));
    const auto again = test::parse(ir::print(program));
    INFO(entry.path());
    CHECK(again == program);
    ++count;
  }
  CHECK(count > 60);
}

TEST_CASE("the least integer survives printing") {
  const auto program = test::parse("thread int r; process P { r = -9223372036854775807 - 1; }");
  CHECK(test::parse(ir::print(program)) == program);
  const auto ranges =
      test::parse("shared int<-9223372036854775807 - 1..0> x = -9223372036854775807 - 1;"
                  "process P { skip; }");
  CHECK(test::parse(ir::print(ranges)) == ranges);
}

TEST_CASE("names of ours do not clash with the user's") {
  const auto program = test::parse("shared int x, r_2; process P { if (x == 0) skip; int t_x = 5; "
                                   "{ int r = 1; } { bool r = true; } } final P.t_x == 5;");
  CHECK(test::parse(ir::print(program)) == program);
}
