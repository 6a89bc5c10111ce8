#pragma once
// From a path of the search to a run of TSO (section 8 of the design note).
//
// In Dual-TSO a store reaches memory at once and its thread looks at memory as it was earlier. So the
// same run happens under TSO if each thread executes at the time of what it last read, and its
// stores leave the buffer at the time of the Dual-TSO step.

#include "lower/automata.h"

#include <vector>

namespace weir::engine::dual {

struct PathStep {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  ThreadIndex thread = 0;
  std::uint32_t transition = none;     ///< none: the thread gets to know a value of memory
  bool reads_own = false;              ///< a read that finds the thread's own store
  lower::VariableIndex propagated = 0; ///< without a transition: of this variable
};

struct Path {
  std::vector<std::uint32_t> initial; ///< values by variable
  std::vector<PathStep> steps;
};

/// Ends with an internal error if the path is not one of Dual-TSO.
std::vector<lower::Event> schedule(const lower::Automata& automata, const Path& path);

} // namespace weir::engine::dual
