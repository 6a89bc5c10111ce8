#pragma once
// The initial state of a litmus test, and what it asks about the final states.

#include "frontend/litmus/context.h"
#include "frontend/litmus/litmus.h"

namespace weir::frontend::litmus {

/// Locations and registers with their initial values.
void read_initial_state(const Source& source, SourceSpan span, Context& context);
/// Locations, filter and condition; the program is built.
void read_constraint(const Source& source, SourceSpan span, Context& context, Test& test);

} // namespace weir::frontend::litmus
