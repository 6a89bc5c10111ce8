// The encodings beside the paper's against TSO, on seeded random programs: the flush form lies
// between store age and unbounded TSO, and the lazy sequential program has the violations within
// the sweeps. WEIR_PROGRAMS sets how many, WEIR_SEED the first seed.

#include "engine/explicit/explicit.h"
#include "ir/print.h"
#include "ir/validate.h"
#include "support/parse.h"
#include "support/random_program.h"
#include "support/settings.h"
#include "support/shrink.h"
#include "translate/flush.h"
#include "translate/lazy.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weir::test {
namespace {

using Memories = std::set<std::vector<ir::Value>>;

Rules bounded(Bound bound) {
  Rules result;
  result.bound = bound;
  return result;
}

Rules sequential() {
  Rules result = rules(Model::SC);
  result.depth += 8; // the calls of the machinery
  return result;
}

constexpr std::uint64_t small = std::uint64_t{16} << 20; ///< bytes: ends within a second or so
constexpr std::uint64_t ample = std::uint64_t{64} << 20;

engine::ExplicitOptions options(const Rules& rules, std::uint64_t bytes) {
  engine::ExplicitOptions result;
  result.rules = rules;
  result.limits.bytes = bytes;
  return result;
}

enum class Found : std::uint8_t { Safe, Unsafe, Undecided };

Found ask(const ir::Program& program, const Rules& rules, std::uint64_t bytes = small) {
  const auto answer = engine::check_explicit(ir::Code(program), options(rules, bytes)).answer;
  if (std::holds_alternative<Unsafe>(answer.verdict)) return Found::Unsafe;
  return std::holds_alternative<Safe>(answer.verdict) ? Found::Safe : Found::Undecided;
}

/// What a program can do: its verdict, and the shared valuations that a switch of rounds can show.
struct Side {
  Found verdict = Found::Undecided;
  bool is_whole = true; ///< all valuations were found
  Memories memories;

  Side(const ir::Program& program, const Rules& rules, std::size_t cells)
      : verdict(ask(program, rules)) {
    auto collecting = options(rules, small);
    collecting.on_memory = [&](const std::vector<ir::Value>& memory) {
      memories.insert({memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(cells)});
      return false;
    };
    const auto answer = engine::check_explicit(ir::Code(program), collecting).answer;
    is_whole = !std::holds_alternative<Undecided>(answer.verdict);
  }
};

/// Why the runs of one are not among those of the other; empty if they are, or it is not known.
std::string not_within(const Side& inner, const char* inner_name, const Side& outer,
                       const char* outer_name) {
  if (inner.verdict == Found::Unsafe && outer.verdict == Found::Safe)
    return fmt::format("{} violates a property and {} does not", inner_name, outer_name);
  if (outer.is_whole && !std::includes(outer.memories.begin(), outer.memories.end(),
                                       inner.memories.begin(), inner.memories.end()))
    return fmt::format("{} has a shared valuation that {} has not", inner_name, outer_name);
  return {};
}

/// Why the translated program is not one that can be written down and read again.
std::string not_readable(const ir::Program& program) {
  if (const auto flaw = ir::find_flaw(program)) return *flaw;
  const std::string text = ir::print(program);
  // The order in which variables are declared may differ; what they mean does not.
  if (ir::print(parse(text)) != text) return "it does not survive printing";
  return {};
}

struct FlushSides {
  Side age, flush, tso;
  std::string unreadable;

  FlushSides(const ir::Program& program, std::uint32_t k)
      : FlushSides(program, k, translate::translate_flush(program, k).program) {}
  std::string flaw() const {
    if (!unreadable.empty()) return unreadable;
    const auto lower = not_within(age, "store age", flush, "the flush form");
    return lower.empty() ? not_within(flush, "the flush form", tso, "TSO") : lower;
  }

private:
  FlushSides(const ir::Program& program, std::uint32_t k, const ir::Program& translated)
      : age(program, bounded({Bound::Kind::Age, k}), cells(program)),
        flush(translated, sequential(), cells(program)), tso(program, Rules{}, cells(program)),
        unreadable(not_readable(translated)) {}
  static std::size_t cells(const ir::Program& program) {
    return ir::Code(program).layout.cell_count();
  }
};

TEST_CASE("the flush form lies between store age and TSO on random programs") {
  const std::uint64_t count = setting("WEIR_PROGRAMS", 100);
  const std::uint64_t first = setting("WEIR_SEED", 1);
  MESSAGE("seeds " << first << " to " << first + count - 1);
  std::size_t asked = 0, lower = 0, upper = 0, bad = 0, strict = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::Program program = parse(random_program(seed, {3, true}));
    for (std::uint32_t k = 0; k < 3; ++k) {
      const FlushSides sides(program, k);
      ++asked;
      lower += sides.flush.is_whole;
      upper += sides.tso.is_whole;
      bad += sides.flush.verdict == Found::Unsafe;
      strict += sides.flush.memories != sides.age.memories;
      const std::string flaw = sides.flaw();
      if (flaw.empty()) continue;
      const auto smallest = shrink(program, [&](const ir::Program& smaller) {
        return !FlushSides(smaller, k).flaw().empty();
      });
      FAIL("seed " << seed << ", k " << k << ": " << flaw << "\nsmallest program:\n"
                   << ir::print(smallest) << "\nthere: " << FlushSides(smallest, k).flaw());
    }
  }
  MESSAGE(asked << " questions: " << lower << " compared whole from below, " << upper
                << " from above, " << bad << " unsafe, " << strict
                << " with valuations beyond store age");
  CHECK(lower * 10 > asked * 9);
  CHECK(upper * 2 > asked);
}

/// Small programs, each about one thing that an encoding can get wrong.
struct Shown {
  const char* about;
  Found tso; ///< without any bound
  const char* program;
};

constexpr Shown shown[] = {
    {"a store stays pending", Found::Unsafe, R"(
      shared bool x, y; thread bool r;
      process P { x = true; r = y; }
      process Q { y = true; r = x; }
      final P.r || Q.r;)"},
    {"a store leaves between two reads", Found::Unsafe, R"(
      shared bool x, y, z; thread bool r1, r2, b, c;
      process P { x = true; r1 = y; r2 = z; }
      process Q { y = true; fence; b = x; c = x; z = true; }
      final !(!P.r1 && P.r2 && !Q.b && Q.c);)"},
    {"two stores leave between two reads, one by one", Found::Unsafe, R"(
      shared bool x, y, z, w; thread bool a, b, c, d;
      process P { x = true; y = true; a = z; b = w; }
      process Q { z = true; fence; a = x; b = x; c = y; d = y; w = true; }
      final !(!P.a && P.b && !Q.a && Q.b && !Q.c && Q.d);)"},
    {"stores leave in order", Found::Safe, R"(
      shared bool x, y; thread bool r;
      process P { x = true; y = true; }
      process Q { r = y; assume(r); r = x; assert(r); })"},
    {"a thread reads its newest store", Found::Safe, R"(
      shared int<0..3> x; thread int<0..3> r;
      process P { x = 1; x = 2; r = x; assert(r == 2); x = 3; r = x; assert(r == 3); })"},
    {"cas waits for the buffer", Found::Safe, R"(
      shared bool x, y; thread bool r;
      process P { x = true; cas(y, false, false); r = y; }
      process Q { y = true; cas(x, false, false); r = x; }
      final P.r || Q.r;)"},
    {"arw waits for the buffer", Found::Safe, R"(
      shared bool x, y; thread bool r;
      process P { x = true; arw(y, false, false); r = y; }
      process Q { y = true; arw(x, false, false); r = x; }
      final P.r || Q.r;)"},
    {"a thread has ended when its buffer is empty", Found::Safe, R"(
      shared bool x; thread bool r;
      process P { x = true; }
      main { int t; t = spawn P; join t; r = x; assert(r); })"},
    {"final conditions wait for all buffers", Found::Safe, R"(
      shared bool x;
      process P { x = true; }
      final x;)"},
    {"an atomic section is seen as a whole", Found::Safe, R"(
      shared int<0..2> x; thread int<0..2> r;
      process P { atomic { x = 1; x = 2; } }
      process Q { r = x; assert(r != 1); })"},
    {"which thread is the first depends on a branch", Found::Unsafe, R"(
      shared bool x, y; thread bool r;
      process P(bool b) { x = b; }
      process Q { r = x; assert(!r); }
      main { if (*) { spawn Q; } else { y = true; } spawn P(true); spawn Q; })"},
    {"a forbid asks for the argument that a thread was started with", Found::Unsafe, R"(
      shared bool x;
      process P(int<0..2> me) { me = 2; x = true; here: skip; }
      main { spawn P(0); spawn P(1); spawn P(1); }
      forbid P(1)@here, P(1)@here;)"},
    {"it does not ask for another one", Found::Safe, R"(
      shared bool x;
      process P(int<0..2> me) { me = 1; x = true; here: skip; }
      main { spawn P(0); spawn P(1); spawn P(2); }
      forbid P(1)@here, P(1)@here;)"},
};

TEST_CASE("the flush form on programs about one thing each") {
  for (const Shown& one : shown) {
    INFO(std::string(one.about));
    const ir::Program program = parse(one.program);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const FlushSides sides(program, k);
      CHECK(sides.flaw() == "");
      CHECK(sides.tso.verdict == one.tso);
      if (k == 2) CHECK(sides.flush.verdict == one.tso);
    }
  }
}

TEST_CASE("the age of the flush form is counted in flushes, not in switches") {
  // P is interrupted twice while x is pending; nothing of P is flushed in between.
  const ir::Program program = parse(R"(
    shared int<0..2> x, y; thread int<0..2> q, r, s;
    process P { x = 1; q = y; r = y; s = y; }
    process Q { y = 1; fence; y = 2; fence; r = x; }
    final !(P.q == 0 && P.r == 1 && P.s == 2 && Q.r == 0);)");
  CHECK(ask(program, bounded({Bound::Kind::Age, 1})) == Found::Safe);
  CHECK(ask(translate::translate_flush(program, 1).program, sequential()) == Found::Unsafe);
}

/// Both sides of the question whether a program violates its properties within the sweeps.
struct LazySides {
  bool is_refused = false;
  bool is_cut = false; ///< loops or recursion were unrolled in part
  Found source = Found::Undecided, lazy = Found::Undecided;
  std::string unreadable;

  LazySides(const ir::Program& program, std::uint32_t k, std::uint32_t unwind,
            std::uint64_t bytes = small) {
    const auto translated = translate::translate_lazy(program, k, unwind);
    const auto* translation = std::get_if<translate::Translation>(&translated);
    is_refused = !translation;
    if (is_refused) return;
    is_cut = !translation->bounds.empty();
    unreadable = not_readable(translation->program);
    source = ask(program, bounded({Bound::Kind::Sweeps, k}), bytes);
    lazy = ask(translation->program, sequential(), bytes);
  }
  bool is_whole() const {
    return !is_refused && !is_cut && source != Found::Undecided && lazy != Found::Undecided;
  }
  std::string flaw() const {
    if (!unreadable.empty()) return unreadable;
    if (lazy == Found::Unsafe && source == Found::Safe)
      return "only the lazy program violates a property";
    if (is_whole() && source != lazy) return "only the source violates a property";
    return {};
  }
};

void check_lazy(const RandomOptions& random, std::uint64_t first, std::uint64_t count,
                std::uint32_t unwind) {
  MESSAGE("seeds " << first << " to " << first + count - 1);
  std::size_t asked = 0, whole = 0, within = 0, refused = 0, bad = 0, bad_whole = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::Program program = parse(random_program(seed, random));
    for (std::uint32_t k = 0; k < 3; ++k) {
      const LazySides sides(program, k, unwind);
      ++asked;
      refused += sides.is_refused;
      whole += sides.is_whole();
      within += !sides.is_refused && !sides.is_whole() && sides.source != Found::Undecided;
      bad += sides.lazy == Found::Unsafe;
      bad_whole += sides.is_whole() && sides.lazy == Found::Unsafe;
      const std::string flaw = sides.flaw();
      if (flaw.empty()) continue;
      const auto smallest = shrink(program, [&](const ir::Program& smaller) {
        return !LazySides(smaller, k, unwind).flaw().empty();
      });
      FAIL("seed " << seed << ", k " << k << ": " << flaw << "\nsmallest program:\n"
                   << ir::print(smallest) << "\nthere: " << LazySides(smallest, k, unwind).flaw());
    }
  }
  MESSAGE(asked << " questions: " << whole << " compared both ways (" << bad_whole << " unsafe), "
                << within << " one way (loops cut), " << refused << " refused, " << bad
                << " unsafe in all");
  CHECK(whole * 3 > asked);
}

TEST_CASE("the lazy program violates an assertion iff the source does within the sweeps") {
  check_lazy({3, true, true}, setting("WEIR_SEED", 1), setting("WEIR_PROGRAMS", 100), 3);
}

TEST_CASE("the lazy program on programs about one thing each") {
  for (const Shown& one : shown) {
    INFO(std::string(one.about));
    const ir::Program program = parse(one.program);
    for (std::uint32_t k = 0; k < 4; ++k) {
      const LazySides sides(program, k, 1, ample);
      CHECK(sides.flaw() == "");
      CHECK(sides.is_whole());
      if (k == 3) CHECK(sides.lazy == one.tso);
    }
  }
}

TEST_CASE("the lazy program finds what needs as many iterations as were unrolled") {
  const auto found = [](const char* text, std::uint32_t k, std::uint32_t unwind) {
    const LazySides sides(parse(text), k, unwind);
    CHECK(sides.flaw() == "");
    return sides.lazy;
  };
  const char* loop = R"(
    shared int<0..9> x; thread int<0..9> i;
    process P { x = 1; while (i < 3) { i = i + 1; x = i; } assert(x != 3); })";
  CHECK(found(loop, 0, 2) == Found::Safe);
  CHECK(found(loop, 0, 3) == Found::Unsafe);
  const char* jump = R"(
    shared int<0..9> x; thread int<0..9> i;
    process P { again: i = i + 1; x = i; if (i < 3) goto again; assert(x != 3); })";
  CHECK(found(jump, 0, 1) == Found::Safe);
  CHECK(found(jump, 0, 2) == Found::Unsafe);
  const char* recursion = R"(
    shared int<0..9> x; thread int<0..9> i;
    procedure down(int<0..9> n) { int<0..9> m = 1; i = i + m; m = n; if (n > 0) call down(n - 1); x = m; }
    process P { call down(2); assert(!(x == 2 && i == 3)); })";
  CHECK(found(recursion, 0, 1) == Found::Safe);
  CHECK(found(recursion, 0, 2) == Found::Unsafe);
}

TEST_CASE("a thread that is cut off inside an atomic section lets nobody go on") {
  const LazySides sides(parse(R"(
    shared bool x; thread bool r;
    process P { atomic { x = true; while (true) { r = x; } } }
    process Q { r = x; assert(!r); })"),
                        2, 2);
  CHECK(sides.lazy == Found::Safe);
}

TEST_CASE("the lazy program tells what it cannot do") {
  const auto translated = translate::translate_lazy(parse(R"(
    shared bool x;
    process P { x = true; }
    main { int i; while (i < 2) { spawn P; i = i + 1; } })"),
                                                    1, 3);
  REQUIRE(std::holds_alternative<translate::Unsupported>(translated));
  CHECK(std::get<translate::Unsupported>(translated).reason ==
        "a spawn in a loop is not possible in a lazy sequential program");
}

} // namespace
} // namespace weir::test
