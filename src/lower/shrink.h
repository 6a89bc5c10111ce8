#pragma once
// Makes unfolded threads small: steps that nobody notices are left out, states and values that
// nobody can tell apart become one.
//
// Keeps, for every target, whether it can be reached. What is merged:
//   - a state whose only steps are local becomes its successors;
//   - a store and a fence right after it become one locked store;
//   - states with the same mark that can do the same (bisimilar), and values of a variable on which
//     all threads act alike, both together as one coarsest partition;
//   - reads that take any value, and stores to variables that no read depends on, are local steps.
// States with a mark are never left out, nor merged with states of another mark.

#include "lower/unfold.h"

#include <optional>
#include <vector>

namespace weir::lower {

/// What must stay apart. `mark` 0: nothing to see here. Marks and sorts by thread and location.
struct Apart {
  std::vector<std::vector<std::uint32_t>> mark;
  std::vector<std::vector<std::uint32_t>> sort; ///< states of different sorts are never merged
  std::vector<bool> pinned;                     ///< by variable: each value counts
};

struct ShrunkVariable {
  std::vector<std::uint32_t> class_of; ///< by value
  std::uint32_t classes = 0;
  bool is_visible = false; ///< someone can tell its values apart
};

struct ShrunkEdge {
  StateIndex from = 0, to = 0;
  Op::Kind kind = Op::Kind::Nop;
  std::vector<std::pair<VariableIndex, std::vector<std::uint32_t>>> reads; ///< sets of classes
  std::vector<std::pair<VariableIndex, std::uint32_t>> writes;
  auto operator<=>(const ShrunkEdge&) const = default;
};

struct ShrunkThread {
  std::uint32_t states = 0;
  std::vector<std::uint32_t> mark, sort; ///< by state
  std::vector<bool> initial;
  std::vector<ShrunkEdge> edges;
  std::vector<std::optional<StateIndex>> state_of; ///< by location; none: left out
};

struct Shrunk {
  std::vector<ShrunkVariable> variables; ///< as unfolded
  std::vector<ShrunkThread> threads;
};

/// Whatever `watch` says, the result is right; it is only not as small.
/// Without `merges`, states and values that are alike stay apart: to see what it is worth.
Shrunk shrink(const Unfolding& unfolding, const Apart& apart, bool merges, Watch& watch);

} // namespace weir::lower
