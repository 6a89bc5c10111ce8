#pragma once
// From the chain of constraints to a run under TSO.

#include "engine/sb/predecessors.h"
#include "engine/sb/targets.h"

namespace weir::engine::sb {

/// One constraint of the chain and the step from it to the next one.
struct Link {
  const Constraint* constraint;
  Step step;
};

/// Runs the steps forward from an initial configuration of the first constraint to one of the seed,
/// and puts them in the order of TSO: a step of a thread happens when the message at its pointer has
/// reached memory and the next one has not. Checks every step; a broken one is an invariant.
std::vector<lower::Event> rebuild_run(const Model& model, const std::vector<Link>& chain,
                                      const Seed& seed);

} // namespace weir::engine::sb
