#pragma once
// When a statement goes wrong by itself: a value that does not fit, an index that does not exist, a
// division by zero. The IR's own semantics stops there; who leaves the IR (C checkers) needs it as
// a condition. What can be proved from declared ranges is left out.

#include "ir/program.h"

#include <optional>

namespace weir::ir {

__extension__ using Wide = __int128; // sums and products of 64 bits

/// The values an expression may have, from the declared ranges; saturates at 128 bits.
struct Interval {
  Wide lo = 0;
  Wide hi = 0;
};
Interval interval(const Program& program, const Expr& expr);

/// A condition; none: it always holds.
using Guarantee = std::optional<Expr>;

/// Evaluating the expression does not go wrong.
Guarantee is_fine(const Program& program, const Expr& expr);
/// It is fine and its value is one of the type's.
Guarantee fits(const Program& program, const Expr& expr, const Type& scalar);
/// All indices of the path exist.
Guarantee exists(const Program& program, const Type& type, const std::vector<Expr>& path);
Guarantee both(Guarantee left, Guarantee right);

/// The same program with an assert before each statement that may go wrong. What depends on memory
/// is left to whoever translates it: the value of a load, and the new value of a cas and an arw.
Program with_explicit_faults(Program program);

} // namespace weir::ir
