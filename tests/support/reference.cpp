#include "support/reference.h"

#include <deque>
#include <string>
#include <unordered_set>

namespace weir::test {
namespace {

std::string key(const semantics::State& state) {
  std::string out;
  const auto put = [&](ir::Value value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  const auto put_all = [&](const std::vector<ir::Value>& values) {
    put(static_cast<ir::Value>(values.size()));
    for (const ir::Value v : values) put(v);
  };
  put_all(state.memory);
  put(state.section ? *state.section : -1);
  put(state.active ? *state.active : -1);
  put(state.sweep);
  for (const semantics::Thread& thread : state.threads) {
    put(thread.process.value);
    put_all(thread.arguments);
    for (const semantics::Frame& frame : thread.stack) {
      put(frame.routine.value);
      put(frame.at);
      put_all(frame.locals);
    }
    put_all(thread.variables);
    put(static_cast<ir::Value>(thread.buffer.size()));
    for (const semantics::Pending& p : thread.buffer) {
      put(p.cell.value);
      put(p.value);
      put(p.age);
    }
    put(thread.ended);
    put(thread.rounds);
  }
  return out;
}

} // namespace

std::optional<Reached> explore(const ir::Code& code, const Rules& rules,
                               const std::vector<engine::Observed>& observed, std::size_t most) {
  const semantics::Machine machine(code, rules);
  Reached result;
  std::unordered_set<std::string> seen;
  std::deque<semantics::State> work;
  const auto reach = [&](const semantics::State& state) {
    if (!seen.insert(key(state)).second) return;
    result.memories.insert(state.memory);
    result.violated = result.violated || machine.violation(state);
    result.cut = result.cut || machine.limit(state);
    if (semantics::is_final(state)) {
      engine::FinalValuation valuation{state.memory, {}};
      for (const engine::Observed& o : observed) {
        const std::uint32_t slot = code.layout.local_base[o.local.value] + o.cell;
        const semantics::Thread& thread = state.threads[o.thread];
        valuation.locals.push_back((*code.program)[o.local].owner
                                       ? thread.stack.front().locals[slot]
                                       : thread.variables[slot]);
      }
      result.finals.insert(std::move(valuation));
    }
    work.push_back(state);
  };
  const auto memories = machine.initial_memories(1000);
  if (!memories) return std::nullopt;
  for (const auto& memory : *memories) reach(machine.start(memory));
  while (!work.empty()) {
    if (seen.size() > most) return std::nullopt;
    const semantics::State state = std::move(work.front());
    work.pop_front();
    for (const semantics::Transition& next : machine.transitions(state)) {
      if (!next.effect.fault)
        reach(next.after);
      else if (semantics::is_limit(*next.effect.fault))
        result.cut = true;
      else
        result.violated = true;
    }
  }
  return result;
}

} // namespace weir::test
