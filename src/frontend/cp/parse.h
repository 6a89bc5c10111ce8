#pragma once
// The .cp language: text to Program.

#include "base/diagnostic.h"
#include "base/source.h"
#include "ir/program.h"

#include <memory>
#include <optional>

namespace weir::frontend::cp {

/// Reports every mistake it finds. With mistakes the Program, if any, is only fit for further checks.
std::optional<ir::Program> parse(const std::shared_ptr<const Source>& source,
                                 Diagnostics& diagnostics);

} // namespace weir::frontend::cp
