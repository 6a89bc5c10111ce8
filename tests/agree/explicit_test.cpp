// The explicit engine against the reference semantics, on seeded random programs.
// WEIR_PROGRAMS sets how many, WEIR_SEED the first seed. A disagreement is shrunk and printed.

#include "base/match.h"
#include "engine/explicit/explicit.h"
#include "ir/print.h"
#include "support/parse.h"
#include "support/random_program.h"
#include "support/reference.h"
#include "support/settings.h"
#include "support/shrink.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace weir::test {
namespace {

constexpr std::size_t most_states = 5'000;

struct Question {
  std::string name;
  Rules rules;
};

std::vector<Question> questions() {
  std::vector<Question> all;
  for (const Model model : {Model::SC, Model::TSO, Model::PSO}) {
    Rules rules;
    rules.model = model;
    rules.buffer = 2;
    rules.depth = 4;
    all.push_back({std::string(name(model)), rules});
    if (model == Model::SC) continue;
    for (std::uint32_t k = 0; k < 3; ++k) {
      rules.bound = {Bound::Kind::Rounds, k};
      all.push_back({fmt::format("{} rounds {}", name(model), k), rules});
      rules.bound = {Bound::Kind::Age, k};
      all.push_back({fmt::format("{} age {}", name(model), k), rules});
      rules.bound = {Bound::Kind::Sweeps, k};
      all.push_back({fmt::format("{} sweeps {}", name(model), k), rules});
    }
  }
  return all;
}

/// What the two sides disagree about; empty if nothing. Sets `compared` if both came to an end.
std::string difference(const ir::Program& program, const Rules& rules, bool& compared) {
  const ir::Code code(program);
  engine::ExplicitOptions options;
  options.rules = rules;
  options.all_final = true;
  options.limits.bytes = std::uint64_t{256} << 20;
  const auto listed = engine::check_explicit(code, options);
  options.all_final = false;
  const auto checked = engine::check_explicit(code, options);
  const auto reached = explore(code, rules, listed.observed, most_states);
  if (!reached) return {};
  compared = true;
  const bool unsafe = std::holds_alternative<Unsafe>(checked.answer.verdict);
  if (unsafe != reached->violated)
    return fmt::format("engine: {}, reference: {}", unsafe ? "unsafe" : "not unsafe",
                       reached->violated ? "violated" : "not violated");
  const bool undecided = std::holds_alternative<Undecided>(checked.answer.verdict);
  if (undecided != (reached->cut && !reached->violated))
    return fmt::format("engine undecided: {}, reference cut: {}", undecided, reached->cut);
  if (listed.finals != reached->finals)
    return fmt::format("engine has {} final valuations, reference {}", listed.finals.size(),
                       reached->finals.size());
  return {};
}

TEST_CASE("the explicit engine agrees with the reference semantics on random programs") {
  const std::uint64_t count = setting("WEIR_PROGRAMS", 150);
  const std::uint64_t first = setting("WEIR_SEED", 1);
  MESSAGE("seeds " << first << " to " << first + count - 1);
  std::size_t compared_count = 0, asked = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = random_program(seed);
    const ir::Program program = parse(text);
    for (const Question& question : questions()) {
      bool compared = false;
      std::string problem;
      try {
        problem = difference(program, question.rules, compared);
      } catch (const std::exception& e) { problem = e.what(); }
      ++asked;
      compared_count += compared;
      if (problem.empty()) continue;
      const auto smallest = shrink(program, [&](const ir::Program& smaller) {
        bool ignored = false;
        try {
          return !difference(smaller, question.rules, ignored).empty();
        } catch (const std::exception&) { return true; }
      });
      FAIL("seed " << seed << ", " << question.name << ": " << problem << "\nsmallest program:\n"
                   << ir::print(smallest));
    }
  }
  MESSAGE(compared_count << " of " << asked << " questions were small enough to compare");
  CHECK(compared_count * 2 > asked);
}

TEST_CASE("a printed random program reads back as the same program") {
  const std::uint64_t count = setting("WEIR_PROGRAMS", 150);
  const std::uint64_t first = setting("WEIR_SEED", 1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::Program program = parse(random_program(seed));
    const std::string printed = ir::print(program);
    const ir::Program again = parse(printed);
    INFO("seed " << seed << "\n" << printed << "\n---\n" << ir::print(again));
    REQUIRE(again == program);
  }
}

} // namespace
} // namespace weir::test
