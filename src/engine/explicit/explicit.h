#pragma once
// All reachable states, breadth first, by brute force.
//
// Exact within its rules: Unsafe comes with a shortest run (in steps that others can notice), Safe
// only if nothing was cut off, with the bounds that were asked for and mattered. Buffers grow
// without limit unless the rules bound them, so a program that fills them for ever ends in
// Undecided by the limits.

#include "ir/code.h"
#include "semantics/machine.h"
#include "verdict/verdict.h"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace weir::engine {

/// Values at a final state: memory by Cell, then of each thread the variables it was asked for.
struct FinalValuation {
  std::vector<ir::Value> memory;
  std::vector<ir::Value> locals;
  auto operator<=>(const FinalValuation&) const = default;
};

/// A variable of a thread whose final values are listed.
struct Observed {
  ThreadIndex thread;
  ir::LocalId local;
  std::uint32_t cell;
};

/// A run that violates nothing.
struct Witness {
  std::vector<ir::Value> initial;
  std::vector<Step> steps;
};

struct ExplicitOptions {
  Rules rules;
  Limits limits;
  Progress progress;
  /// Instead of stopping at violations, collect the valuations of all final states.
  bool all_final = false;
  /// Instead of stopping at violations, called with each memory that a switch of rounds can show:
  /// outside atomic sections and, under a bound, where the round may end. Once for each; the
  /// search stops when it returns true.
  std::function<bool(const std::vector<ir::Value>&)> on_memory;
  /// Instead of stopping at violations, called with each final state: all threads have ended and all
  /// buffers are empty. What no final condition mentions may have been forgotten.
  std::function<void(const semantics::State&)> on_final;
};

struct ExplicitAnswer {
  Answer answer;
  std::vector<Observed> observed;  ///< with all_final
  std::set<FinalValuation> finals; ///< with all_final
  bool has_faults = false;         ///< collecting, a run went wrong: it has no final state
  std::optional<Witness> witness;  ///< how on_memory's last memory is reached, if it said stop
};

ExplicitAnswer check_explicit(const ir::Code& code, const ExplicitOptions& options);

} // namespace weir::engine
