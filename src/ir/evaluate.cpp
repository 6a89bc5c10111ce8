#include "ir/evaluate.h"

#include "base/invariant.h"

#include <limits>

namespace weir::ir {

Outcome apply(Op op, Value operand) {
  if (op == Op::Not) return Value{operand == 0};
  invariant(op == Op::Neg, "an operator should have its number of operands");
  if (operand == std::numeric_limits<Value>::min()) return Fault::Overflow;
  return -operand;
}

Outcome apply(Op op, Value left, Value right) {
  Value result = 0;
  const auto checked = [&](bool overflow) -> Outcome {
    if (overflow) return Fault::Overflow;
    return result;
  };
  switch (op) {
  case Op::Add: return checked(__builtin_add_overflow(left, right, &result));
  case Op::Sub: return checked(__builtin_sub_overflow(left, right, &result));
  case Op::Mul: return checked(__builtin_mul_overflow(left, right, &result));
  case Op::Div:
  case Op::Mod:
    if (right == 0) return Fault::DivisionByZero;
    if (left == std::numeric_limits<Value>::min() && right == -1) {
      if (op == Op::Mod) return Value{0};
      return Fault::Overflow;
    }
    return op == Op::Div ? left / right : left % right;
  case Op::Shl:
    if (right < 0 || right > 63) return Fault::BadShift;
    return checked(right == 63 ? left != 0 && (left != -1 || (result = left << 62 << 1, false))
                               : __builtin_mul_overflow(left, Value{1} << right, &result));
  case Op::Shr:
    if (right < 0 || right > 63) return Fault::BadShift;
    return left >> right;
  case Op::BitAnd: return left & right;
  case Op::BitXor: return left ^ right;
  case Op::BitOr: return left | right;
  case Op::Lt: return Value{left < right};
  case Op::Le: return Value{left <= right};
  case Op::Gt: return Value{left > right};
  case Op::Ge: return Value{left >= right};
  case Op::Eq: return Value{left == right};
  case Op::Ne: return Value{left != right};
  case Op::And: return Value{left != 0 && right != 0};
  case Op::Or: return Value{left != 0 || right != 0};
  default: break;
  }
  invariant(false, "an operator should have its number of operands");
  return Fault::Overflow;
}

} // namespace weir::ir
