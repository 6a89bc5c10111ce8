#pragma once
// What makes sense in no language: atomic sections that do not balance, threads without number.

#include "base/diagnostic.h"
#include "ir/program.h"

namespace weir::frontend {

void check_wellformed(const ir::Program& program, Diagnostics& diagnostics);

} // namespace weir::frontend
