#pragma once
// A program as one finite automaton per thread over variables with finitely many values: what the
// exact engines work on.
//
// Meaning (TSO). A configuration is a state of each automaton, a FIFO store buffer for each thread,
// and memory. Initially every automaton is in an initial state, buffers are empty, and each variable
// has one of its initial values. A transition of a thread may happen when its Op can:
//   Nop     always.
//   Read    the newest pending store to the variable in the own buffer, or else memory, has one of
//           the values. Exactly one entry in `reads`.
//   Write   always; the value goes to the end of the own buffer. Exactly one entry in `writes`.
//   Atomic  the own buffer is empty and memory has, for each entry of `reads`, one of its values;
//           then all `writes` reach memory at once. Without either it is a fence; with one read and
//           one write it is a locked instruction (`arw`); with more it is an atomic section.
// At any time the oldest pending store of a thread may reach memory.
// A thread in a state that `holds_section` is inside an atomic section: no other thread takes a step
// or flushes. It stays there, because the state is there only for targets to name: no transition
// leaves it, only Atomic ones enter it, and such a target has no memory sets.
//
// The question is whether a target can be reached: each thread in the given state (or any member of
// the given group), memory within the given sets once all buffers have been emptied. Targets
// without memory sets say nothing of buffers.

#include "verdict/run.h"

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::lower {

using VariableIndex = std::uint32_t;
using StateIndex = std::uint32_t;

/// How many values of a variable can be told apart at most.
constexpr std::size_t most_values = 256;
/// Values of one variable, by their index in Variable::values.
using ValueSet = std::bitset<most_values>;

inline bool is_subset(const ValueSet& inner, const ValueSet& outer) {
  return (inner & ~outer).none();
}

struct Variable {
  std::string name;
  std::vector<std::string> values; ///< their names; of values that nobody can tell apart, the first
  ValueSet initial;

  std::uint32_t size() const { return static_cast<std::uint32_t>(values.size()); }
  ValueSet all() const { return ~ValueSet{} >> (most_values - values.size()); }
};

struct Among { ///< a variable and values it may have
  VariableIndex variable = 0;
  ValueSet values;
  bool operator==(const Among&) const = default;
};
struct Becomes { ///< a variable and the index of the value it gets
  VariableIndex variable = 0;
  std::uint32_t value = 0;
  bool operator==(const Becomes&) const = default;
};

struct Op {
  enum class Kind : std::uint8_t { Nop, Read, Write, Atomic };
  Kind kind = Kind::Nop;
  std::vector<Among> reads;    ///< of different variables, sorted by them; never an empty set
  std::vector<Becomes> writes; ///< of different variables, sorted by them
  bool operator==(const Op&) const = default;
};

struct Transition {
  StateIndex from = 0;
  StateIndex to = 0;
  Op op;
  bool operator==(const Transition&) const = default;
};

/// The states of an automaton are numbered 0..states-1. A *group* stands for "somewhere in this set
/// of states, which a thread leaves only into a section"; group g has the number states + g.
/// Transitions into a group are those that matter to others (they write, or they enter it); the rest
/// need not be looked at, because what came before them is in the group too. A state that holds the
/// section is in no group: to enter it would have been the last step of all, and it can be left out.
struct Automaton {
  std::string name;
  std::uint32_t states = 0;
  std::vector<std::vector<bool>> groups; ///< members, by state
  std::vector<bool> initial;             ///< by state or group: can be where the thread starts
  std::vector<bool> holds_section;       ///< by state or group
  std::vector<Transition> transitions;   ///< between states, then those into groups
  std::uint32_t own_transitions = 0;     ///< how many are between states

  std::uint32_t size() const { return states + static_cast<std::uint32_t>(groups.size()); }
  /// Whether being at `wide` includes being at `narrow` (either may be a group).
  bool covers(StateIndex wide, StateIndex narrow) const;
};

struct Target {
  std::vector<StateIndex> at; ///< by thread: a state or a group
  std::vector<Among> memory;  ///< sorted by variable; what is not named is free
  bool operator==(const Target&) const = default;
};

struct Automata {
  std::vector<Variable> variables;
  std::vector<Automaton> threads;
  std::vector<Target> targets;
};

/// One step of a run of the automata under TSO.
struct Event {
  static constexpr std::uint32_t flush = ~std::uint32_t{0};
  ThreadIndex thread = 0;
  std::uint32_t transition = flush; ///< index into Automaton::transitions, or `flush`
};

/// All of it as text, one line per transition, the same for the same automata.
std::string print(const Automata& automata);

} // namespace weir::lower
