#pragma once
// Where the search starts.

#include "engine/sb/model.h"

#include <optional>

namespace weir::engine::sb {

/// A constraint from whose configurations a target can be reached, or is.
struct Seed {
  Constraint constraint;
  std::uint32_t target = 0;
  /// The step that ends the run: a thread enters the section in which the target has it, at the time
  /// of message 0. Stores that have not reached memory then never do.
  std::optional<lower::Event> entry;
};

/// One for each target without sections; for one with a section, one for each way into it.
std::vector<Seed> find_seeds(Model& model);

} // namespace weir::engine::sb
