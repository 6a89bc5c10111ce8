#include "fence/per_thread.h"
#include "fence/search.h"
#include "semantics/replay.h"

#include "support/fences.h"
#include "support/parse.h"

#include <doctest/doctest.h>

namespace weir::test {
namespace {

using Kind = fence::Placement::Kind;

fence::Result found(const std::string& text, const fence::Placement& placement = {}) {
  const ir::Program program = parse(text);
  return search(program, gaps(program, placement));
}

const std::string sb = "shared bool x, y; thread bool r; process P { x = true; r = y; } "
                       "process Q { y = true; r = x; } final P.r || Q.r;";

} // namespace

TEST_CASE("store buffering needs a fence on both sides") {
  const auto result = found(sb);
  CHECK(result.is_complete);
  CHECK(result.sets == std::vector<fence::Set>{{0, 1}});
}

TEST_CASE("a correct program needs the empty set") {
  const auto result = found("shared bool x; process P { x = true; }");
  CHECK(result.is_complete);
  CHECK(result.sets == std::vector<fence::Set>{{}});
}

TEST_CASE("a program that is wrong under SC is told at once") {
  const auto result = found("shared bool x; process P { x = true; } process Q { assert(!x); }");
  CHECK(result.is_wrong_under_sc);
  CHECK(result.sets.empty());
  REQUIRE(result.run);
  CHECK(result.progress.candidates == 0);
}

TEST_CASE("places that do not help") {
  const ir::Program program = parse(sb);
  const auto all = gaps(program, {});
  const auto result = search(program, {all[0]});
  CHECK(result.is_complete);
  CHECK(result.sets.empty());
  CHECK(result.run);
  CHECK_FALSE(result.is_wrong_under_sc);
}

TEST_CASE("alternatives: anywhere between the store and the read") {
  const auto result = found("shared bool x, y; thread bool r; process P { x = true; skip; r = y; } "
                            "process Q { y = true; fence; r = x; } final P.r || Q.r;",
                            {Kind::Anywhere, {}, {}});
  CHECK(result.is_complete);
  CHECK(result.sets.size() == 2); // on either side of the skip
}

TEST_CASE("the own store that is read can be older than the fence") {
  // r1 reads the own x, but only as long as the later x is pending: a fence after it helps.
  const auto result = found(
      "shared int<0..2> x, y; thread int<0..2> r, s; process P { x = 1; y = 1; r = x; s = y; } "
      "process Q { x = 2; fence; r = y; } final !(P.r == 1 && Q.r == 0 && x == 1);");
  CHECK(result.is_complete);
}

TEST_CASE("a spawn is not delayed by a pending store, but noticed") {
  const auto result = found("shared bool x; process Q { assert(x); } main { x = true; spawn Q; }");
  CHECK(result.is_complete);
  CHECK(result.sets == std::vector<fence::Set>{{0}});
}

TEST_CASE("a section that another thread is in when the run ends") {
  // Nobody reads what is pending, but P can be at `here` only because its store is.
  const auto result =
      found("shared bool x; thread bool r; process P { x = true; here: skip; } "
            "process Q { atomic { r = x; if (!r) { there: skip; } } } forbid P@here, Q@there;");
  CHECK(result.is_complete);
  CHECK(result.sets == std::vector<fence::Set>{{0}});
}

TEST_CASE("threads of one process share a fence, unless they are counted by themselves") {
  const std::string text =
      "shared bool x[2]; thread bool r; process P(int<0..1> me) { x[me] = true; "
      "r = x[1 - me]; } final P(0).r || P(1).r;";
  CHECK(found(text).sets == std::vector<fence::Set>{{0}});
  const ir::Program each = fence::per_thread(parse(text));
  const auto result = search(each, gaps(each, {}));
  CHECK(result.sets == std::vector<fence::Set>{{0, 1}});
}

TEST_CASE("counted by themselves, spawned threads still have places to meet") {
  const std::string text =
      "shared bool x; process Q { cs: x = true; } process S { spawn Q; } forbid Q@cs, Q@cs;";
  CHECK(found(text).is_wrong_under_sc);
  const ir::Program each = fence::per_thread(parse(text));
  CHECK(search(each, gaps(each, {})).is_wrong_under_sc);
}

TEST_CASE("what a set of fences leaves possible without one of them") {
  const ir::Program program = parse(sb);
  const auto all = gaps(program, {});
  fence::Options options;
  options.decide = decide();
  fence::Search one(program, all, options);
  REQUIRE(one.run().sets == std::vector<fence::Set>{{0, 1}});
  CHECK(one.counterexample({0}, fence::Search::Length::Any));
  CHECK(one.counterexample({1}, fence::Search::Length::Short));
  CHECK_FALSE(one.counterexample({0, 1}, fence::Search::Length::Any));
}

TEST_CASE("a limit leaves the search incomplete, and says so") {
  const ir::Program program = parse(sb);
  fence::Options options;
  options.decide = [](const ir::Code&, const Rules& rules, const Limits&, bool) {
    if (rules.model == Model::SC) return Answer{Safe{}, {}};
    return Answer{Undecided{"it is late"}, {}};
  };
  const auto result = fence::Search(program, gaps(program, {}), options).run();
  CHECK_FALSE(result.is_complete);
  CHECK(result.reason == "it is late");
}

TEST_CASE("SC by way of fences after all stores, if it has too many states") {
  const auto only_tso = [](const ir::Code& code, const Rules& rules, const Limits& limits, bool) {
    if (rules.model == Model::SC) return Answer{Undecided{"too many"}, {}};
    return decide()(code, rules, limits, false);
  };
  fence::Options options;
  options.decide = only_tso;
  for (const char* text :
       {"shared bool x; process P { x = true; } process Q { assert(!x); }",
        "shared bool x; process P { x = true; assert(false); } process Q { skip; }",
        "shared int<0..2> x, y; thread int<0..2> r; process P { x = 1; y = 1; } process Q { r = y; "
        "r = r + x; } final Q.r != 2;"}) {
    const ir::Program program = parse(text);
    const auto result = fence::Search(program, gaps(program, {}), options).run();
    REQUIRE(result.is_wrong_under_sc);
    const ir::Code code(program);
    const Rules sc = rules(Model::SC);
    const semantics::Machine machine(code, sc);
    CHECK(std::holds_alternative<semantics::Playback>(semantics::replay(machine, *result.run)));
  }
}

} // namespace weir::test
