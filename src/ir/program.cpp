#include "ir/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

namespace weir::ir {

Type Type::array(Type element, std::uint32_t length) {
  Type type{Kind::Array, element.lo, element.hi, {}, length};
  type.parts.push_back(std::move(element));
  return type;
}

bool Type::is_unbounded() const {
  return kind == Kind::Int && lo == std::numeric_limits<Value>::min() &&
         hi == std::numeric_limits<Value>::max();
}

std::uint64_t Type::cells() const { return kind == Kind::Array ? length * parts[0].cells() : 1; }

const Type& Type::scalar() const { return kind == Kind::Array ? parts[0].scalar() : *this; }

Expr Expr::constant(Value value, SourceSpan span) {
  Expr result;
  result.value = value;
  result.span = span;
  return result;
}

Expr Expr::boolean(bool value, SourceSpan span) {
  Expr result = constant(value ? 1 : 0, span);
  result.is_bool = true;
  return result;
}

Expr Expr::any(SourceSpan span) {
  Expr result;
  result.op = Op::Any;
  result.is_bool = true;
  result.span = span;
  return result;
}

Expr Expr::of_local(LocalId local, const Type& scalar, SourceSpan span) {
  Expr result;
  result.op = Op::Local;
  result.is_bool = scalar.kind == Type::Kind::Bool;
  result.local = local;
  result.span = span;
  return result;
}

Expr Expr::unary(Op op, Expr operand, SourceSpan span) {
  Expr result;
  result.op = op;
  result.is_bool = op == Op::Not;
  result.args.push_back(std::move(operand));
  result.span = span;
  return result;
}

Expr Expr::binary(Op op, Expr left, Expr right, SourceSpan span) {
  Expr result;
  result.op = op;
  result.is_bool = op >= Op::Lt && op <= Op::Or;
  result.args.push_back(std::move(left));
  result.args.push_back(std::move(right));
  result.span = span;
  return result;
}

bool Program::operator==(const Program& other) const {
  return shared == other.shared && locals == other.locals && procedures == other.procedures &&
         threads == other.threads && forbids == other.forbids && finals == other.finals;
}

std::string thread_name(const Program& program, ProcedureId process,
                        const std::vector<Value>& arguments) {
  const Procedure& code = program[process];
  if (arguments.empty()) return code.name;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const SourceSpan declared = program[code.parameters[i]].span;
    if (declared.end <= declared.begin && i > 0) continue; // not the user's
    const bool is_bool = program[code.parameters[i]].type.kind == Type::Kind::Bool;
    parts.push_back(!is_bool ? std::to_string(arguments[i]) : arguments[i] ? "true" : "false");
  }
  return fmt::format("{}({})", code.name, fmt::join(parts, ", "));
}

} // namespace weir::ir
