#pragma once
// Changes of fences as edits of `.rmm` text, where `;` stands between statements.

#include "frontend/changes.h"

namespace weir::frontend::rmm {

std::vector<Edit> edits(const ir::Program& program, const std::vector<Change>& changes);

} // namespace weir::frontend::rmm
