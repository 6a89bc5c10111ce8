#include "cli/conclude.h"

#include "base/invariant.h"
#include "base/match.h"
#include "report/json.h"
#include "report/text.h"
#include "semantics/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace weir::cli {
namespace {

std::string valuation_name(const ir::Code& code, const engine::Observed& o) {
  const ir::Program& program = *code.program;
  const ir::InitialThread& thread = program.threads[o.thread];
  const ir::Local& local = program[o.local];
  return fmt::format("{}.{}{}", ir::thread_name(program, thread.process, thread.arguments),
                     local.name, ir::path_text(local.type, o.cell));
}

/// Every reachable final valuation, one line each.
std::string finals_text(const ir::Code& code, const engine::ExplicitAnswer& answer) {
  std::string out = fmt::format("{} final valuation{}\n", answer.finals.size(),
                                answer.finals.size() == 1 ? "" : "s");
  for (const engine::FinalValuation& valuation : answer.finals) {
    std::string line;
    for (std::size_t i = 0; i < answer.observed.size(); ++i)
      line += fmt::format(
          "{}={} ", valuation_name(code, answer.observed[i]),
          ir::value_text((*code.program)[answer.observed[i].local].type, valuation.locals[i]));
    for (std::uint32_t i = 0; i < valuation.memory.size(); ++i)
      line += fmt::format(
          "{}={} ", ir::cell_name(*code.program, code.layout, ir::Cell{i}),
          ir::value_text((*code.program)[code.layout.cell_variable[i]].type, valuation.memory[i]));
    if (!line.empty()) line.pop_back();
    out += "  " + line + "\n";
  }
  return out;
}

nlohmann::ordered_json finals_json(const ir::Code& code, const engine::ExplicitAnswer& answer) {
  auto list = nlohmann::ordered_json::array();
  for (const engine::FinalValuation& valuation : answer.finals) {
    auto one = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < answer.observed.size(); ++i)
      one[valuation_name(code, answer.observed[i])] =
          report::value_json((*code.program)[answer.observed[i].local].type, valuation.locals[i]);
    for (std::uint32_t i = 0; i < valuation.memory.size(); ++i)
      one[ir::cell_name(*code.program, code.layout, ir::Cell{i})] = report::value_json(
          (*code.program)[code.layout.cell_variable[i]].type, valuation.memory[i]);
    list.push_back(std::move(one));
  }
  return list;
}

/// With --all-final a complete list is what was asked for.
std::string all_final_text(const ir::Code& code, const Rules& rules,
                           const engine::ExplicitAnswer& answer) {
  std::string out = finals_text(code, answer);
  const std::string under = report::rules_text(rules);
  out += match(
      answer.answer.verdict,
      [&](const Safe& safe) {
        if (safe.coverage.is_exhaustive())
          return fmt::format("all that can happen under {}\n", under);
        return fmt::format("all that can happen under {} with {}\n", under,
                           fmt::join(safe.coverage.bounds, " and "));
      },
      [](const Unsafe&) { return std::string(); },
      [&](const Undecided& u) { return fmt::format("not all under {}: {}\n", under, u.reason); });
  return out + report::statistics_text(answer.answer.statistics) + "\n";
}

} // namespace

ExitCode conclude(const ir::Code& code, const Conclusion& conclusion, const Answer& answer,
                  Console& console) {
  std::optional<semantics::Playback> playback;
  if (const auto* unsafe = std::get_if<Unsafe>(&answer.verdict)) {
    const semantics::Machine machine(code, conclusion.rules);
    auto played = semantics::replay(machine, unsafe->run);
    invariant(std::holds_alternative<semantics::Playback>(played), "a reported run should replay");
    playback = std::move(std::get<semantics::Playback>(played));
  }
  const semantics::Playback* shown = playback ? &*playback : nullptr;
  const auto json = [&] {
    auto value = report::answer_json(code, conclusion.engine, conclusion.rules, answer, shown);
    if (conclusion.finals) value["finals"] = finals_json(code, *conclusion.finals);
    if (!conclusion.covered.empty()) value["covered"] = conclusion.covered;
    return value.dump(2) + "\n";
  };
  if (!conclusion.save.empty() && shown) {
    std::ofstream out(conclusion.save);
    out << json();
    if (!out.flush()) return console.reject(conclusion.save, std::strerror(errno));
  }
  if (conclusion.format == Format::Json)
    console.print(json());
  else if (conclusion.finals)
    console.print(all_final_text(code, conclusion.rules, *conclusion.finals));
  else
    console.print(report::answer_text(code, conclusion.rules, answer, shown, console.style()));
  return exit_code(answer.verdict, conclusion.is_bounded);
}

} // namespace weir::cli
