#include "decide/race.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {

decide::RaceAnswer race(const std::string& text, const Limits& limits = {}) {
  const auto program = test::parse(text);
  const ir::Code code(program);
  return decide::check_auto(code, {}, limits, {});
}

/// Never violated, but its buffers grow for ever.
const char* const endless = "shared int<0..1> x, y; process P { while (true) { x = 1; y = 1; } } "
                            "process Q { int<0..1> a; int<0..1> b; a = y; b = x; assert(b >= a); }";

} // namespace

TEST_CASE("a small program is settled by the forward search") {
  const auto found = race("shared bool x; process P { x = true; } process Q { assert(!x); }");
  CHECK(found.engine == "explicit");
  CHECK(std::holds_alternative<Unsafe>(found.answer.verdict));
}

TEST_CASE("endless buffers are settled by the exact engine") {
  const auto found = race(endless);
  CHECK(found.engine == "dual");
  CHECK(std::holds_alternative<Safe>(found.answer.verdict));
}

TEST_CASE("if neither can, both say why") {
  Limits limits;
  limits.seconds = 0.3;
  const auto found = race("shared int x; process P { while (true) x = x + 1; } "
                          "process Q { assert(x >= 0); }",
                          limits);
  const auto* undecided = std::get_if<Undecided>(&found.answer.verdict);
  REQUIRE(undecided);
  CHECK(undecided->reason.find("the time limit of 0.3 s is reached") != std::string::npos);
  CHECK(undecided->reason.find("the exact engine: ") != std::string::npos);
}

TEST_CASE("an interrupt ends both") {
  const std::atomic<bool> interrupted = true;
  Limits limits;
  limits.interrupted = &interrupted;
  const auto found = race("shared int x; process P { while (true) x = x + 1; }", limits);
  const auto* undecided = std::get_if<Undecided>(&found.answer.verdict);
  REQUIRE(undecided);
  CHECK(undecided->reason.find("interrupted") != std::string::npos);
}
