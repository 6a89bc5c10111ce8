#pragma once
// Code that uses other variables instead.

#include "ir/program.h"

#include <map>

namespace weir::ir {

using Renamed = std::map<LocalId, LocalId>;

/// Replaces locals wherever the code of a thread uses them.
void rename(Block& block, const Renamed& renamed);

} // namespace weir::ir
