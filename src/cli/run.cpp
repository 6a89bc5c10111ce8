#include "base/match.h"
#include "cli/options.h"
#include "report/json.h"
#include "report/steps.h"
#include "report/text.h"
#include "semantics/choices.h"
#include "semantics/replay.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

namespace weir::cli {
namespace {

using semantics::Machine;
using semantics::Playback;
using semantics::Transition;

/// What a run that was taken step by step ended in.
std::optional<Violation> violation_of(const Machine& machine, const Playback& playback) {
  if (!playback.steps.empty() && playback.steps.back().effect.fault) {
    const semantics::Played& last = playback.steps.back();
    return FaultAt{*last.effect.fault, last.step.thread, last.span};
  }
  return machine.violation(playback.steps.empty() ? playback.start : playback.steps.back().after);
}

const semantics::State& last_state(const Playback& playback) {
  return playback.steps.empty() ? playback.start : playback.steps.back().after;
}

std::vector<Transition> possible(const Machine& machine, const Playback& playback) {
  if (violation_of(machine, playback)) return {};
  return machine.transitions(last_state(playback));
}

void take(Playback& playback, Transition transition) {
  playback.steps.push_back({transition.step, std::move(transition.effect), transition.span,
                            std::move(transition.after)});
}

nlohmann::ordered_json to_json(const Machine& machine, const Playback& playback) {
  // The shape of an answer, so that --replay reads both.
  Answer answer{Undecided{"a single run"}, {}};
  if (auto violation = violation_of(machine, playback)) {
    std::vector<Step> steps;
    for (const auto& played : playback.steps) steps.push_back(played.step);
    answer.verdict = Unsafe{Run{playback.start.memory, std::move(steps), *violation}};
  }
  auto json = report::answer_json(machine.code(), "run", machine.rules(), answer, &playback);
  json.erase("statistics");
  json["run"] = report::run_json(machine.code(), playback);
  return json;
}

ExitCode show(const Machine& machine, const Playback& playback, const RunFlags& flags,
              Console& console, const std::string& end) {
  const auto json = to_json(machine, playback);
  if (!flags.save.empty()) {
    std::ofstream out(flags.save);
    out << json.dump(2) << "\n";
    if (!out.flush()) return console.reject(flags.save, std::strerror(errno));
  }
  const auto violation = violation_of(machine, playback);
  if (format_named(flags.format) == Format::Json) {
    console.print(json.dump(2) + "\n");
  } else {
    std::string text = report::run_text(machine.code(), playback, console.style()) + "\n";
    if (violation)
      text += fmt::format("{}: {}\n", report::red(console.style(), "violation"),
                          report::violation_text(machine.code(), *violation, last_state(playback)));
    else
      text += end + "\n";
    console.print(text);
  }
  return violation ? ExitCode::Violated : ExitCode::Holds;
}

ExitCode replay_saved(const ir::Code& code, const RunFlags& flags, Console& console) {
  std::ifstream in(flags.replay);
  if (!in) return console.reject(flags.replay, std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  const auto read = report::read_run(code, text.str());
  if (const auto* problem = std::get_if<std::string>(&read))
    return console.reject(flags.replay, "this is not a saved run: " + *problem);
  const auto& saved = std::get<report::SavedRun>(read);
  const Machine machine(code, saved.rules);
  const auto played =
      saved.violation
          ? semantics::replay(machine, Run{saved.initial, saved.steps, *saved.violation})
          : semantics::play(machine, saved.initial, saved.steps);
  if (const auto* derailed = std::get_if<semantics::Derailed>(&played))
    return console.reject(flags.replay,
                          fmt::format("this is not a run of {} under {}: {}", flags.file,
                                      report::rules_text(saved.rules), derailed->reason));
  const auto& playback = std::get<Playback>(played);
  if (format_named(flags.format) == Format::Text)
    console.print(fmt::format("{}: confirmed, a run of {} under {}, {} steps\n\n", flags.replay,
                              flags.file, report::rules_text(saved.rules), playback.steps.size()));
  return show(machine, playback, flags, console, "the run ends without a violation");
}

/// Why no step can follow.
std::string ending(const Machine&, const Playback& playback) {
  return semantics::is_final(last_state(playback)) ? "all threads have ended"
                                                   : "no thread can move";
}

ExitCode simulate(const Machine& machine, Playback playback, const RunFlags& flags,
                  Console& console) {
  std::mt19937_64 random(flags.seed);
  std::string end = fmt::format("stopped after {} steps (--steps)", flags.steps);
  for (std::uint32_t i = 0; i < flags.steps && !interrupted; ++i) {
    auto next = possible(machine, playback);
    if (next.empty()) {
      end = ending(machine, playback);
      break;
    }
    // A thread first, then one of its steps: many choices of one thread do not crowd out others.
    std::vector<ThreadIndex> threads;
    for (const Transition& t : next)
      if (threads.empty() || threads.back() != t.step.thread) threads.push_back(t.step.thread);
    const ThreadIndex thread = threads[random() % threads.size()];
    std::erase_if(next, [&](const Transition& t) { return t.step.thread != thread; });
    take(playback, std::move(next[random() % next.size()]));
  }
  return show(machine, playback, flags, console, end);
}

ExitCode step_through(const Machine& machine, Playback playback, const RunFlags& flags,
                      Console& console) {
  const ir::Program& program = *machine.code().program;
  for (;;) {
    auto next = possible(machine, playback);
    const semantics::State& now = last_state(playback);
    const auto names = report::thread_names(program, now);
    std::string text = "\n" + report::state_text(machine.code(), now);
    for (std::size_t i = 0; i < next.size(); ++i) {
      const auto words = report::describe(machine.code(), now, next[i]);
      const std::string line = words.line ? fmt::format("{}: ", words.line) : "";
      text += fmt::format("{:>3}  {}  {}{}{}\n", i + 1, names[next[i].step.thread], line,
                          words.statement,
                          words.effect.empty() ? "" : fmt::format("  ({})", words.effect));
    }
    console.print(text);
    if (next.empty()) return show(machine, playback, flags, console, ending(machine, playback));
    std::string answer;
    std::size_t choice = 0;
    while (choice == 0) {
      console.print(fmt::format("step 1..{}, u to undo, q to stop: ", next.size()));
      if (interrupted || !std::getline(std::cin, answer) || answer == "q")
        return show(machine, playback, flags, console, "stopped");
      if (answer == "u") break;
      const auto [end, problem] =
          std::from_chars(answer.data(), answer.data() + answer.size(), choice);
      if (problem != std::errc{} || end != answer.data() + answer.size() || choice > next.size())
        choice = 0;
    }
    if (choice != 0)
      take(playback, std::move(next[choice - 1]));
    else if (!playback.steps.empty())
      playback.steps.pop_back();
  }
}

} // namespace

ExitCode run(const RunFlags& flags, Console& console) {
  if (const auto conflict = flags.rules.conflict()) return console.reject("weir run", *conflict);
  const auto program = console.load(flags.file, format_named(flags.format));
  if (!program) return ExitCode::BadInput;

  const ir::Code code(*program);
  if (const auto problem = semantics::too_many_choices(code)) {
    console.complain(*problem + "\n");
    return ExitCode::Undecided;
  }
  if (!flags.replay.empty()) return replay_saved(code, flags, console);
  const Rules rules = flags.rules.rules();
  const Machine machine(code, rules);
  const auto memories = machine.initial_memories(1u << 20);
  if (!memories) return console.reject(flags.file, "there are too many initial memories to choose");
  std::mt19937_64 random(flags.seed);
  const auto& memory = (*memories)[flags.random ? random() % memories->size() : 0];
  Playback playback{machine.start(memory), {}};
  return flags.random ? simulate(machine, std::move(playback), flags, console)
                      : step_through(machine, std::move(playback), flags, console);
}

} // namespace weir::cli
