#include "certify/invariants.h"

#include <algorithm>

namespace weir::certify {
namespace {

using lower::Automata;
using lower::Automaton;
using lower::Op;
using lower::StateIndex;
using lower::Transition;
using lower::ValueSet;
using lower::VariableIndex;

const lower::Among* read_of(const Op& op, VariableIndex variable) {
  const auto found = std::ranges::find(op.reads, variable, &lower::Among::variable);
  return found == op.reads.end() ? nullptr : &*found;
}

const lower::Becomes* write_of(const Op& op, VariableIndex variable) {
  const auto found = std::ranges::find(op.writes, variable, &lower::Becomes::variable);
  return found == op.writes.end() ? nullptr : &*found;
}

/// Values of own(x) after the operation, if it had `before`.
ValueSet own_after(const Op& op, VariableIndex x, ValueSet before) {
  if (op.kind == Op::Kind::Atomic) return {};
  if (const auto* write = write_of(op, x)) return ValueSet{}.set(write->value);
  if (const auto* read = read_of(op, x)) return before & read->values;
  return before;
}

/// Values of memory after the operation of the only thread that writes x, if it had `before`.
ValueSet last_after(const Op& op, VariableIndex x, ValueSet before) {
  if (const auto* write = write_of(op, x)) return ValueSet{}.set(write->value);
  if (op.kind == Op::Kind::Atomic)
    if (const auto* read = read_of(op, x)) return before & read->values;
  return before;
}

/// The least solution of "a state has what its transitions bring", by state and variable.
void solve(const Automaton& thread, std::size_t variables, std::vector<ValueSet>& values,
           ValueSet (*after)(const Op&, VariableIndex, ValueSet)) {
  std::vector<std::vector<const Transition*>> from(thread.states);
  for (std::uint32_t t = 0; t < thread.own_transitions; ++t)
    from[thread.transitions[t].from].push_back(&thread.transitions[t]);
  std::vector<StateIndex> work(thread.states);
  for (StateIndex s = 0; s < thread.states; ++s) work[s] = s;
  while (!work.empty()) {
    const StateIndex s = work.back();
    work.pop_back();
    for (const Transition* t : from[s]) {
      bool changed = false;
      for (VariableIndex x = 0; x < variables; ++x) {
        ValueSet& to = values[t->to * variables + x];
        const ValueSet more = to | after(t->op, x, values[s * variables + x]);
        changed |= more != to;
        to = more;
      }
      if (changed) work.push_back(t->to);
    }
  }
}

/// A group has what its members have.
void unite_groups(const Automaton& thread, std::size_t variables, std::vector<ValueSet>& values) {
  for (std::size_t g = 0; g < thread.groups.size(); ++g)
    for (StateIndex s = 0; s < thread.states; ++s)
      for (VariableIndex x = 0; thread.groups[g][s] && x < variables; ++x)
        values[(thread.states + g) * variables + x] |= values[s * variables + x];
}

std::vector<std::vector<bool>> writers(const Automata& automata) {
  std::vector<std::vector<bool>> by_variable(automata.variables.size(),
                                             std::vector<bool>(automata.threads.size()));
  for (ThreadIndex p = 0; p < automata.threads.size(); ++p)
    for (const Transition& t : automata.threads[p].transitions)
      for (const lower::Becomes& write : t.op.writes) by_variable[write.variable][p] = true;
  return by_variable;
}

} // namespace

Invariants::Invariants(const Automata& automata) : automata_(automata) {
  const auto written = writers(automata);
  for (ThreadIndex p = 0; p < automata.threads.size(); ++p) {
    std::vector<bool> alone;
    for (const auto& by : written) alone.push_back(std::ranges::count(by, true) == (by[p] ? 1 : 0));
    threads_.push_back(look_at(p, alone));
  }
}

Invariants::Thread Invariants::look_at(ThreadIndex p, const std::vector<bool>& alone) const {
  const Automaton& thread = automata_.threads[p];
  const std::size_t variables = automata_.variables.size();
  Thread result{{},
                std::vector<ValueSet>(thread.size() * variables),
                std::vector<ValueSet>(thread.size() * variables)};
  for (VariableIndex x = 0; x < variables; ++x)
    if (alone[x]) result.alone.push_back(x);
  for (StateIndex s = 0; s < thread.states; ++s)
    for (VariableIndex x = 0; thread.initial[s] && x < variables; ++x)
      result.last[s * variables + x] = automata_.variables[x].initial;
  solve(thread, variables, result.own, own_after);
  solve(thread, variables, result.last, last_after);
  unite_groups(thread, variables, result.own);
  unite_groups(thread, variables, result.last);
  return result;
}

bool Invariants::narrow(Element& element) const {
  const std::size_t variables = automata_.variables.size();
  for (ThreadIndex p = 0; p < threads_.size(); ++p) {
    const Thread& thread = threads_[p];
    const std::size_t row = element.at[p] * variables;
    for (const VariableIndex x : thread.alone)
      if ((element.memory[x] &= thread.last[row + x]).none()) return false;
    for (Own& own : element.buffers[p].own) {
      own.values &= thread.own[row + own.variable];
      if (std::ranges::binary_search(thread.alone, own.variable))
        own.values = element.memory[own.variable] &= own.values;
      if (own.values.none()) return false;
    }
  }
  return true;
}

} // namespace weir::certify
