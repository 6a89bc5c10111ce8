#include "certify/suitable.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace weir::certify {
namespace {

using lower::Automata;
using lower::Automaton;
using lower::StateIndex;
using lower::Transition;
using lower::ValueSet;
using lower::VariableIndex;

std::span<const Transition> between_states(const Automaton& thread) {
  return std::span(thread.transitions).first(thread.own_transitions);
}

/// Transitions into the group, by where they come from.
std::vector<std::vector<const Transition*>> into_group(const Automaton& thread, StateIndex group) {
  std::vector<std::vector<const Transition*>> by_from(thread.size());
  for (const Transition& t : std::span(thread.transitions).subspan(thread.own_transitions))
    if (t.to == group) by_from[t.from].push_back(&t);
  return by_from;
}

std::optional<std::string> unsuitable_group(const Automaton& thread, StateIndex group) {
  const auto& members = thread.groups[group - thread.states];
  for (StateIndex s = 0; s < thread.states; ++s) {
    if (!members[s]) continue;
    if (thread.initial[s] && !thread.initial[group]) return "starts in a member but not there";
    if (thread.holds_section[group] && !thread.holds_section[s])
      return "holds the section but a member does not";
  }
  const auto by_from = into_group(thread, group);
  const auto listed = [&](const Transition& t, StateIndex from) {
    return std::ranges::any_of(by_from[from], [&](const auto* u) { return u->op == t.op; });
  };
  for (const Transition& t : between_states(thread)) {
    if (!members[t.to] || (members[t.from] && t.op.writes.empty())) continue;
    bool found = listed(t, t.from);
    for (StateIndex g = thread.states; !found && g < thread.size(); ++g)
      found = thread.covers(g, t.from) && listed(t, g);
    if (!found) return fmt::format("lacks the transition from state {} to state {}", t.from, t.to);
  }
  return std::nullopt;
}

std::optional<std::string> unsuitable_section(const Automaton& thread) {
  for (const Transition& t : between_states(thread)) {
    const bool before = thread.holds_section[t.from], after = thread.holds_section[t.to];
    if (before && !after) return fmt::format("leaves a section from state {}", t.from);
    if (!before && after && t.op.kind != lower::Op::Kind::Atomic)
      return fmt::format("enters a section by a step that is not atomic, to state {}", t.to);
  }
  return std::nullopt;
}

std::optional<std::string> malformed_set(const lower::Variable& variable, const ValueSet& set) {
  if (set.none()) return fmt::format("has an empty set for {}", variable.name);
  if (!lower::is_subset(set, variable.all()))
    return fmt::format("has no such value of {}", variable.name);
  return std::nullopt;
}

/// In normal form: own-messages of different variables in their order, each older than all messages
/// of its variable.
std::optional<std::string> malformed_buffer(const Automata& automata, const Buffer& buffer) {
  const auto known = [&](VariableIndex x) { return x < automata.variables.size(); };
  for (const auto& [variable, set] : buffer.messages) {
    if (!known(variable)) return "has a message of a variable that does not exist";
    if (const auto wrong = malformed_set(automata.variables[variable], set)) return wrong;
  }
  for (const Own& own : buffer.own) {
    if (!known(own.variable)) return "has an own store to a variable that does not exist";
    if (const auto wrong = malformed_set(automata.variables[own.variable], own.values))
      return wrong;
    if (own.older > buffer.messages.size()) return "has too few messages older than an own store";
    const auto older = buffer.messages.end() - own.older;
    if (std::any_of(older, buffer.messages.end(),
                    [&](const auto& message) { return message.variable == own.variable; }))
      return "has a message that is older than the own store to its variable";
  }
  const auto out_of_order = [](const Own& a, const Own& b) { return a.variable >= b.variable; };
  if (std::ranges::adjacent_find(buffer.own, out_of_order) != buffer.own.end())
    return "has own stores out of order";
  return std::nullopt;
}

} // namespace

std::optional<std::string> unsuitable(const Automata& automata) {
  for (const Automaton& thread : automata.threads) {
    if (const auto wrong = unsuitable_section(thread))
      return fmt::format("{} {}", thread.name, *wrong);
    for (StateIndex group = thread.states; group < thread.size(); ++group)
      if (const auto wrong = unsuitable_group(thread, group))
        return fmt::format("group {} of {} {}", group, thread.name, *wrong);
  }
  return std::nullopt;
}

std::optional<std::string> malformed(const Automata& automata, const Element& element) {
  const auto threads = automata.threads.size();
  if (element.at.size() != threads || element.buffers.size() != threads ||
      element.memory.size() != automata.variables.size())
    return "does not have the threads and variables of the program";
  for (VariableIndex x = 0; x < element.memory.size(); ++x)
    if (const auto wrong = malformed_set(automata.variables[x], element.memory[x])) return wrong;
  for (ThreadIndex p = 0; p < threads; ++p) {
    const Automaton& thread = automata.threads[p];
    if (element.at[p] >= thread.size())
      return fmt::format("is at a state that {} does not have", thread.name);
    if (const auto wrong = malformed_buffer(automata, element.buffers[p])) return wrong;
    if (element.at[p] >= thread.states && element.buffers[p] != Buffer{})
      return fmt::format("says something of the buffer of {}, which is in a group", thread.name);
  }
  return std::nullopt;
}

} // namespace weir::certify
