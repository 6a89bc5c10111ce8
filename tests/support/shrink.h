#pragma once
// Makes a program that shows a failure as small as it gets.

#include "ir/program.h"

#include <functional>

namespace weir::test {

/// Leaves out statements, branches and properties for as long as `fails` stays true.
ir::Program shrink(ir::Program program, const std::function<bool(const ir::Program&)>& fails);

} // namespace weir::test
