#pragma once
// The meaning of automata, as lower/automata.h states it, executed: slow and plain, to check engines
// against.

#include "lower/reachability.h"

#include <cstddef>
#include <optional>
#include <string>

namespace weir::test {

struct Explored {
  bool reached = false;
  bool is_complete = true; ///< no run was cut off because a buffer was full
};

/// Whether a target is reached by a run under TSO with at most `buffer_bound` pending stores per
/// thread; none if there are more than `most_states` configurations.
std::optional<Explored> reaches_target(const lower::Automata& automata, std::size_t buffer_bound,
                                       std::size_t most_states);

/// Executes the events. Empty if some initial configuration allows all of them and they end in the
/// target, else what went wrong.
std::string replay(const lower::Automata& automata, const lower::Reached& reached);

} // namespace weir::test
