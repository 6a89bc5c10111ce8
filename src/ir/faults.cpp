#include "ir/faults.h"

#include "base/match.h"

#include <algorithm>
#include <limits>

namespace weir::ir {
namespace {

constexpr Wide widest = Wide{1} << 100; // far beyond 64 bits, far from overflow

Wide saturated(Wide value) { return std::clamp(value, -widest, widest); }
Wide product(Wide a, Wide b) {
  const auto limit = Wide{1} << 62;
  if (a <= limit && a >= -limit && b <= limit && b >= -limit) return saturated(a * b);
  if (a == 0 || b == 0) return 0;
  return (a > 0) == (b > 0) ? widest : -widest;
}

Interval hull(std::initializer_list<Wide> values) { return {std::min(values), std::max(values)}; }

Interval quotient(Interval a, Interval b) {
  // The divisor nearest to zero gives the largest quotient.
  const Wide magnitude = std::max(a.lo < 0 ? -a.lo : a.lo, a.hi < 0 ? -a.hi : a.hi);
  if (b.lo <= 0 && b.hi >= 0) return {-magnitude, magnitude};
  return hull({a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi});
}

Interval remainder(Interval a, Interval b) {
  const Wide most = std::max(b.lo < 0 ? -b.lo : b.lo, b.hi < 0 ? -b.hi : b.hi) - 1;
  const Wide size = std::max<Wide>(most, 0);
  return {a.lo < 0 ? std::max(-size, a.lo) : 0, a.hi > 0 ? std::min(size, a.hi) : 0};
}

Interval shift(Interval by) {
  return {std::clamp<Wide>(by.lo, 0, 63), std::clamp<Wide>(by.hi, 0, 63)};
}

/// As many bits as the operands have.
Interval bitwise(Op op, Interval a, Interval b) {
  Wide bits = 1;
  for (const Wide bound : {a.lo, a.hi, b.lo, b.hi})
    while (bound >= bits || bound < -bits) bits *= 2;
  if (op == Op::BitAnd && (a.lo >= 0 || b.lo >= 0))
    return {0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : std::min(a.hi, b.hi)};
  return {a.lo < 0 || b.lo < 0 ? -bits : 0, bits - 1};
}

bool fits_value(Wide value) {
  return value >= std::numeric_limits<Value>::min() && value <= std::numeric_limits<Value>::max();
}

} // namespace

Interval interval(const Program& program, const Expr& expr) {
  const auto of = [&](std::size_t i) { return interval(program, expr.args[i]); };
  switch (expr.op) {
  case Op::Const: return {expr.value, expr.value};
  case Op::Local:
  case Op::OfThread: {
    const Type& type = program[expr.local].type.scalar();
    return {type.lo, type.hi};
  }
  case Op::Shared: {
    const Type& type = program[expr.shared].type.scalar();
    return {type.lo, type.hi};
  }
  case Op::Neg: return {-of(0).hi, -of(0).lo};
  case Op::Add: return {saturated(of(0).lo + of(1).lo), saturated(of(0).hi + of(1).hi)};
  case Op::Sub: return {saturated(of(0).lo - of(1).hi), saturated(of(0).hi - of(1).lo)};
  case Op::Mul: {
    const Interval a = of(0), b = of(1);
    return hull(
        {product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)});
  }
  case Op::Div: return quotient(of(0), of(1));
  case Op::Mod: return remainder(of(0), of(1));
  case Op::Shl: {
    const Interval a = of(0), b = shift(of(1));
    return hull({product(a.lo, Wide{1} << b.lo), product(a.lo, Wide{1} << b.hi),
                 product(a.hi, Wide{1} << b.lo), product(a.hi, Wide{1} << b.hi)});
  }
  case Op::Shr: {
    const Interval a = of(0), b = shift(of(1));
    return hull({a.lo >> b.lo, a.lo >> b.hi, a.hi >> b.lo, a.hi >> b.hi});
  }
  case Op::BitAnd:
  case Op::BitXor:
  case Op::BitOr: return bitwise(expr.op, of(0), of(1));
  case Op::Any:
  case Op::Not:
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
  case Op::Eq:
  case Op::Ne:
  case Op::And:
  case Op::Or: break;
  }
  return {0, 1};
}

Guarantee both(Guarantee left, Guarantee right) {
  if (!left) return right;
  if (!right) return left;
  return Expr::binary(Op::And, std::move(*left), std::move(*right));
}

Guarantee exists(const Program& program, const Type& type, const std::vector<Expr>& path) {
  Guarantee result;
  const Type* at = &type;
  for (const Expr& index : path) {
    result = both(std::move(result), fits(program, index, Type::range(0, Value{at->length} - 1)));
    at = &at->parts[0];
  }
  return result;
}

Guarantee is_fine(const Program& program, const Expr& expr) {
  if (expr.op == Op::Local || expr.op == Op::OfThread)
    return exists(program, program[expr.local].type, expr.args);
  if (expr.op == Op::Shared) return exists(program, program[expr.shared].type, expr.args);
  if (expr.args.empty()) return std::nullopt;
  auto result = is_fine(program, expr.args[0]);
  if (expr.args.size() == 1) return result;
  auto right = is_fine(program, expr.args[1]);
  if (expr.op == Op::Div || expr.op == Op::Mod) {
    const Interval divisor = interval(program, expr.args[1]);
    if (divisor.lo <= 0 && divisor.hi >= 0)
      right = both(std::move(right), Expr::binary(Op::Ne, expr.args[1], Expr::constant(0)));
  }
  if (expr.op == Op::Shl || expr.op == Op::Shr)
    right = both(std::move(right), fits(program, expr.args[1], Type::range(0, 63)));
  if (right && expr.op == Op::And) // the right side is looked at only if the left holds
    right = Expr::binary(Op::Or, Expr::unary(Op::Not, expr.args[0]), std::move(*right));
  if (right && expr.op == Op::Or) right = Expr::binary(Op::Or, expr.args[0], std::move(*right));
  return both(std::move(result), std::move(right));
}

Guarantee fits(const Program& program, const Expr& expr, const Type& scalar) {
  auto result = is_fine(program, expr);
  const Interval values = interval(program, expr);
  if (values.lo < scalar.lo && fits_value(scalar.lo) && !scalar.is_unbounded())
    result = both(std::move(result), Expr::binary(Op::Ge, expr, Expr::constant(scalar.lo)));
  if (values.hi > scalar.hi && !scalar.is_unbounded())
    result = both(std::move(result), Expr::binary(Op::Le, expr, Expr::constant(scalar.hi)));
  return result;
}

namespace {

class Asserter {
public:
  explicit Asserter(const Program& program) : program_(program) {}

  Block block(const Block& statements) {
    Block out;
    for (const Stmt& stmt : statements) {
      Stmt copy = stmt;
      if (auto* branch = std::get_if<If>(&copy.action)) {
        branch->yes = block(branch->yes);
        branch->no = block(branch->no);
      } else if (auto* loop = std::get_if<Loop>(&copy.action)) {
        loop->before = block(loop->before);
        loop->body = block(loop->body);
        // The test comes after what is done before it, each time.
        if (auto guarantee = is_fine(program_, loop->condition))
          loop->before.push_back({Assert{std::move(*guarantee)}, loop->condition.span, {}});
      }
      if (auto guarantee = of(stmt)) {
        out.push_back({Assert{std::move(*guarantee)}, stmt.span, std::move(copy.labels)});
        copy.labels.clear();
      }
      out.push_back(std::move(copy));
    }
    return out;
  }

private:
  Guarantee place(const Place& p) const {
    return exists(program_, program_[p.variable].type, p.path);
  }
  Guarantee place(const LocalPlace& p) const {
    return exists(program_, program_[p.variable].type, p.path);
  }
  Guarantee into(const std::optional<LocalPlace>& p) const { return p ? place(*p) : std::nullopt; }

  Guarantee arguments(ProcedureId callee, const std::vector<Expr>& values) const {
    Guarantee result;
    for (std::size_t i = 0; i < values.size(); ++i)
      result = both(std::move(result),
                    fits(program_, values[i], program_[program_[callee].parameters[i]].type));
    return result;
  }

  Guarantee of(const Stmt& stmt) const {
    return match(
        stmt.action, [&](const Assume& s) { return is_fine(program_, s.condition); },
        [&](const Assert& s) { return is_fine(program_, s.condition); },
        [&](const Assign& s) {
          return both(fits(program_, s.value, program_[s.to.variable].type.scalar()), place(s.to));
        },
        [&](const Havoc& s) { return place(s.to); },
        [&](const Load& s) { return both(place(s.from), place(s.into)); },
        [&](const Store& s) {
          return both(place(s.to), fits(program_, s.value, program_[s.to.variable].type.scalar()));
        },
        [&](const Cas& s) {
          return both(both(place(s.at), is_fine(program_, s.expected)),
                      both(is_fine(program_, s.desired), into(s.into)));
        },
        [&](const Arw& s) { return both(place(s.at), is_fine(program_, s.expected)); },
        [&](const Spawn& s) { return both(arguments(s.process, s.arguments), into(s.into)); },
        [&](const Join& s) { return is_fine(program_, s.thread); },
        [&](const Call& s) { return arguments(s.procedure, s.arguments); },
        [&](const If& s) { return is_fine(program_, s.condition); },
        [&](const auto&) { return Guarantee{}; });
  }

  const Program& program_;
};

} // namespace

Program with_explicit_faults(Program program) {
  Program result = program;
  for (Procedure& procedure : result.procedures)
    procedure.body = Asserter(program).block(procedure.body);
  return result;
}

} // namespace weir::ir
