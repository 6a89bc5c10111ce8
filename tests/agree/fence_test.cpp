// Fence sets against brute force on seeded random programs: every subset of the places is decided.
// WEIR_PROGRAMS sets how many, WEIR_SEED the first seed.

#include "engine/explicit/explicit.h"
#include "fence/search.h"
#include "ir/print.h"
#include "support/fences.h"
#include "support/parse.h"
#include "support/random_program.h"
#include "support/settings.h"
#include "support/shrink.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>

namespace weir::test {
namespace {

constexpr std::size_t most_places = 6;

Rules unbounded() {
  Rules rules;
  rules.depth = 4;
  return rules;
}

Verdict verdict_of(const ir::Program& program, const Rules& rules) {
  Limits limits;
  limits.seconds = 1;
  return decide()(ir::Code(program), rules, limits, false).verdict;
}

/// The minimal safe sets, by trying all subsets; none if one of them is too hard.
std::optional<std::vector<fence::Set>> brute_force(const ir::Program& program,
                                                   const std::vector<fence::Place>& places) {
  std::vector<bool> safe(std::size_t{1} << places.size());
  for (std::size_t subset = 0; subset < safe.size(); ++subset) {
    fence::Choice chosen(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) chosen[i] = (subset >> i) & 1;
    const Verdict verdict = verdict_of(fence::with_marks(program, places, chosen), unbounded());
    if (std::holds_alternative<Undecided>(verdict)) return std::nullopt;
    safe[subset] = std::holds_alternative<Safe>(verdict);
  }
  std::vector<fence::Set> result;
  for (std::size_t subset = 0; subset < safe.size(); ++subset) {
    bool minimal = safe[subset];
    fence::Set set;
    for (std::size_t i = 0; i < places.size(); ++i)
      if ((subset >> i) & 1) {
        set.push_back(i);
        minimal = minimal && !safe[subset & ~(std::size_t{1} << i)];
      }
    if (minimal) result.push_back(set);
  }
  std::sort(result.begin(), result.end(), [](const fence::Set& a, const fence::Set& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return result;
}

/// Two or three threads that store and read, few fences, loops and sections, in few lines.
std::string buffering_program(std::mt19937_64& random) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto variable = [&] { return std::string(1, "xyz"[below(below(2) ? 2 : 3)]); };
  const auto simple = [&](const auto& self, unsigned depth) -> std::string {
    switch (below(depth > 1 ? 10 : 15)) {
    case 0:
    case 1:
    case 2:
    case 3: return fmt::format("{} = {};\n", variable(), 1 + below(2));
    case 4:
    case 5:
    case 6:
    case 7: return fmt::format("{} = {};\n", below(2) ? "r" : "s", variable());
    case 8: return below(3) == 0 ? "fence;\n" : fmt::format("{} = r;\n", variable());
    case 9: return below(2) ? fmt::format("cas({}, 0, 1);\n", variable()) : "skip;\n";
    case 10: return fmt::format("if (r == {}) {}", below(2), self(self, depth + 1));
    case 11:
      return fmt::format("while (r != s) {{ {} {} }}\n", self(self, depth + 1),
                         self(self, depth + 1));
    case 12: return fmt::format("atomic {{ {} {} }}\n", self(self, 2), self(self, 2));
    case 13:
      return fmt::format("if ({} == 0) {{ {} }} else {}", variable(), self(self, depth + 1),
                         self(self, depth + 1));
    default: return fmt::format("{{ {} {} }}\n", self(self, depth + 1), self(self, depth + 1));
    }
  };
  std::string out = "shared int<0..2> x, y, z;\nthread int<0..2> r, s;\n";
  const bool parametric = below(4) == 0;
  const unsigned threads = parametric ? 1 : 2 + (below(4) == 0);
  for (unsigned t = 0; t < threads; ++t) {
    out += fmt::format("process {}{} {{\n", "PQR"[t], parametric ? "(int<0..1> me)" : "");
    const auto some = [&] {
      for (unsigned n = below(threads > 2 ? 2 : 3); n > 0; --n)
        out +=
            parametric && below(3) == 0 ? "if (me == 0) " + simple(simple, 1) : simple(simple, 0);
    };
    // A store and a later read of something else are what it is about.
    const unsigned turn = parametric ? 0 : t;
    some();
    if (parametric)
      out += "if (me == 0) x = 1; else y = 1;\n";
    else
      out += fmt::format("{} = 1;\n", "xyz"[turn]);
    some();
    if (parametric)
      out += "if (me == 0) r = y; else r = x;\n";
    else
      out += fmt::format("{} = {};\n", below(2) ? "r" : "s", "xyz"[(turn + 1) % threads]);
    some();
    out += "}\n";
  }
  return out;
}

/// The text with a final condition that SC keeps and TSO does not, if there is one.
std::optional<std::string> with_weak_outcome(const std::string& text, std::mt19937_64& random) {
  const ir::Program program = parse(text);
  const ir::Code code(program);
  std::set<engine::FinalValuation> finals[2];
  std::vector<engine::Observed> observed;
  for (const Model model : {Model::SC, Model::TSO}) {
    engine::ExplicitOptions options;
    options.rules = rules(model);
    options.all_final = true;
    options.limits.bytes = std::uint64_t{8} << 20;
    auto found = engine::check_explicit(code, options);
    if (!std::holds_alternative<Safe>(found.answer.verdict)) return std::nullopt;
    finals[model == Model::TSO] = std::move(found.finals);
    observed = std::move(found.observed);
  }
  std::vector<engine::FinalValuation> weak;
  for (const auto& one : finals[1])
    if (finals[0].count(one) == 0) weak.push_back(one);
  if (weak.empty()) return std::nullopt;
  const auto& chosen = weak[random() % weak.size()];
  std::string condition = "true";
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const ir::Local& local = program[observed[i].local];
    const ir::InitialThread& thread = program.threads[observed[i].thread];
    if (!local.owner)
      condition +=
          fmt::format(" && {}.{} == {}", ir::thread_name(program, thread.process, thread.arguments),
                      local.name, chosen.locals[i]);
  }
  for (std::size_t i = 0; i < chosen.memory.size(); ++i)
    condition += fmt::format(" && {} == {}", program.shared[i].name, chosen.memory[i]);
  return fmt::format("{}final !({});\n", text, condition);
}

struct Tally {
  std::size_t compared = 0, with_sets = 0, unrepairable = 0, skipped = 0, retried = 0;
};

/// Whether a run stays possible with any fences that its clause does not name.
std::string retrial_flaw(const ir::Program& program, const std::vector<fence::Place>& places,
                         std::mt19937_64& random, Tally& tally) {
  const ir::Program bare = fence::with_marks(program, places, fence::Choice(places.size()));
  const ir::Code code(bare);
  Limits limits;
  limits.seconds = 1;
  const Verdict verdict = decide()(code, unbounded(), limits, false).verdict;
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  if (!unsafe) return {};
  const auto clause = fence::clause(code, unbounded(), unsafe->run);
  for (int round = 0; round < 4; ++round) {
    fence::Choice others(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      others[i] = clause.count(i) == 0 && (round == 0 || random() % 2 == 0);
    const ir::Program fenced = fence::with_marks(program, places, others);
    ++tally.retried;
    if (!fence::retry(ir::Code(fenced), unbounded(), unsafe->run))
      return fmt::format("a run cannot be retimed; its clause is {}", fmt::join(clause, " "));
  }
  return {};
}

std::string difference(const ir::Program& program, fence::Placement::Kind kind,
                       std::mt19937_64& random, Tally& tally) {
  const auto all = gaps(program, {kind, {}, {}});
  if (const auto flaw = retrial_flaw(program, all, random, tally); !flaw.empty()) return flaw;
  if (all.size() > most_places) {
    ++tally.skipped;
    return {};
  }
  Rules sc = unbounded();
  sc.model = Model::SC;
  if (!std::holds_alternative<Safe>(verdict_of(program, sc))) {
    ++tally.skipped;
    return {};
  }
  const auto expected = brute_force(program, all);
  const auto found = search(program, all, unbounded());
  if (!expected || !found.is_complete) {
    ++tally.skipped;
    return {};
  }
  ++tally.compared;
  tally.with_sets += found.sets != std::vector<fence::Set>{{}};
  tally.unrepairable += found.sets.empty();
  if (found.sets == *expected) return {};
  return fmt::format("found {}, expected {}", found.sets, *expected);
}

void compare(const std::string& text, std::uint64_t seed, Tally& tally) {
  std::mt19937_64 random(seed);
  const ir::Program program = parse(text);
  for (const auto kind : {fence::Placement::Kind::AfterWrites, fence::Placement::Kind::BeforeReads,
                          fence::Placement::Kind::Anywhere}) {
    const std::string flaw = difference(program, kind, random, tally);
    if (flaw.empty()) continue;
    const auto small = shrink(program, [&](const ir::Program& candidate) {
      Tally ignored;
      return !difference(candidate, kind, random, ignored).empty();
    });
    FAIL_CHECK("seed " << seed << ": " << flaw << "\n" << print(small) << "\nof\n" << text);
  }
}

void report(const Tally& tally) {
  MESSAGE("compared " << tally.compared << " (" << tally.with_sets << " with fences, "
                      << tally.unrepairable << " beyond repair), skipped " << tally.skipped
                      << ", retimed " << tally.retried << " runs");
}

} // namespace

TEST_CASE("fence sets are those of brute force, on programs that break only on TSO") {
  const auto first = setting("WEIR_SEED", 1), count = setting("WEIR_PROGRAMS", 150);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(seed);
    if (const auto text = with_weak_outcome(buffering_program(random), random))
      compare(*text, seed, tally);
  }
  report(tally);
  CHECK(tally.with_sets > count / 10);
}

TEST_CASE("fence sets are those of brute force, on programs of the whole language") {
  const auto first = setting("WEIR_SEED", 1), count = setting("WEIR_PROGRAMS", 150);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    RandomOptions options;
    options.labels_inside = seed % 3 == 0;
    options.tiny = seed % 2 == 0;
    compare(random_program(seed, options), seed, tally);
  }
  report(tally);
}

TEST_CASE("repairs of random programs read back as what was decided") {
  const auto first = setting("WEIR_SEED", 1), count = setting("WEIR_PROGRAMS", 150) * 2;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(seed);
    const ir::Program program = parse(random_program(seed));
    auto chosen = gaps(program, {fence::Placement::Kind::Anywhere, {}, {}});
    std::erase_if(chosen, [&](const fence::Place&) { return random() % 2 == 0; });
    const std::string text = with_fences(program, chosen);
    const ir::Program expected =
        fence::with_marks(program, chosen, fence::Choice(chosen.size(), true));
    const bool same = parse(text) == expected;
    if (!same) {
      FAIL_CHECK("seed " << seed << ":\n" << text << "\nbut expected\n" << print(expected));
      return;
    }
  }
}

} // namespace weir::test
