// Programs state their own verdicts: each `expect:` line in the comments of examples/ and
// tests/verdict/ is checked. `MODEL=VERDICT` is exhaustive; `MODEL=VERDICT@buffer=N` is within buffers of N. Under TSO
// without a bound all native engines are asked: dual must answer, the others must not contradict.

#include "decide/exact.h"
#include "frontend/load.h"
#include "support/parse.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <regex>
#include <vector>

namespace weir::test {
namespace {

struct Expectation {
  Model model;
  std::string verdict;
  std::optional<std::uint32_t> buffer;
};

std::vector<Expectation> expectations(const std::string& text) {
  static const std::regex line(R"((?:^|\n)\s*(?://)?\s*expect:([^\n]*))");
  static const std::regex item(R"((\S+)=(safe|unsafe)(@buffer=(\d+))?(?=\s|$))");
  std::vector<Expectation> result;
  for (std::sregex_iterator l(text.begin(), text.end(), line), end; l != end; ++l) {
    const std::string items = (*l)[1];
    for (std::sregex_iterator i(items.begin(), items.end(), item); i != end; ++i) {
      const auto model = model_named((*i)[1].str());
      REQUIRE_MESSAGE(model, items);
      Expectation e{*model, (*i)[2], std::nullopt};
      if ((*i)[4].matched) e.buffer = static_cast<std::uint32_t>(std::stoul((*i)[4]));
      result.push_back(e);
    }
  }
  return result;
}

/// "safe", "unsafe" or "undecided".
std::string exactly(const ir::Program& program, decide::Exact engine) {
  const ir::Code code(program);
  decide::ExactOptions options;
  options.engine = engine;
  options.limits.seconds = engine == decide::Exact::SingleBuffer ? 2 : 20;
  const auto answer = decide::check_exact(code, options).answer;
  if (std::holds_alternative<Undecided>(answer.verdict)) return "undecided";
  return std::holds_alternative<Safe>(answer.verdict) ? "safe" : "unsafe";
}

TEST_CASE("every program has the verdicts it states") {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {WEIR_ROOT "/examples", WEIR_ROOT "/tests/verdict"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".cp" || entry.path().extension() == ".rmm" ||
          entry.path().extension() == ".c")
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() > 70);
  for (const auto& file : files) {
    const std::string text = read_file(file);
    const auto program = frontend::parse(std::make_shared<const Source>(file.filename(), text));
    REQUIRE_MESSAGE(program, file << " has mistakes");
    const auto expected = expectations(text);
    CHECK_MESSAGE(!expected.empty(), file << " states no verdict");
    for (const Expectation& e : expected) {
      Rules rules;
      rules.model = e.model;
      rules.buffer = e.buffer;
      const std::string found = verdict(*program, rules);
      if (e.model == Model::TSO && !e.buffer) {
        const std::string dual = exactly(*program, decide::Exact::Dual);
        // C has counters that are finite only because of what others do: not for lowering.
        const bool may_give_up = file.extension() == ".c" && dual == "undecided";
        CHECK_MESSAGE((dual == e.verdict || may_give_up), file.string() << " by dual");
        const std::string other = exactly(*program, decide::Exact::SingleBuffer);
        CHECK_MESSAGE((other == e.verdict || other == "undecided"), file.string() << " by sb");
        if (found == "undecided") continue; // buffers grow for ever: not for the explicit engine
      }
      const std::string wanted = e.verdict == "unsafe" ? "unsafe" : e.buffer ? "bounded" : "safe";
      const bool fits = found.rfind(wanted, 0) == 0 || (e.buffer && found == "safe");
      CHECK_MESSAGE(fits, file.string() << " under " << name(e.model) << ": expected " << e.verdict
                                        << ", found " << found);
    }
  }
}

} // namespace
} // namespace weir::test
