#include "semantics/choices.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {
bool too_many(const std::string& text) {
  const auto program = test::parse(text);
  const ir::Code code(program);
  return semantics::too_many_choices(code).has_value();
}
} // namespace

TEST_CASE("a choice among too many values is named before anything runs") {
  CHECK(too_many("shared int x = *; process P { skip; }"));
  CHECK(too_many("shared int x; process P { x = *; }"));
  CHECK(too_many("process P { int<0..1000000> r = *; }"));
  CHECK(too_many("main { spawn Q; } process Q { call f; } procedure f { int r = *; }"));
  CHECK_FALSE(too_many("shared int<0..9> x = *; process P { x = *; }"));
  CHECK_FALSE(too_many("process P { skip; } procedure unused { int r = *; }"));
}
