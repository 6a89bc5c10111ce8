// The translation against bounded TSO: both theorems on seeded random programs, and each trap that
// the translation avoids, put back, is found. WEIR_PROGRAMS sets how many, WEIR_SEED the first seed.

#include "backend/lift.h"
#include "crosscheck/theorems.h"
#include "ir/print.h"
#include "ir/validate.h"
#include "support/parse.h"
#include "support/random_program.h"
#include "support/reference.h"
#include "support/settings.h"
#include "support/shrink.h"
#include "translate/eager.h"
#include "translate/paper.h"
#include "translate/pipeline.h"
#include "translate/watch.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

namespace weir::test {
namespace {

constexpr Bound::Kind kinds[] = {Bound::Kind::Rounds, Bound::Kind::Age};

Limits small() {
  Limits limits;
  limits.bytes = std::uint64_t{16} << 20; // small enough: the sides end within a second or so
  return limits;
}

crosscheck::Comparison comparison(const ir::Program& program, Bound bound,
                                  translate::Trap trap = translate::Trap::None) {
  return crosscheck::compare(program, translate::translate_paper(program, bound, trap), small());
}

/// Finds a run of the translated program that violates a property and takes it back to the source;
/// says what went wrong, if anything. Counts the runs.
std::string lift_problem(const ir::Program& source, const translate::Translation& translated,
                         std::size_t& lifted) {
  const ir::Code code(translated.program), source_code(source);
  engine::ExplicitOptions options;
  options.rules.model = Model::SC;
  options.rules.depth += 8;
  options.limits = small();
  const auto answer = engine::check_explicit(code, options).answer;
  const auto* unsafe = std::get_if<Unsafe>(&answer.verdict);
  if (!unsafe) return {};
  const semantics::Machine machine(code, options.rules);
  const auto played = semantics::replay(machine, unsafe->run);
  const auto run =
      backend::lift(source_code, translated, code, std::get<semantics::Playback>(played));
  if (const auto* problem = std::get_if<backend::NotLifted>(&run)) return problem->reason;
  Rules tso;
  tso.depth = 1000;
  const semantics::Machine reference(source_code, tso);
  const auto again = semantics::replay(reference, std::get<Run>(run));
  if (const auto* derailed = std::get_if<semantics::Derailed>(&again)) return derailed->reason;
  ++lifted;
  return {};
}

TEST_CASE("runs of the translated programs lift to runs of the source") {
  const std::uint64_t count = setting("WEIR_PROGRAMS", 150) / 3;
  const std::uint64_t first = setting("WEIR_SEED", 1);
  std::size_t lifted = 0;
  const auto problem = [&](const ir::Program& program, Bound bound) -> std::string {
    const auto translated = translate::translate(
        program, {translate::default_encoding(bound.kind, true), bound, 3, true, false});
    const auto* translation = std::get_if<translate::Translation>(&translated);
    return translation ? lift_problem(program, *translation, lifted) : "";
  };
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::Program program = parse(random_program(seed, {3, true, true}));
    for (const auto kind : {Bound::Kind::Rounds, Bound::Kind::Age, Bound::Kind::Sweeps})
      for (std::uint32_t k = 0; k < 3; ++k) {
        const std::string what = problem(program, {kind, k});
        if (what.empty()) continue;
        const auto smallest = shrink(program, [&](const ir::Program& smaller) {
          return !problem(smaller, {kind, k}).empty();
        });
        FAIL("seed " << seed << ", " << std::string(name(kind)) << " " << k << ": " << what
                     << "\nsmallest program:\n"
                     << ir::print(smallest) << problem(smallest, {kind, k}));
      }
  }
  MESSAGE(lifted << " runs lifted");
}

TEST_CASE("both theorems hold on random programs") {
  const std::uint64_t count = setting("WEIR_PROGRAMS", 150);
  const std::uint64_t first = setting("WEIR_SEED", 1);
  MESSAGE("seeds " << first << " to " << first + count - 1);
  std::size_t whole = 0, asked = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::Program program = parse(random_program(seed, {3, true}));
    for (const auto kind : kinds)
      for (std::uint32_t k = 0; k < 3; ++k) {
        const Bound bound{kind, k};
        const auto result = comparison(program, bound);
        ++asked;
        whole += result.incomplete.empty();
        if (!result.difference) continue;
        const auto smallest = shrink(program, [&](const ir::Program& smaller) {
          return comparison(smaller, bound).difference.has_value();
        });
        const auto again = comparison(smallest, bound);
        FAIL("seed " << seed << ", " << name(kind) << " " << k << ": " << result.difference->what
                     << "\nsmallest program:\n"
                     << ir::print(smallest)
                     << "\nthere: " << (again.difference ? again.difference->what : ""));
      }
  }
  MESSAGE(whole << " of " << asked << " questions were small enough to compare whole");
  CHECK(whole * 10 > asked * 9);
}

/// A program that shows the trap, within this bound.
struct Shown {
  translate::Trap trap;
  Bound bound;
  const char* program;
};

TEST_CASE("each trap, put back, is found") {
  using translate::Trap;
  constexpr auto rounds = Bound::Kind::Rounds, age = Bound::Kind::Age;
  const char* drains_between_reads = R"(
    shared bool x, y, z; thread bool r1, r2, b, c;
    process P { x = true; r1 = y; r2 = z; }
    process Q { y = true; fence; b = x; c = x; z = true; }
    final !(!P.r1 && P.r2 && !Q.b && Q.c);)";
  const char* store_buffering = R"(
    shared bool x, y; thread bool r;
    process P { x = true; r = y; }
    process Q { y = true; r = x; }
    final P.r || Q.r;)";
  const char* section = R"(
    shared int<0..2> x, y; thread int<0..2> r;
    process P { atomic { x = 1; x = 2; } }
    process Q { r = x; assert(r != 1); })";
  const char* order = R"(
    shared bool x, y, z; thread bool r;
    process P { x = true; y = true; r = z; r = z; r = z; y = false; x = false; r = z; x = true; }
    process Q { z = true; r = y; assume(r); r = x; assert(r); z = false; z = true; })";
  const char* own_store = R"(
    shared bool x, y; thread bool r;
    process P { r = y; x = true; r = y; r = x; assert(r); r = x; assert(r); }
    process Q { y = true; y = false; y = true; y = false; })";
  const char* again = R"(
    shared int<0..2> x; shared bool y; thread bool r;
    process P { x = 1; r = y; r = y; r = y; r = y; }
    process Q { int<0..2> v; v = x; assume(v == 1); x = 2; y = true; v = x; v = x; assert(v == 2); })";
  const char* array = R"(
    shared int<0..2> a[2] = {1, 1}; shared bool x; thread bool r;
    process P { a[1] = 2; r = x; }
    process Q { x = true; })";
  const char* swap = R"(
    shared bool x, y; thread bool r;
    process P { x = true; cas(y, false, false); r = y; }
    process Q { y = true; cas(x, false, false); r = x; }
    final P.r || Q.r;)";
  const char* pending = R"(
    shared bool x, y; thread bool r;
    process P { x = true; r = y; }
    process Q { y = true; fence; r = x; }
    final P.r || Q.r;)";
  const Shown all[] = {
      {Trap::NoFlushRounds, {rounds, 2}, drains_between_reads},
      {Trap::NoFlushRounds, {age, 1}, drains_between_reads},
      {Trap::NoRoundsAfterEnd, {rounds, 1}, store_buffering},
      {Trap::NoRoundsAfterEnd, {age, 1}, store_buffering},
      {Trap::RoundsInSections, {rounds, 1}, section},
      {Trap::RoundsInSections, {age, 0}, section},
      {Trap::SignedModulo, {age, 1}, order},
      {Trap::SignedModulo, {age, 2}, order},
      {Trap::ForgottenSlot, {age, 2}, own_store},
      {Trap::SlotKept, {age, 1}, again},
      {Trap::OneMaskPerArray, {rounds, 1}, array},
      {Trap::OneMaskPerArray, {age, 1}, array},
      {Trap::PendingAfterLast, {rounds, 0}, pending},
      {Trap::ViewNotUpdated, {rounds, 1}, own_store},
      {Trap::ViewNotUpdated, {age, 1}, own_store},
      {Trap::FenceForgotten, {rounds, 1}, swap},
      {Trap::FenceForgotten, {age, 1}, swap},
  };
  for (const Shown& shown : all) {
    const ir::Program program = parse(shown.program);
    INFO("trap ", static_cast<int>(shown.trap), ", ", std::string(name(shown.bound.kind)), " ",
         shown.bound.k, "\n", shown.program);
    CHECK_FALSE(comparison(program, shown.bound).difference);
    CHECK(comparison(program, shown.bound, shown.trap).difference);
  }
}

TEST_CASE("bookkeeping that goes through the program's own memory hides violations: trap 9") {
  // Each thread passes a watched place while its store is pending. A counter that were the source's
  // own, in one of its atomic sections, would drain the buffer there.
  const ir::Program program = parse(R"(
    shared bool x, y; thread bool r;
    process P { x = true; mid: skip; r = y; assume(!r); cs: skip; }
    process Q { y = true; mid: skip; r = x; assume(!r); cs: skip; }
    forbid P@cs, Q@cs;
    forbid P@mid, P@mid, Q@mid;)");
  const auto is_unsafe = [](const ir::Program& translated) {
    Rules sc;
    sc.model = Model::SC;
    return verdict(translated, sc).substr(0, 6) == "unsafe";
  };
  for (const auto kind : kinds) {
    const Bound bound{kind, 1};
    CHECK(is_unsafe(translate::watch_places(translate::translate_paper(program, bound).program)));
    CHECK_FALSE(
        is_unsafe(translate::translate_paper(translate::watch_places(program), bound).program));
  }
}

TEST_CASE("the sequential program violates its assertion iff the source does within the sweeps") {
  const std::uint64_t count = setting("WEIR_PROGRAMS", 150) / 3;
  const std::uint64_t first = setting("WEIR_SEED", 1);
  std::size_t whole = 0, asked = 0, bad = 0;
  const auto sides = [](const ir::Program& program, std::uint32_t k) {
    Rules bounded, sc;
    bounded.bound = {Bound::Kind::Sweeps, k};
    sc.model = Model::SC;
    sc.depth += 8;
    const auto translated = translate::translate_eager(program, {Bound::Kind::Sweeps, k});
    const auto* sequential = std::get_if<translate::Translation>(&translated);
    if (!sequential) return std::pair<std::string, std::string>("refused", "refused");
    ir::validated(sequential->program);
    const auto ask = [](const ir::Program& asked_program, const Rules& rules) -> std::string {
      engine::ExplicitOptions options;
      options.rules = rules;
      options.limits = small();
      const auto answer = engine::check_explicit(ir::Code(asked_program), options).answer;
      if (std::holds_alternative<Unsafe>(answer.verdict)) return "unsafe";
      return std::holds_alternative<Safe>(answer.verdict) ? "safe" : "undecided";
    };
    return std::pair(ask(program, bounded), ask(sequential->program, sc));
  };
  const auto differ = [](const auto& pair) {
    return pair.first != pair.second && pair.first != "undecided" && pair.second != "undecided";
  };
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::Program program = parse(random_program(seed, {3, true, true}));
    for (std::uint32_t k = 0; k < 3; ++k) {
      const auto result = sides(program, k);
      ++asked;
      whole += result.first != "undecided" && result.second != "undecided";
      bad += result.first == "unsafe";
      if (!differ(result)) continue;
      const auto smallest =
          shrink(program, [&](const ir::Program& smaller) { return differ(sides(smaller, k)); });
      FAIL("seed " << seed << ", k " << k << ": source " << result.first << ", sequential "
                   << result.second << "\nsmallest program:\n"
                   << ir::print(smallest));
    }
  }
  MESSAGE(whole << " of " << asked << " questions were small enough, " << bad << " unsafe");
  CHECK(whole * 2 > asked);
}

TEST_CASE("inside a simulated round memory may show what no TSO run shows: trap 7") {
  // Both stores reach memory in one round, written in the order of the variables, not FIFO. At
  // round boundaries that cannot be seen; in the middle it can.
  const ir::Program program = parse(R"(
    shared bool x, y; thread bool r;
    process P { y = true; x = true; r = y; }
    process Q { x = false; })");
  const auto translated = translate::translate_paper(program, {Bound::Kind::Age, 1});
  const ir::Code code(translated.program);
  bool seen = false;
  engine::ExplicitOptions options;
  options.rules.model = Model::SC;
  options.on_memory = [&](const std::vector<ir::Value>& memory) {
    seen = seen || (memory[0] == 1 && memory[1] == 0);
    return false;
  };
  engine::check_explicit(code, options);
  CHECK_FALSE(seen);
  const auto anywhere = explore(code, options.rules, {}, 100'000);
  REQUIRE(anywhere);
  CHECK(std::any_of(anywhere->memories.begin(), anywhere->memories.end(),
                    [](const auto& memory) { return memory[0] == 1 && memory[1] == 0; }));
}

} // namespace
} // namespace weir::test
