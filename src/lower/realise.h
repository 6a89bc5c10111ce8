#pragma once
// A run of the automata as a run of the program.
//
// The program is driven on the reference semantics: for each step of the automata its thread alone
// executes instructions until it is where the step leads and has written what the step writes.
// Nothing is assumed of how the automata came about; a run that cannot be followed is our bug.

#include "lower/lower.h"
#include "lower/reachability.h"

namespace weir::lower {

/// Ends with an internal error if the run is none of the program's. Gives up at a limit.
std::variant<Run, GaveUp> realise(const ir::Code& code, const Rules& rules, const Lowered& lowered,
                                  const Reached& reached, Watch& watch);

} // namespace weir::lower
