#pragma once
// Sets of single-buffer configurations, and when one includes another.
//
// A configuration is: a state of each thread; a word of messages, which are snapshots of memory, each
// one made by a store and in the order in which stores reach memory; for each thread a pointer to
// the message that is memory for it now; and for each thread and variable perhaps a pending own store:
// the newest message right of the pointer that this thread made by writing this variable.
//
// A Constraint is a word too. It stands for the configurations c for which a weakly increasing map g
// of its messages to those of c exists such that
//   - the last message is mapped to the last;
//   - g(i) has its values in the sets of message i;
//   - each thread is at its place, with its pointer at or left of g(pointer);
//   - own is exact: the pending own store is g(own.position);
//     else:         there is none, or it is at or left of g(own.position).

#include "lower/automata.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace weir::engine::sb {

using lower::StateIndex;
using lower::ValueSet;
using lower::VariableIndex;
using Position = std::uint32_t; ///< of a message, from 0

/// Sets of values by number, so that equal sets have equal numbers.
class Sets {
public:
  using Id = std::uint32_t;
  static constexpr Id empty = 0;

  Sets() { id({}); }
  Id id(const ValueSet& set);
  const ValueSet& operator[](Id id) const { return sets_[id]; }
  Id intersection(Id a, Id b);
  bool is_subset(Id inner, Id outer) const {
    return inner == outer || lower::is_subset(sets_[inner], sets_[outer]);
  }

private:
  std::deque<ValueSet> sets_;
  std::unordered_map<ValueSet, Id> ids_;
};

struct Own {
  Position position = 0; ///< not left of the thread's pointer
  bool is_exact = false; ///< at most one of those on the same message is
};

struct Constraint {
  std::uint32_t variables = 0;
  Position length = 1;            ///< messages
  std::vector<StateIndex> places; ///< by thread
  std::vector<Position> pointers; ///< by thread
  std::vector<Own> owns;          ///< by thread, then variable
  std::vector<Sets::Id> sets;     ///< by message, then variable; never empty sets

  /// One message with the given sets, every pointer on it, and nothing asked of pending stores.
  Constraint(std::vector<StateIndex> places, std::vector<Sets::Id> sets);

  Own& own(ThreadIndex p, VariableIndex x) { return owns[p * variables + x]; }
  const Own& own(ThreadIndex p, VariableIndex x) const { return owns[p * variables + x]; }
  Sets::Id& set(Position i, VariableIndex x) { return sets[i * variables + x]; }
  Sets::Id set(Position i, VariableIndex x) const { return sets[i * variables + x]; }

  bool has_exact_own(ThreadIndex p) const;
  /// Puts a message with these sets before message i (i < length) and moves what points at the
  /// messages from i on along with them.
  void insert(Position i, const std::vector<Sets::Id>& message);
  /// Puts one message with these sets in place of those from i on, and on it all that pointed there.
  void fold(Position i, const std::vector<Sets::Id>& message);
  std::uint64_t bytes() const;
};

/// Whether every configuration of `narrow` is one of `wide`, places aside. Sufficient, not necessary.
bool includes(const Sets& sets, const Constraint& wide, const Constraint& narrow);

} // namespace weir::engine::sb
