#include "engine/dual/invariants.h"

namespace weir::engine::dual {

using namespace lower;

namespace {

/// The least table with `start` at initial states that is closed under `after`.
template <class Start, class After>
Table least(const Automata& automata, Start&& start, After&& after) {
  Table result;
  for (ThreadIndex t = 0; t < automata.threads.size(); ++t) {
    const Automaton& thread = automata.threads[t];
    auto& at = result.emplace_back(thread.size(), std::vector<ValueSet>(automata.variables.size()));
    for (StateIndex s = 0; s < thread.states; ++s)
      if (thread.initial[s])
        for (VariableIndex x = 0; x < automata.variables.size(); ++x) at[s][x] = start(x);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < thread.own_transitions; ++i) {
        const Transition& transition = thread.transitions[i];
        for (VariableIndex x = 0; x < automata.variables.size(); ++x) {
          const ValueSet more =
              at[transition.to][x] | after(t, transition.op, x, at[transition.from][x]);
          changed = changed || more != at[transition.to][x];
          at[transition.to][x] = more;
        }
      }
    }
    for (StateIndex g = thread.states; g < thread.size(); ++g)
      for (StateIndex s = 0; s < thread.states; ++s)
        if (thread.groups[g - thread.states][s])
          for (VariableIndex x = 0; x < automata.variables.size(); ++x) at[g][x] |= at[s][x];
  }
  return result;
}

const Becomes* written(const Op& op, VariableIndex x) {
  for (const Becomes& write : op.writes)
    if (write.variable == x) return &write;
  return nullptr;
}

const Among* read(const Op& op, VariableIndex x) {
  for (const Among& among : op.reads)
    if (among.variable == x) return &among;
  return nullptr;
}

} // namespace

Table own_values(const Automata& automata) {
  return least(
      automata, [](VariableIndex) { return ValueSet{}; },
      [](ThreadIndex, const Op& op, VariableIndex x, const ValueSet& before) {
        if (op.kind == Op::Kind::Atomic) return ValueSet{};
        if (const Becomes* write = written(op, x)) return ValueSet{}.set(write->value);
        if (const Among* among = read(op, x)) return before & among->values;
        return before;
      });
}

std::vector<std::vector<bool>> speaks_for(const Automata& automata) {
  std::vector<std::vector<bool>> result(automata.threads.size(),
                                        std::vector<bool>(automata.variables.size(), true));
  for (ThreadIndex t = 0; t < automata.threads.size(); ++t)
    for (const Transition& transition : automata.threads[t].transitions)
      for (const Becomes& write : transition.op.writes)
        for (ThreadIndex other = 0; other < automata.threads.size(); ++other)
          if (other != t) result[other][write.variable] = false;
  return result;
}

Table last_values(const Automata& automata) {
  const auto speaks = speaks_for(automata);
  Table result = least(
      automata, [&](VariableIndex x) { return automata.variables[x].initial; },
      [](ThreadIndex, const Op& op, VariableIndex x, const ValueSet& before) {
        if (const Becomes* write = written(op, x)) return ValueSet{}.set(write->value);
        if (const Among* among = read(op, x); among && op.kind == Op::Kind::Atomic)
          return before & among->values;
        return before;
      });
  for (ThreadIndex t = 0; t < result.size(); ++t)
    for (auto& at : result[t])
      for (VariableIndex x = 0; x < automata.variables.size(); ++x)
        if (!speaks[t][x]) at[x] = automata.variables[x].all();
  return result;
}

} // namespace weir::engine::dual
