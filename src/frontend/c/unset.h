#pragma once
// Locals that may be read before they are set: they start at any value, not at 0.

#include "ir/program.h"

#include <map>

namespace weir::frontend::c {

/// `declared`: locals without an initial value, and what values their type has. Those that may be
/// read before they are set get any of them at the start of their procedure.
void choose_unset(ir::Program& program, const std::map<ir::LocalId, ir::Type>& declared);

} // namespace weir::frontend::c
