#pragma once
// C's types, as far as programs need them: x86-64's sizes, and how many cells an object has. A cell
// holds one scalar: an integer or an address.

#include "ir/program.h"

#include <memory>
#include <string>
#include <vector>

namespace weir::frontend::c {

struct Type;
using TypeRef = std::shared_ptr<const Type>;

struct Member {
  std::string name; ///< empty: its members are those of the whole
  TypeRef type;
  std::uint64_t cell = 0; ///< where it begins
};

struct Type {
  enum class Kind : std::uint8_t { Void, Int, Pointer, Array, Struct, Function, Unsupported };
  Kind kind = Kind::Int;
  unsigned bits = 32; ///< Int
  bool is_signed = true;
  bool is_bool = false;
  bool is_atomic = false;
  bool is_address = false;  ///< of a value: a number that was an address
  TypeRef to;               ///< Pointer, Array, Function (its result)
  std::uint64_t length = 0; ///< Array; 0: not known
  std::vector<Member> members{};
  bool is_complete = true; ///< Struct
  std::string name{};      ///< Struct, Unsupported: what it is
};

TypeRef integer(unsigned bits, bool is_signed);
TypeRef boolean();
TypeRef void_type();
TypeRef pointer_to(TypeRef to);
TypeRef array_of(TypeRef element, std::uint64_t length);
TypeRef atomic(const TypeRef& type);

inline bool is_scalar(const Type& t) {
  return t.kind == Type::Kind::Int || t.kind == Type::Kind::Pointer;
}
std::uint64_t cells(const Type& type);
std::uint64_t bytes(const Type& type);
std::uint64_t alignment(const Type& type);

/// A value of one integer type as one of another: C's conversions. 64-bit unsigned numbers are kept
/// as the signed ones of the same bits.
ir::Expr converted(ir::Expr value, const Type& from, const Type& to);
/// The type of an operator on numbers of these types.
TypeRef common(const TypeRef& a, const TypeRef& b);
TypeRef promoted(const TypeRef& type);

} // namespace weir::frontend::c
