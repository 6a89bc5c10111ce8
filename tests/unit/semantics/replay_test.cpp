#include "semantics/replay.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;
using semantics::Derailed;
using semantics::Playback;

TEST_CASE("a run replays only if each step is possible and it ends as claimed") {
  const auto program =
      test::parse("shared int x; process P { x = 1; } process Q { assert(x == 0); }");
  const ir::Code code(program);
  const Rules rules;
  const semantics::Machine machine(code, rules);
  const Step store{0, Step::Kind::Execute, 0, {}};
  const Step flush{0, Step::Kind::Flush, 0, {0}};
  const Step other{1, Step::Kind::Execute, 0, {}};
  const FaultAt claim{ir::Fault::AssertionFailed, 1, {}};

  const Run good{{0}, {store, flush, other, other}, claim};
  REQUIRE(std::holds_alternative<Playback>(semantics::replay(machine, good)));

  const auto derails = [&](const Run& run) {
    return std::holds_alternative<Derailed>(semantics::replay(machine, run));
  };
  CHECK(derails({{0}, {store, other, other}, claim}));        // not flushed: the assertion holds
  CHECK(derails({{0}, {flush, store, other, other}, claim})); // nothing to flush yet
  CHECK(derails({{1}, {store, flush, other, other}, claim})); // x does not start at 1
  CHECK(derails({{}, {store, flush, other, other}, claim}));
  CHECK(derails({{0}, {store, flush, other, other, other}, claim}));
  CHECK(derails({{0}, {store, flush, other, other}, FaultAt{ir::Fault::OutOfRange, 1, {}}}));
  CHECK(derails({{0}, {store, flush, other, other}, FinalBroken{0}}));
  CHECK(derails({{0}, {store, flush, other, other}, ForbidReached{3}}));
}
