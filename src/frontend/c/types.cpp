#include "frontend/c/types.h"

#include <algorithm>

namespace weir::frontend::c {

using namespace ir;

TypeRef integer(unsigned bits, bool is_signed) {
  Type type;
  type.bits = bits;
  type.is_signed = is_signed;
  return std::make_shared<const Type>(std::move(type));
}

TypeRef boolean() {
  Type type;
  type.bits = 8;
  type.is_signed = false;
  type.is_bool = true;
  return std::make_shared<const Type>(std::move(type));
}

TypeRef void_type() {
  Type type;
  type.kind = Type::Kind::Void;
  return std::make_shared<const Type>(std::move(type));
}

TypeRef pointer_to(TypeRef to) {
  Type type;
  type.kind = Type::Kind::Pointer;
  type.to = std::move(to);
  return std::make_shared<const Type>(std::move(type));
}

TypeRef array_of(TypeRef element, std::uint64_t length) {
  Type type;
  type.kind = Type::Kind::Array;
  type.to = std::move(element);
  type.length = length;
  return std::make_shared<const Type>(std::move(type));
}

TypeRef atomic(const TypeRef& type) {
  Type result = *type;
  result.is_atomic = true;
  return std::make_shared<const Type>(std::move(result));
}

std::uint64_t cells(const Type& type) {
  switch (type.kind) {
  case Type::Kind::Array: return type.length * cells(*type.to);
  case Type::Kind::Struct: {
    std::uint64_t sum = 0;
    for (const Member& member : type.members) sum += cells(*member.type);
    return sum;
  }
  default: return 1;
  }
}

std::uint64_t alignment(const Type& type) {
  switch (type.kind) {
  case Type::Kind::Array: return alignment(*type.to);
  case Type::Kind::Struct: {
    std::uint64_t most = 1;
    for (const Member& member : type.members) most = std::max(most, alignment(*member.type));
    return most;
  }
  case Type::Kind::Int: return type.bits / 8;
  case Type::Kind::Void: return 1;
  default: return 8;
  }
}

std::uint64_t bytes(const Type& type) {
  switch (type.kind) {
  case Type::Kind::Array: return type.length * bytes(*type.to);
  case Type::Kind::Struct: {
    std::uint64_t at = 0;
    const auto align = [&](std::uint64_t to) { at = (at + to - 1) / to * to; };
    for (const Member& member : type.members) {
      align(alignment(*member.type));
      at += bytes(*member.type);
    }
    align(alignment(type));
    return at;
  }
  default: return alignment(type);
  }
}

TypeRef promoted(const TypeRef& type) {
  if (type->kind != Type::Kind::Int || type->bits >= 32) return type;
  return integer(32, true);
}

TypeRef common(const TypeRef& a, const TypeRef& b) {
  if (a->kind != Type::Kind::Int) return a;
  if (b->kind != Type::Kind::Int) return b;
  const TypeRef left = promoted(a), right = promoted(b);
  const unsigned bits = std::max(left->bits, right->bits);
  const bool is_signed =
      !((left->bits == bits && !left->is_signed) || (right->bits == bits && !right->is_signed));
  return integer(bits, is_signed);
}

Expr converted(Expr value, const Type& from, const Type& to) {
  if (to.kind != Type::Kind::Int || to.bits >= 64) {
    if (to.is_bool) return value;
    return value;
  }
  const SourceSpan span = value.span;
  if (to.is_bool) {
    if (value.is_bool || from.is_bool) return value;
    if (value.is_constant()) return Expr::constant(value.value != 0, span);
    return Expr::binary(Op::Ne, std::move(value), Expr::constant(0), span);
  }
  if (value.is_bool) return value; // 0 or 1 fits everywhere
  const bool fits = from.kind == Type::Kind::Int &&
                    (from.is_signed == to.is_signed ? from.bits <= to.bits
                                                    : !from.is_signed && from.bits < to.bits);
  if (fits) return value;
  const Value mask = (Value{1} << to.bits) - 1;
  const Value sign = Value{1} << (to.bits - 1);
  if (value.is_constant()) {
    const Value bits = value.value & mask;
    return Expr::constant(to.is_signed ? (bits ^ sign) - sign : bits, span);
  }
  Expr bits = Expr::binary(Op::BitAnd, std::move(value), Expr::constant(mask), span);
  if (!to.is_signed) return bits;
  return Expr::binary(Op::Sub,
                      Expr::binary(Op::BitXor, std::move(bits), Expr::constant(sign), span),
                      Expr::constant(sign), span);
}

} // namespace weir::frontend::c
