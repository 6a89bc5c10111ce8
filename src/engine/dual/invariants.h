#pragma once
// What is always so in Dual-TSO, found by looking at one thread at a time. The search drops
// constraints that contradict it and narrows the rest.

#include "lower/automata.h"

#include <vector>

namespace weir::engine::dual {

/// By thread, position (state or group) and variable.
using Table = std::vector<std::vector<std::vector<lower::ValueSet>>>;

/// The values that the newest own store to a variable can have while it is in the load buffer:
/// nothing at the start and after an atomic step, v after a store of v, and after reading one of R
/// only those in R.
Table own_values(const lower::Automata& automata);

/// Whether no thread but this one writes the variable; by thread and variable.
std::vector<std::vector<bool>> speaks_for(const lower::Automata& automata);

/// The values that memory can have while a thread that speaks for the variable is there; else all.
/// Memory of Dual-TSO changes with the writer's step, so this is a matter of that thread alone.
Table last_values(const lower::Automata& automata);

} // namespace weir::engine::dual
