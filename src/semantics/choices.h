#pragma once
// `*` chooses among the values of a type; where there are too many, nobody can list them.

#include "ir/code.h"

#include <optional>
#include <string>

namespace weir::semantics {

/// The first `*` that the program may come to and that has too many values, in words.
std::optional<std::string> too_many_choices(const ir::Code& code);

} // namespace weir::semantics
