// The dual engine on random automata, against plain exploration, against the single-buffer engine,
// and with each of its features switched off.

#include "engine/dual/dual.h"
#include "engine/sb/sb.h"
#include "support/automata_reference.h"
#include "support/random_automata.h"
#include "support/settings.h"

#include <doctest/doctest.h>

#include <string>

using namespace weir;
using namespace weir::lower;

namespace {

engine::DualOptions quick() {
  engine::DualOptions options;
  options.without_symmetry = 0;
  options.search.limits.seconds = 0.5;
  options.search.limits.bytes = std::uint64_t{64} << 20;
  return options;
}

const char* word(const Reachability& reachability) {
  const char* words[] = {"unreachable", "reached", "gave up"};
  return words[reachability.index()];
}

/// What is wrong with the answer; empty if nothing is.
std::string flaw(const Automata& automata, const Reachability& answer,
                 const std::optional<test::Explored>& explored) {
  if (const auto* reached = std::get_if<Reached>(&answer)) {
    if (const auto problem = test::replay(automata, *reached); !problem.empty()) return problem;
    if (explored && explored->is_complete && !explored->reached) return "exploration finds no run";
  }
  if (std::holds_alternative<Unreachable>(answer) && explored && explored->reached)
    return "exploration finds a run";
  return "";
}

} // namespace

TEST_CASE("dual agrees with exploration and with sb on random automata") {
  const std::uint64_t count = test::setting("WEIR_PROGRAMS", 100) * 5;
  const std::uint64_t first = test::setting("WEIR_SEED", 1);
  std::size_t reached = 0, unreachable = 0, open = 0, compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Automata automata = test::random_automata(seed);
    const auto explored = test::reaches_target(automata, 4, 5'000);
    const auto answer = engine::check_dual(automata, quick()).reachability;
    INFO("seed " << seed << "\n" << print(automata) << "\ndual: " << word(answer));
    REQUIRE(flaw(automata, answer, explored) == "");
    Statistics statistics;
    SearchOptions limits;
    limits.limits.seconds = 0.05;
    const auto other = engine::check_single_buffer(automata, limits, statistics);
    INFO("sb: " << word(other));
    const bool both = other.index() != 2 && answer.index() != 2;
    if (both) REQUIRE(other.index() == answer.index());
    compared += both;
    reached += answer.index() == 1;
    unreachable += answer.index() == 0;
    open += answer.index() == 2;
  }
  MESSAGE(reached << " reached, " << unreachable << " unreachable, " << open << " open; "
                  << compared << " by sb too");
  CHECK(open * 20 < count);
}

TEST_CASE("what once went wrong") {
  // 2016716: in a run, an atomic step was taken for a store with the same predecessor, although
  // another thread was in a section.
  for (const std::uint64_t seed : {2016716u}) {
    const Automata automata = test::random_automata(seed);
    const auto answer = engine::check_dual(automata, quick()).reachability;
    CHECK(flaw(automata, answer, test::reaches_target(automata, 4, 5'000)) == "");
  }
}

TEST_CASE("no feature changes an answer") {
  const std::uint64_t count = test::setting("WEIR_PROGRAMS", 100);
  const std::uint64_t first = test::setting("WEIR_SEED", 1) + 1'000'000;
  bool engine::DualOptions::*const features[] = {
      &engine::DualOptions::own_values,     &engine::DualOptions::last_values,
      &engine::DualOptions::signatures,     &engine::DualOptions::removes,
      &engine::DualOptions::lightest_first, &engine::DualOptions::symmetry};
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Automata automata = test::random_automata(seed);
    const auto answer = engine::check_dual(automata, quick()).reachability;
    for (const auto feature : features) {
      auto options = quick();
      options.*feature = false;
      const auto other = engine::check_dual(automata, options).reachability;
      INFO("seed " << seed << "\n" << print(automata));
      if (other.index() != 2 && answer.index() != 2) REQUIRE(other.index() == answer.index());
      REQUIRE(flaw(automata, other, std::nullopt) == "");
    }
  }
}

TEST_CASE("sets of any size give the same answer") {
  // A value that is never read makes the domain larger, and so the engine's sets.
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Automata automata = test::random_automata(seed);
    const auto answer = engine::check_dual(automata, quick()).reachability;
    for (const std::size_t size : {40u, 200u}) {
      Automata larger = automata;
      for (Variable& variable : larger.variables)
        while (variable.values.size() < size)
          variable.values.push_back(std::to_string(variable.values.size()));
      const auto other = engine::check_dual(larger, quick()).reachability;
      INFO("seed " << seed << " size " << size);
      if (other.index() != 2 && answer.index() != 2) REQUIRE(other.index() == answer.index());
    }
  }
}

TEST_CASE("limits are said") {
  Automata automata = test::random_automata(5);
  std::atomic<bool> interrupted = true;
  engine::DualOptions options;
  options.search.limits.interrupted = &interrupted;
  bool stopped = false;
  for (std::uint64_t seed = 1; seed < 400 && !stopped; ++seed) {
    const auto answer = engine::check_dual(test::random_automata(seed), options).reachability;
    const auto* gave_up = std::get_if<GaveUp>(&answer);
    stopped = gave_up && gave_up->reason == "interrupted";
  }
  CHECK(stopped);
}
