#include "lower/liveness.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {
/// The thread variables after `steps` instructions and forgetting the dead ones.
std::vector<ir::Value> variables(const std::string& text, int steps, bool keep_results = false) {
  const auto program = test::parse(text);
  const ir::Code code(program);
  const Rules rules;
  const lower::Liveness liveness(code, keep_results);
  auto thread = semantics::start_thread(code, {0}, {});
  for (int i = 0; i < steps; ++i) thread = semantics::moves(code, rules, thread, 0)[0].after;
  liveness.forget_dead(thread);
  return thread.variables;
}
} // namespace

TEST_CASE("a variable is forgotten once nothing can read it") {
  const std::string text = "shared int x; thread int r, s; process P { r = 5; s = 6; x = r; }";
  CHECK(variables(text, 1) == std::vector<ir::Value>{5, 0});
  CHECK(variables(text, 2) == std::vector<ir::Value>{5, 0}); // s is never read
  CHECK(variables(text, 3) == std::vector<ir::Value>{0, 0});
}

TEST_CASE("what a final condition or a listing needs is kept") {
  const std::string text = "shared int x; thread int r, s; process P { r = 5; s = 6; }";
  CHECK(variables(text + " final P.s == 6;", 2) == std::vector<ir::Value>{0, 6});
  CHECK(variables(text, 2, true) == std::vector<ir::Value>{5, 6});
}

TEST_CASE("a call may read thread variables, and so may whatever follows a procedure") {
  CHECK(variables("shared int x; thread int r; process P { r = 5; call f; } "
                  "procedure f { x = r; }",
                  1) == std::vector<ir::Value>{5});
  CHECK(variables("shared int x; thread int r; process P { call f; x = r; } "
                  "procedure f { r = 5; skip; }",
                  2) == std::vector<ir::Value>{5});
}

TEST_CASE("an element assigned leaves the rest of the array alive") {
  CHECK(variables("shared int x; thread int a[2] = {1, 2}; thread int i; "
                  "process P { a[0] = 3; x = a[i]; }",
                  0) == std::vector<ir::Value>{1, 2, 0});
}
