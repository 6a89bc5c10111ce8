#pragma once
// What operators do. Written once: constants in front ends and every engine use it.

#include "ir/program.h"

#include <variant>

namespace weir::ir {

enum class Fault : std::uint8_t {
  AssertionFailed,
  DivisionByZero,
  BadShift, ///< by less than nothing or more than 63
  IndexOutOfBounds,
  OutOfRange,   ///< a value that its variable cannot hold
  NoSuchThread, ///< join of a number that no thread has
  // Not the program's fault but the end of what we can follow:
  Overflow, ///< beyond 64 bits
  CallsTooDeep,
  TooManyThreads,
};

/// A value, or what went wrong in computing it.
using Outcome = std::variant<Value, Fault>;

Outcome apply(Op op, Value operand);
/// Of `And` and `Or` too: the caller decides whether the right side is looked at.
Outcome apply(Op op, Value left, Value right);

} // namespace weir::ir
