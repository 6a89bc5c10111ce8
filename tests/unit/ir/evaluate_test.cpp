#include "ir/evaluate.h"

#include <doctest/doctest.h>

#include <limits>

using namespace weir::ir;

namespace {
Value value(Op op, Value a, Value b) { return std::get<Value>(apply(op, a, b)); }
constexpr Value least = std::numeric_limits<Value>::min();
constexpr Value most = std::numeric_limits<Value>::max();
} // namespace

TEST_CASE("bits and shifts are of two's complement, without a width") {
  CHECK(std::get<Value>(apply(Op::BitAnd, -1, 6)) == 6);
  CHECK(std::get<Value>(apply(Op::BitOr, -8, 1)) == -7);
  CHECK(std::get<Value>(apply(Op::BitXor, 5, 1)) == 4);
  CHECK(std::get<Value>(apply(Op::Shl, -3, 2)) == -12);
  CHECK(std::get<Value>(apply(Op::Shr, -3, 1)) == -2);
  CHECK(std::get<Value>(apply(Op::Shl, -1, 63)) == std::numeric_limits<Value>::min());
  CHECK(std::get<Value>(apply(Op::Shl, 0, 63)) == 0);
  CHECK(std::get<Fault>(apply(Op::Shl, 1, 63)) == Fault::Overflow);
  CHECK(std::get<Fault>(apply(Op::Shl, 1, 64)) == Fault::BadShift);
  CHECK(std::get<Fault>(apply(Op::Shr, 1, -1)) == Fault::BadShift);
}

TEST_CASE("operators compute as in C") {
  CHECK(value(Op::Sub, 1, 0) == 1);
  CHECK(value(Op::Add, 2, 3) == 5);
  CHECK(value(Op::Mul, -2, 3) == -6);
  CHECK(value(Op::Div, -7, 2) == -3); // towards zero
  CHECK(value(Op::Mod, -7, 2) == -1);
  CHECK(value(Op::Mod, least, -1) == 0);
  CHECK(value(Op::Le, 2, 2) == 1);
  CHECK(value(Op::Ne, 2, 2) == 0);
  CHECK(std::get<Value>(apply(Op::Not, 0)) == 1);
  CHECK(std::get<Value>(apply(Op::Neg, 5)) == -5);
}

TEST_CASE("what has no value says why") {
  CHECK(std::get<Fault>(apply(Op::Div, 1, 0)) == Fault::DivisionByZero);
  CHECK(std::get<Fault>(apply(Op::Mod, 1, 0)) == Fault::DivisionByZero);
  CHECK(std::get<Fault>(apply(Op::Add, most, 1)) == Fault::Overflow);
  CHECK(std::get<Fault>(apply(Op::Sub, least, 1)) == Fault::Overflow);
  CHECK(std::get<Fault>(apply(Op::Mul, most, 2)) == Fault::Overflow);
  CHECK(std::get<Fault>(apply(Op::Div, least, -1)) == Fault::Overflow);
  CHECK(std::get<Fault>(apply(Op::Neg, least)) == Fault::Overflow);
}
