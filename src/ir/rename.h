#pragma once
// Code that uses other variables instead, or the same labels by other numbers.

#include "ir/program.h"

#include <map>

namespace weir::ir {

using Renamed = std::map<LocalId, LocalId>;

/// Replaces locals wherever the code of a thread uses them.
void rename(Block& block, const Renamed& renamed);

/// Numbers labels by where they stand, however they were first mentioned: printing and reading a
/// program again gives the same numbers. Labels that stand nowhere go.
void number_labels(Procedure& code);

} // namespace weir::ir
