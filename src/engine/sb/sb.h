#pragma once
// Backward reachability over the single-buffer semantics of TSO.
//
// Exact for finite automata and unbounded store buffers: Unreachable and Reached are both final, and
// Reached carries a run of the automata under TSO. Starts from the targets and takes predecessors,
// keeping only constraints that no other one includes. [1]
// Shares no rule with the other exact engine, so that each can check the other; it is the slower one.
// [1] Abdulla, Atig, Chen, Leonardsson, Rezine. Counter-example guided fence insertion under TSO.
//     TACAS 2012. Where we differ from [1], and why that is right: README.md in this folder.

#include "lower/reachability.h"

namespace weir::engine {

/// Can a target be reached? `statistics` is filled whatever the answer: states are constraints kept,
/// transitions are predecessors computed, depth is the most steps from a target.
/// Needs: no transition leaves a state that holds_section, and only Atomic enters one.
lower::Reachability check_single_buffer(const lower::Automata& automata,
                                        const lower::SearchOptions& options,
                                        Statistics& statistics);

} // namespace weir::engine
