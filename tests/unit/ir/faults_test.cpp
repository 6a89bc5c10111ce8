#include "ir/faults.h"

#include "ir/print.h"
#include "support/parse.h"

#include <doctest/doctest.h>

namespace weir::ir {
namespace {

/// The asserts that are put before the statements of process P.
std::string asserts(const std::string& statements) {
  const auto program = with_explicit_faults(test::parse(
      "shared int<0..2> x; shared int<0..2> a[2]; thread int<0..3> r, s; thread int<-2..2> n;\n"
      "process P { " +
      statements + " }"));
  std::string result;
  for_each_statement(program.procedures[0].body, [&](const Stmt& s) {
    if (const auto* a = std::get_if<Assert>(&s.action))
      result += (result.empty() ? "" : "; ") + print(program, a->condition);
  });
  return result;
}

TEST_CASE("what can go wrong becomes an assertion, what cannot does not") {
  CHECK(asserts("r = 3; s = r; x = 2;") == "");
  CHECK(asserts("r = s + 1;") == "s + 1 <= 3");
  CHECK(asserts("r = n;") == "n >= 0");
  CHECK(asserts("x = r;") == "r <= 2");
  CHECK(asserts("a[r] = 1;") == "r <= 1");
  CHECK(asserts("r = s / n;") == "n != 0 && s / n >= 0");
  CHECK(asserts("r = s % 3;") == "");
}

TEST_CASE("the right side of && counts only if the left holds") {
  CHECK(asserts("assume(n != 0 && s / n == 1);") == "!(n != 0) || n != 0");
  CHECK(asserts("assume(n == 0 || s / n == 1);") == "n == 0 || n != 0");
}

TEST_CASE("a loop's test is looked at each time") {
  CHECK(asserts("while (s / n == 1) n = 0;") == "n != 0");
}

TEST_CASE("labels stay at the first step") {
  const auto program = with_explicit_faults(test::parse(
      "shared int<0..2> x; thread int<0..3> r; process P { here: x = r; } forbid P@here;"));
  const Stmt& first = program.procedures[0].body[0];
  CHECK(std::holds_alternative<Assert>(first.action));
  CHECK(first.labels.size() == 1);
}

} // namespace
} // namespace weir::ir
