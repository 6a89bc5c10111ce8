#pragma once
// Automata by hand, for tests: variables with values 0..n-1, threads by their transitions.

#include "lower/automata.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace weir::test {

using Values = std::vector<std::uint32_t>;

inline lower::ValueSet value_set(const Values& values) {
  lower::ValueSet result;
  for (const std::uint32_t v : values) result.set(v);
  return result;
}

inline lower::Among among(lower::VariableIndex x, const Values& values) {
  return {x, value_set(values)};
}

struct AutomataBuilder {
  lower::Automata automata;

  lower::VariableIndex variable(std::uint32_t size, const Values& initial) {
    lower::Variable& made = automata.variables.emplace_back();
    made.name = "x" + std::to_string(automata.variables.size() - 1);
    for (std::uint32_t v = 0; v < size; ++v) made.values.push_back(std::to_string(v));
    made.initial = value_set(initial);
    return static_cast<lower::VariableIndex>(automata.variables.size() - 1);
  }

  /// Starts in state 0; transitions are those added until the next one.
  lower::Automaton& thread(std::uint32_t states) {
    lower::Automaton& made = automata.threads.emplace_back();
    made.name = "T" + std::to_string(automata.threads.size() - 1);
    made.states = states;
    made.initial.assign(states, false);
    made.initial[0] = true;
    made.holds_section.assign(states, false);
    return made;
  }

  void step(lower::StateIndex from, lower::StateIndex to, lower::Op op) {
    automata.threads.back().transitions.push_back({from, to, std::move(op)});
    ++automata.threads.back().own_transitions;
  }
  void nop(lower::StateIndex from, lower::StateIndex to) { step(from, to, {}); }
  void read(lower::StateIndex from, lower::StateIndex to, lower::VariableIndex x,
            const Values& values) {
    step(from, to, {lower::Op::Kind::Read, {among(x, values)}, {}});
  }
  void write(lower::StateIndex from, lower::StateIndex to, lower::VariableIndex x,
             std::uint32_t v) {
    step(from, to, {lower::Op::Kind::Write, {}, {{x, v}}});
  }

  /// A group of the last thread; returns its number.
  lower::StateIndex group(const std::vector<lower::StateIndex>& members) {
    lower::Automaton& last = automata.threads.back();
    std::vector<bool> set(last.states);
    bool is_initial = false;
    for (const lower::StateIndex s : members) {
      set[s] = true;
      is_initial = is_initial || last.initial[s];
    }
    last.groups.push_back(set);
    last.initial.push_back(is_initial);
    last.holds_section.push_back(false);
    return last.size() - 1;
  }

  void target(std::vector<lower::StateIndex> at, std::vector<lower::Among> memory = {}) {
    automata.targets.push_back({std::move(at), std::move(memory)});
  }
};

/// Peterson's mutual exclusion. Variables: the flags, then turn.
inline lower::Automata peterson(const Values& first_turn = {0, 1}) {
  AutomataBuilder b;
  for (int t = 0; t < 2; ++t) b.variable(2, {0});
  b.variable(2, first_turn);
  for (std::uint32_t me = 0; me < 2; ++me) {
    b.thread(5);
    b.write(0, 1, me, 1);
    b.write(1, 2, 2, 1 - me);
    b.read(2, 3, 1 - me, {0});
    b.read(2, 3, 2, {me});
    b.write(3, 4, me, 0);
    b.nop(4, 0);
  }
  b.target({3, 3});
  return std::move(b.automata);
}

} // namespace weir::test
