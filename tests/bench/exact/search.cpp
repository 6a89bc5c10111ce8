// Times the exact search by itself: no parsing, no lowering, no run. For scripts/bench exact.
//   bench_search [--without FEATURE] [--seconds N] [--print] FILE...
// Features: own last signatures removes lightest symmetry
// merges. Prints one line per file; columns are
// explained by scripts/bench exact.

#include "engine/dual/dual.h"
#include "frontend/load.h"
#include "lower/lower.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace weir;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string size_text(const lower::Automata& automata) {
  std::size_t states = 0, transitions = 0;
  for (const lower::Automaton& thread : automata.threads) {
    states += thread.states;
    transitions += thread.own_transitions;
  }
  return fmt::format("{}/{}/{}/{}", automata.threads.size(), states, automata.variables.size(),
                     transitions);
}

struct Settings {
  engine::DualOptions search;
  lower::LowerOptions lowering;
  bool prints = false;
};

void measure(const std::string& file, const Settings& settings) {
  const auto source = frontend::read_source(file);
  const auto program = frontend::parse(std::get<0>(source));
  const ir::Code code(*program);
  double before = cpu_seconds();
  const auto lowered = lower::lower(code, {}, settings.lowering);
  const double lowering = cpu_seconds() - before;
  const auto* usable = std::get_if<lower::Lowered>(&lowered);
  if (!usable) {
    fmt::print("{} -\n", file);
    return;
  }
  if (settings.prints) fmt::print("{}", lower::print(usable->automata));
  // Short searches are repeated: the fastest counts.
  double best = 1e9, spent = 0;
  engine::DualAnswer answer;
  for (int i = 0; i < 1000 && (i == 0 || spent < 0.1); ++i) {
    before = cpu_seconds();
    answer = engine::check_dual(usable->automata, settings.search);
    const double taken = cpu_seconds() - before;
    best = std::min(best, taken);
    spent += taken;
  }
  const char* verdict[] = {"safe", "unsafe", "undecided"};
  fmt::print("{} {} {} {} {} {:.1f} {:.1f} {}\n", std::filesystem::path(file).stem().string(),
             size_text(usable->automata), verdict[answer.reachability.index()],
             answer.statistics.states, answer.statistics.transitions, best * 1e6, lowering * 1e6,
             answer.statistics.bytes);
}

} // namespace

int main(int argc, char** argv) {
  Settings settings;
  engine::DualOptions& options = settings.search;
  options.search.limits.seconds = 60;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--seconds") {
      options.search.limits.seconds = std::stod(argv[++i]);
    } else if (word == "--print") {
      settings.prints = true;
    } else if (word == "--without") {
      const std::string off = argv[++i];
      const auto has = [&](const char* name) { return off.find(name) != std::string::npos; };
      options.own_values = !has("own");
      options.last_values = !has("last");
      options.signatures = !has("signatures");
      options.removes = !has("removes");
      options.lightest_first = !has("lightest");
      options.symmetry = !has("symmetry");
      settings.lowering.merges = !has("merges");
    } else {
      measure(word, settings);
    }
  }
  return 0;
}
