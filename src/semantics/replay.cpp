#include "semantics/replay.h"

#include "base/match.h"

#include <fmt/format.h>

namespace weir::semantics {

std::variant<Playback, Derailed> play(const Machine& machine, const std::vector<ir::Value>& initial,
                                      const std::vector<Step>& steps) {
  const ir::Program& program = *machine.code().program;
  std::vector<ir::Value> memory;
  for (const ir::Shared& variable : program.shared)
    for (const ir::Initial& value : variable.initial) {
      if (memory.size() >= initial.size()) return Derailed{"the initial memory is too small"};
      const ir::Value given = initial[memory.size()];
      if (value ? *value != given : !variable.type.scalar().contains(given))
        return Derailed{fmt::format("'{}' cannot start at {}", variable.name, given)};
      memory.push_back(given);
    }
  if (memory.size() != initial.size()) return Derailed{"the initial memory is too large"};

  Playback playback{machine.start(memory), {}};
  State state = playback.start;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!playback.steps.empty() && playback.steps.back().effect.fault)
      return Derailed{fmt::format("step {}: the run ended with the step before", i + 1)};
    bool found = false;
    for (Transition& next : machine.transitions(state, steps[i].thread)) {
      if (!(next.step == steps[i])) continue;
      state = next.after;
      playback.steps.push_back(
          {next.step, std::move(next.effect), next.span, std::move(next.after)});
      found = true;
      break;
    }
    if (!found) return Derailed{fmt::format("step {} is not possible", i + 1)};
  }
  return playback;
}

std::variant<Playback, Derailed> replay(const Machine& machine, const Run& run) {
  auto result = play(machine, run.initial, run.steps);
  const auto* playback = std::get_if<Playback>(&result);
  if (!playback) return result;
  const State& last = playback->steps.empty() ? playback->start : playback->steps.back().after;
  const bool faulted = !playback->steps.empty() && playback->steps.back().effect.fault;
  const bool confirmed = match(
      run.violation,
      [&](const FaultAt& f) {
        return faulted && playback->steps.back().effect.fault == f.fault &&
               playback->steps.back().step.thread == f.thread;
      },
      [&](const ForbidReached& f) {
        const auto& forbids = machine.code().program->forbids;
        return !faulted && f.forbid < forbids.size() &&
               reached_by(machine.code(), last.threads, forbids[f.forbid]).has_value();
      },
      [&](const FinalBroken& f) {
        const auto& finals = machine.code().program->finals;
        if (faulted || f.final_condition >= finals.size() || !is_final(last)) return false;
        const auto holds = evaluate_final(machine.code(), last.memory, last.threads,
                                          finals[f.final_condition].condition);
        return is_broken(holds);
      });
  if (!confirmed) return Derailed{"the run does not end in the violation it claims"};
  return result;
}

} // namespace weir::semantics
