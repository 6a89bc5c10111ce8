// CBMC on what we emit against bounded TSO: verdicts of random programs, and for straight-line
// programs the complete set of final outcomes. Without CBMC there is nothing to compare.
// WEIR_PROGRAMS sets how many (a tenth is taken), WEIR_SEED the first seed.

#include "backend/cbmc_output.h"
#include "backend/checker.h"
#include "engine/explicit/explicit.h"
#include "ir/print.h"
#include "process/process.h"
#include "support/parse.h"
#include "support/random_program.h"
#include "support/settings.h"
#include "support/shrink.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <unistd.h>

namespace weir::test {
namespace {

using translate::Encoding;

bool has_cbmc() {
  if (backend::find_checker(emit::Target::Cbmc)) return true;
  MESSAGE("CBMC is not installed: not compared");
  return false;
}

/// "safe", "unsafe", or why there is no answer.
std::string by_cbmc(const ir::Program& program, const translate::Wish& wish, double seconds) {
  backend::Question question;
  question.wish = wish;
  question.limits.seconds = seconds;
  try {
    const auto reply = backend::ask(program, question);
    if (const auto* undecided = std::get_if<Undecided>(&reply.answer.verdict))
      return undecided->reason;
    return std::holds_alternative<Safe>(reply.answer.verdict) ? "safe" : "unsafe";
  } catch (const backend::NotConfirmed& e) { return std::string("not confirmed: ") + e.what(); }
}

std::string by_us(const ir::Program& program, Bound bound) {
  engine::ExplicitOptions options;
  options.rules.bound = bound;
  options.limits.bytes = std::uint64_t{64} << 20;
  const auto answer = engine::check_explicit(ir::Code(program), options).answer;
  if (std::holds_alternative<Undecided>(answer.verdict)) return "undecided";
  return std::holds_alternative<Safe>(answer.verdict) ? "safe" : "unsafe";
}

TEST_CASE("CBMC finds a violation iff there is one within the bound, and it lifts") {
  if (!has_cbmc()) return;
  const std::uint64_t count = setting("WEIR_PROGRAMS", 150) / 5;
  const std::uint64_t first = setting("WEIR_SEED", 1);
  std::size_t compared = 0, unsafe = 0;
  for (std::uint64_t seed = first; compared < count; ++seed) {
    const ir::Program program = parse(random_program(seed, {3, true, seed % 2 == 0}));
    if (backend::has_cycles(program)) continue;
    const Bound bound{Bound::Kind::Sweeps, static_cast<std::uint32_t>(seed % 3)};
    const auto differ = [&](const ir::Program& p) {
      const auto ours = by_us(p, bound);
      return ours != "undecided" && ours != by_cbmc(p, {Encoding::Eager, bound}, 30);
    };
    ++compared;
    unsafe += by_us(program, bound) == "unsafe";
    if (!differ(program)) continue;
    const auto smallest = shrink(program, differ);
    FAIL("seed " << seed << ", sweeps " << bound.k << ": we say " << by_us(smallest, bound)
                 << ", CBMC " << by_cbmc(smallest, {Encoding::Eager, bound}, 30)
                 << "\nsmallest program:\n"
                 << ir::print(smallest));
  }
  MESSAGE(compared << " programs compared, " << unsafe << " unsafe");
}

TEST_CASE("programs that were once answered wrongly") {
  if (!has_cbmc()) return;
  // Loops and recursion that a thread never leaves; assigned parameters; names that C or our own
  // machinery uses; plain ints; places reached by local steps only, and inside sections.
  const char* programs[] = {
      R"(shared int<0..1> x, y;  thread bool b;
process P { x = 1; while (true) { if (b) y = 1; } }
process Q { assert(x == 0); })",
      R"(shared int<0..1> x, y;  thread bool b;
process P { x = 1; l: skip; if (b) y = 1; goto l; }
process Q { assert(x == 0); })",
      R"(shared int<0..1> x, y;  thread bool b;
procedure p { call p; }
process P { x = 1; call p; }
process Q { assert(x == 0); })",
      R"(shared int<0..1> x;
process P(int<0..1> me) { x = me; me = 1; cs: skip; }
forbid P(0)@cs;)",
      R"(shared int<0..1> x;
thread int<0..3> r; process P(int<0..1> me) { x = me; r = me + 1; me = 1 - me; } final P(0).r == 2;)",
      R"(process P(int<0..1> me) { assert(me == 1); }
main { int<0..1> n = 0; spawn P(n); })",
      R"(shared int<0..1> x;  process P { x = 1; }
main { int id; id = spawn P; join id; assert(x == 0); })",
      R"(shared int x;  process P { x = 1; }  process Q { assert(x == 0); })",
      R"(shared int<0..1> y;
process P(int<0..1> me) { skip; l1: y = 0; }
forbid P@l1, P@l1;)",
      R"(shared int<0..1> x, y;
process P { atomic { x = 1; m: x = 0; } }
process Q { y = 1; skip; n: y = 0; }
forbid P@m, Q@n;)",
  };
  const translate::Wish wishes[] = {{Encoding::Eager, {Bound::Kind::Sweeps, 2}},
                                    {Encoding::Lazy, {Bound::Kind::Sweeps, 2}},
                                    {Encoding::Flush, {Bound::Kind::Age, 1}},
                                    {Encoding::Paper, {Bound::Kind::Rounds, 1}}};
  for (const char* text : programs)
    for (const auto& wish : wishes) {
      INFO(translate::row(wish.encoding).name, "\n", text);
      CHECK(by_cbmc(parse(text), wish, 60) == "unsafe");
    }
}

TEST_CASE("what CBMC finds for bounded rounds covers them, and is real") {
  if (!has_cbmc()) return;
  const std::uint64_t count = setting("WEIR_PROGRAMS", 150) / 15;
  const std::uint64_t first = setting("WEIR_SEED", 1);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; compared < count; ++seed) {
    const ir::Program program = parse(random_program(seed, {3, true, true}));
    if (backend::has_cycles(program)) continue;
    ++compared;
    const Bound bound{Bound::Kind::Rounds, static_cast<std::uint32_t>(seed % 2)};
    const auto found = by_cbmc(program, {Encoding::Eager, bound}, 30);
    INFO("seed ", seed, ", rounds ", bound.k, "\n", ir::print(program));
    if (by_us(program, bound) == "unsafe") CHECK(found == "unsafe");
    if (by_us(program, {}) == "safe") CHECK(found == "safe");
  }
}

/// Two threads of loads, stores and fences; each load into a register of its own.
struct StraightLine {
  std::string text;
  std::vector<std::string> registers;
};

StraightLine straight_line(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  StraightLine result;
  result.text = "shared bool x, y;\nthread bool a, b;\n";
  for (const char* process : {"P", "Q"}) {
    result.text += fmt::format("process {} {{\n", process);
    std::size_t loads = 0;
    for (std::size_t i = 0, n = 2 + random() % 3; i < n; ++i) {
      const char* variable = random() % 2 ? "x" : "y";
      switch (random() % 5) {
      case 0:
      case 1:
        result.text += fmt::format("{} = {};\n", variable, random() % 3 ? "true" : "false");
        break;
      case 2:
      case 3:
        if (loads < 2) {
          const char* name = loads++ ? "b" : "a";
          result.text += fmt::format("{} = {};\n", name, variable);
          result.registers.push_back(fmt::format("{}.{}", process, name));
        }
        break;
      default:
        result.text += random() % 3 ? "fence;\n" : fmt::format("cas({}, false, true);\n", variable);
      }
    }
    result.text += "}\n";
  }
  return result;
}

/// Every valuation of registers and memory, as a conjunction.
std::vector<std::string> outcomes(const StraightLine& program) {
  std::vector<std::string> names = program.registers;
  names.insert(names.end(), {"x", "y"});
  std::vector<std::string> result;
  for (std::size_t bits = 0; bits < std::size_t{1} << names.size(); ++bits) {
    std::string one;
    for (std::size_t i = 0; i < names.size(); ++i)
      one += fmt::format("{}{}{}", i ? " && " : "", bits >> i & 1 ? "" : "!", names[i]);
    result.push_back(one);
  }
  return result;
}

/// The outcomes that CBMC says can happen: one property each, all asked at once.
std::set<std::string> outcomes_by_cbmc(const StraightLine& line, const translate::Wish& wish) {
  std::string text = line.text;
  const auto all = outcomes(line);
  for (const std::string& outcome : all) text += fmt::format("final !({});\n", outcome);
  const ir::Program program = parse(text);
  const auto emitted = emit::emit(program, wish, emit::Target::Cbmc);
  REQUIRE(std::holds_alternative<emit::Emitted>(emitted));
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("weir-test-{}", getpid());
  std::filesystem::create_directories(folder);
  const auto file = folder / "outcomes.c";
  std::ofstream(file) << std::get<emit::Emitted>(emitted).c.text;
  Limits limits;
  limits.seconds = 120;
  const auto finished =
      process::run({{*backend::find_checker(emit::Target::Cbmc), file.string(),
                     "--no-standard-checks", "--no-unwinding-assertions", "--json-ui"},
                    ""},
                   limits);
  const auto reading = backend::read_cbmc(finished.out);
  std::filesystem::remove_all(folder);
  INFO(reading.message);
  REQUIRE((reading.kind == backend::CbmcReading::Kind::Failed ||
           reading.kind == backend::CbmcReading::Kind::Successful));
  // Properties are told apart by the line of their final condition.
  const auto first_line =
      static_cast<std::size_t>(std::count(line.text.begin(), line.text.end(), '\n')) + 1;
  std::set<std::string> result;
  for (const std::string& property : reading.violated) {
    const auto number = std::stoul(property.substr(property.find_last_of(' ') + 1));
    REQUIRE(number >= first_line);
    result.insert(all.at(number - first_line));
  }
  return result;
}

std::set<std::string> outcomes_by_us(const StraightLine& line, Bound bound) {
  std::set<std::string> result;
  for (const std::string& outcome : outcomes(line))
    if (by_us(parse(line.text + fmt::format("final !({});\n", outcome)), bound) == "unsafe")
      result.insert(outcome);
  return result;
}

TEST_CASE("CBMC's final outcomes of straight-line programs are all of those within the bound") {
  if (!has_cbmc()) return;
  const std::uint64_t count = setting("WEIR_PROGRAMS", 150) / 15;
  const std::uint64_t first = setting("WEIR_SEED", 1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto line = straight_line(seed);
    const auto k = static_cast<std::uint32_t>(seed % 3);
    const Bound bound{Bound::Kind::Sweeps, k};
    INFO("seed ", seed, ", sweeps ", k, "\n", line.text);
    CHECK(outcomes_by_cbmc(line, {Encoding::Eager, bound}) == outcomes_by_us(line, bound));
  }
}

TEST_CASE("the paper's form gives CBMC exactly the outcomes of rounds and age") {
  if (!has_cbmc()) return;
  const std::uint64_t count = setting("WEIR_PROGRAMS", 150) / 50;
  const std::uint64_t first = setting("WEIR_SEED", 1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto line = straight_line(seed);
    for (const auto kind : {Bound::Kind::Rounds, Bound::Kind::Age}) {
      const Bound bound{kind, 1};
      INFO("seed ", seed, ", ", std::string(name(kind)), " 1\n", line.text);
      CHECK(outcomes_by_cbmc(line, {Encoding::Paper, bound}) == outcomes_by_us(line, bound));
    }
  }
}

} // namespace
} // namespace weir::test
