#pragma once
// Any Program as .cp text. Reading it again gives the same Program.

#include "ir/program.h"

#include <string>

namespace weir::ir {

std::string print(const Program& program);
std::string print(const Program& program, const Expr& expr);
std::string print(const Program& program, const Place& place);
std::string print(const Program& program, const LocalPlace& place);
std::string print(const Type& type);

} // namespace weir::ir
