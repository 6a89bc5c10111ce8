#pragma once
// Replays a run step by step on the reference semantics. A counterexample that does not is none.

#include "semantics/machine.h"

#include <string>
#include <variant>
#include <vector>

namespace weir::semantics {

/// One step of a replayed run, with what it did and the state after it.
struct Played {
  Step step;
  Effect effect;
  SourceSpan span;
  State after;
};

struct Playback {
  State start;
  std::vector<Played> steps;
};

struct Derailed {
  std::string reason;
};

/// Executes the steps; says at which step that is not possible.
std::variant<Playback, Derailed> play(const Machine& machine, const std::vector<ir::Value>& initial,
                                      const std::vector<Step>& steps);

/// Executes the run and confirms that it ends in the violation it claims.
std::variant<Playback, Derailed> replay(const Machine& machine, const Run& run);

} // namespace weir::semantics
