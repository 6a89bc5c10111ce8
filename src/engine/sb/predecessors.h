#pragma once
// One step back: the constraints from which a transition leads into a given one.
//
// Exact (README.md): what is in a result can get into `after` by flushes and the transition, and
// what gets into `after` by the transition is in a result. Flushes alone lead from nowhere else: what
// can get into a constraint by flushes is in it.

#include "engine/sb/model.h"

namespace weir::engine::sb {

/// How the messages of `after` are related to those of its predecessor, which is what it takes to go
/// forward again. `position` is that of a message.
struct Step {
  enum class Kind : std::uint8_t {
    Keep,   ///< they are the same
    Insert, ///< message `position` of the predecessor is one more
    Append, ///< from `position` on they are the message that the transition made
    Fold,   ///< from `position` on they are the last message of the predecessor
  };
  Kind kind = Kind::Keep;
  Position position = 0;
  ThreadIndex thread = 0;
  std::uint32_t transition = 0; ///< between states
};

struct Predecessor {
  Constraint before;
  Step step;
};

/// Adds all predecessors to `out`.
void find_predecessors(Model& model, const Constraint& after, std::vector<Predecessor>& out);

} // namespace weir::engine::sb
