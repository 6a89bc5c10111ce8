// The exact engines against each other, the explicit engine and the reference semantics, on seeded
// random programs. WEIR_PROGRAMS sets how many, WEIR_SEED the first seed. A disagreement is shrunk
// and printed. scripts/agree goes on for as long as one likes.

#include "certify/certify.h"
#include "decide/exact.h"
#include "engine/dual/dual.h"
#include "engine/explicit/explicit.h"
#include "ir/print.h"
#include "semantics/replay.h"
#include "support/automata_reference.h"
#include "support/parse.h"
#include "support/random_program.h"
#include "support/settings.h"
#include "support/shrink.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <sstream>

namespace weir::test {
namespace {

/// One word for a verdict. A bounded safe is no answer to an unbounded question.
std::string word(const Verdict& verdict) {
  if (std::holds_alternative<Unsafe>(verdict)) return "unsafe";
  const auto* safe = std::get_if<Safe>(&verdict);
  return safe && safe->coverage.is_exhaustive() ? "safe" : "open";
}

Rules unbounded() {
  Rules rules;
  rules.depth = 4;
  return rules;
}

std::string by_explicit(const ir::Code& code, std::optional<std::uint32_t> buffer) {
  engine::ExplicitOptions options;
  options.rules = unbounded();
  options.rules.buffer = buffer;
  options.limits.bytes = std::uint64_t{8} << 20;
  return word(engine::check_explicit(code, options).answer.verdict);
}

/// A run that does not replay, or a certificate that is not accepted; empty if all is well.
std::string flaw(const ir::Code& code, const decide::ExactAnswer& found) {
  if (const auto* unsafe = std::get_if<Unsafe>(&found.answer.verdict)) {
    const Rules rules = unbounded();
    const semantics::Machine machine(code, rules);
    const auto played = semantics::replay(machine, unsafe->run);
    if (const auto* derailed = std::get_if<semantics::Derailed>(&played))
      return "the run does not replay: " + derailed->reason;
  }
  if (!found.certificate) return {};
  // Written and read again, as a user would.
  const lower::Automata& automata = found.lowered->automata;
  std::stringstream file;
  certify::write(file, automata, *found.certificate);
  const auto read = certify::read(file, automata);
  if (const auto* problem = std::get_if<certify::Unreadable>(&read))
    return "the certificate cannot be read: " + problem->message;
  const auto judgement = certify::certify(automata, std::get<0>(read), {});
  if (const auto* rejected = std::get_if<certify::Rejected>(&judgement))
    return "the certificate is rejected: " + rejected->reason;
  return {};
}

/// The dual engine on small programs does without symmetry: here it must not.
std::string flaw_with_symmetry(const decide::ExactAnswer& found) {
  if (!found.lowered || word(found.answer.verdict) == "open") return {};
  engine::DualOptions options;
  options.without_symmetry = 0;
  options.search.limits.seconds = 2;
  const auto answer = engine::check_dual(found.lowered->automata, options).reachability;
  if (const auto* reached = std::get_if<lower::Reached>(&answer)) {
    if (word(found.answer.verdict) != "unsafe") return "with symmetry: unsafe";
    if (const auto problem = replay(found.lowered->automata, *reached); !problem.empty())
      return "with symmetry: " + problem;
  }
  if (std::holds_alternative<lower::Unreachable>(answer) && word(found.answer.verdict) != "safe")
    return "with symmetry: safe";
  return {};
}

struct Tally {
  std::map<std::string, std::size_t> counts;
};

/// What anyone disagrees about; empty if nothing.
std::string difference(const ir::Program& program, Tally& tally) {
  const ir::Code code(program);
  std::map<std::string, std::string> says;
  for (const auto engine : {decide::Exact::Dual, decide::Exact::SingleBuffer}) {
    const bool is_dual = engine == decide::Exact::Dual;
    decide::ExactOptions options;
    options.engine = engine;
    options.rules = unbounded();
    options.limits.seconds = is_dual ? 2 : 0.1;
    options.wants_certificate = is_dual && setting("WEIR_CERTIFICATES", 1) != 0;
    const auto found = decide::check_exact(code, options);
    const std::string name = is_dual ? "dual" : "sb";
    says[name] = word(found.answer.verdict);
    if (const std::string problem = flaw(code, found); !problem.empty())
      return name + ": " + problem;
    if (const std::string problem = is_dual ? flaw_with_symmetry(found) : ""; !problem.empty())
      return problem;
    if (found.certificate) ++tally.counts["certificates"];
  }
  says["explicit"] = by_explicit(code, std::nullopt);
  std::string all, decided;
  for (const auto& [name, says_it] : says) {
    ++tally.counts[name + " " + says_it];
    all += fmt::format("{}: {}  ", name, says_it);
    if (says_it == "open") continue;
    if (!decided.empty() && decided != says_it) return all;
    decided = says_it;
  }
  // Where buffers grow for ever the explicit engine can still find a bug.
  if (says["explicit"] == "open" && decided == "safe" && by_explicit(code, 3) == "unsafe")
    return all + "with buffers of 3: unsafe";
  return {};
}

TEST_CASE("all engines agree on random programs, runs replay and certificates are accepted") {
  const std::uint64_t count = setting("WEIR_PROGRAMS", 100);
  const std::uint64_t first = setting("WEIR_SEED", 1);
  MESSAGE("seeds " << first << " to " << first + count - 1);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    RandomOptions size;
    size.statements = 3 + static_cast<unsigned>(seed % 5);
    size.labels_inside = true;
    const ir::Program program = parse(random_program(seed, size));
    std::string problem;
    const auto ask = [&](const ir::Program& one) {
      Tally ignored;
      try {
        return difference(one, &one == &program ? tally : ignored);
      } catch (const std::exception& e) { return std::string(e.what()); }
    };
    problem = ask(program);
    if (problem.empty()) continue;
    const auto smallest =
        shrink(program, [&](const ir::Program& smaller) { return !ask(smaller).empty(); });
    FAIL("seed " << seed << ": " << problem << "\nsmallest program (" << ask(smallest) << "):\n"
                 << ir::print(smallest));
  }
  std::string text;
  for (const auto& [what, times] : tally.counts) text += fmt::format("  {}: {}\n", what, times);
  MESSAGE("answers:\n" << text);
  CHECK(tally.counts["dual safe"] + tally.counts["dual unsafe"] > count / 2);
}

} // namespace
} // namespace weir::test
