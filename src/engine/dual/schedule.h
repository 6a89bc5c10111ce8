#pragma once
// From a path of the search to a run of TSO (section 8 of the design note).
//
// In Dual-TSO a store reaches memory at once and its thread looks at memory as it was earlier. So the
// same run happens under TSO if each thread executes at the time of what it last read, and its
// stores leave the buffer at the time of the Dual-TSO step.

#include "lower/automata.h"

#include <optional>
#include <vector>

namespace weir::engine::dual {

/// Variables whose value each thread then gets to know, oldest first; by thread.
using Propagated = std::vector<std::vector<lower::VariableIndex>>;

struct PathStep {
  struct Taken {
    ThreadIndex thread = 0;
    std::uint32_t transition = 0;
    bool reads_own = false; ///< a read that finds the thread's own store
  };
  std::optional<Taken> taken; ///< none: only propagation
  Propagated then;
};

struct Path {
  std::vector<std::uint32_t> initial; ///< values by variable
  Propagated first;
  std::vector<PathStep> steps;
};

/// Ends with an internal error if the path is not one of Dual-TSO.
std::vector<lower::Event> schedule(const lower::Automata& automata, const Path& path);

} // namespace weir::engine::dual
