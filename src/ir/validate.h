#pragma once
// What every Program promises. Runs after each stage; a broken promise is a bug of ours.

#include "ir/program.h"

#include <optional>
#include <string>

namespace weir::ir {

/// The first promise that is broken, in words; none if all is well.
std::optional<std::string> find_flaw(const Program& program);

/// Passes a program on, or ends with an internal error.
Program validated(Program program);

} // namespace weir::ir
