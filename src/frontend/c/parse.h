#pragma once
// C as people write it for x86: text to Program.

#include "base/diagnostic.h"
#include "frontend/changes.h"
#include "ir/program.h"

#include <memory>
#include <optional>

namespace weir::frontend::c {

std::optional<ir::Program> parse(const std::shared_ptr<const Source>& source,
                                 Diagnostics& diagnostics);
std::vector<Edit> edits(const ir::Program& program, const std::vector<Change>& changes);

} // namespace weir::frontend::c
