#pragma once
// Threads are named by the arguments they were started with, so those must stay known.

#include "ir/program.h"

namespace weir::translate {

/// The same program, in which no process assigns its parameters: one that did works on a copy.
ir::Program with_kept_parameters(ir::Program program);

} // namespace weir::translate
