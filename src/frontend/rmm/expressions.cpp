#include "frontend/rmm/builder.h"
#include "ir/evaluate.h"

#include <fmt/format.h>

namespace weir::frontend::rmm {

using namespace ir;

namespace {

constexpr std::size_t most_operands = 400; ///< trees of operators nest as deep as they have these

Op operator_of(const std::string& text) {
  static const std::map<std::string, Op> operators{{"=", Op::Eq},  {"!=", Op::Ne}, {"<", Op::Lt},
                                                   {"<=", Op::Le}, {">", Op::Gt},  {">=", Op::Ge}};
  return operators.at(text);
}

} // namespace

Builder::MaybeExpr Builder::expression(Grammar::ExprContext* context) {
  const auto units = context->unit();
  if (units.size() > most_operands) {
    error(context, "this expression is too long")
        .with_hint(fmt::format("expressions may have {} operands", most_operands));
    return std::nullopt;
  }
  MaybeExpr result = unit(units[0]);
  for (std::size_t i = 1; i < units.size(); ++i) {
    const Op op = context->sign(i - 1)->getText() == "+" ? Op::Add : Op::Sub;
    auto right = unit(units[i]);
    if (!result || !right)
      result.reset();
    else
      result = folded(Expr::binary(op, std::move(*result), std::move(*right), span(context)));
  }
  return result;
}

Builder::MaybeExpr Builder::unit(Grammar::UnitContext* context) {
  if (auto* e = dynamic_cast<Grammar::RegisterValueContext*>(context)) {
    const auto id = register_named(e->REGISTER()->getSymbol());
    if (!id) return std::nullopt;
    return Expr::of_local(*id, program_[*id].type, span(context));
  }
  if (auto* e = dynamic_cast<Grammar::NumberContext*>(context))
    return Expr::constant(number(e->NUMBER()->getSymbol()), span(context));
  if (auto* e = dynamic_cast<Grammar::NegativeContext*>(context)) {
    auto operand = unit(e->unit());
    if (!operand) return std::nullopt;
    return folded(Expr::unary(Op::Neg, std::move(*operand), span(context)));
  }
  if (auto* e = dynamic_cast<Grammar::ParenthesisContext*>(context)) return expression(e->expr());
  if (auto* e = dynamic_cast<Grammar::UnsupportedContext*>(context)) {
    error(context, fmt::format("'{}' is a word of Memorax that no expression can have yet",
                               e->op->getText()));
    return std::nullopt;
  }
  auto* e = dynamic_cast<Grammar::MemoryContext*>(context);
  error(context,
        fmt::format("an expression reads registers, and '{}' is not one", e->name->getText()))
      .with_hint(fmt::format("read it before: read: $r := {}", e->getText()));
  return std::nullopt;
}

std::optional<LocalId> Builder::register_named(antlr4::Token* token) {
  const auto found = registers_.find(token->getText());
  if (found != registers_.end()) return found->second;
  error(token, fmt::format("the register '{}' is not declared", token->getText()))
      .with_hint(
          fmt::format("declare it before 'text': registers {} = 0 : [0:1]", token->getText()));
  return std::nullopt;
}

template <class Parts, class Read>
Builder::MaybeExpr Builder::joined(Op op, const Parts& parts, Read read) {
  if (parts.size() > most_operands) {
    error(parts.front(), "this condition is too long")
        .with_hint(fmt::format("conditions may have {} operands", most_operands));
    return std::nullopt;
  }
  MaybeExpr result = read(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    auto right = read(parts[i]);
    const SourceSpan both = stretch(syntax_, parts[0]->start, parts[i]->stop).span;
    if (!result || !right)
      result.reset();
    else
      result = folded(Expr::binary(op, std::move(*result), std::move(*right), both));
  }
  return result;
}

Builder::MaybeExpr Builder::condition(Grammar::ConditionContext* context) {
  return joined(Op::Or, context->conjunction(), [&](auto* part) { return conjunction(part); });
}

Builder::MaybeExpr Builder::conjunction(Grammar::ConjunctionContext* context) {
  return joined(Op::And, context->negation(), [&](auto* part) { return negation(part); });
}

Builder::MaybeExpr Builder::negation(Grammar::NegationContext* context) {
  MaybeExpr result;
  if (auto* e = dynamic_cast<Grammar::TruthContext*>(context->atom())) {
    result = Expr::boolean(e->value->getText() == "true", span(e));
  } else if (auto* e = dynamic_cast<Grammar::GroupContext*>(context->atom())) {
    result = condition(e->condition());
  } else if (auto* e = dynamic_cast<Grammar::WrongGroupContext*>(context->atom())) {
    error(e, "conditions are grouped by [ ], and ( ) is for numbers");
    return std::nullopt;
  } else if (auto* e = dynamic_cast<Grammar::ComparisonContext*>(context->atom())) {
    result = comparison(e);
  }
  if (!result || !context->negated) return result;
  return folded(Expr::unary(Op::Not, std::move(*result), span(context)));
}

Builder::MaybeExpr Builder::comparison(Grammar::ComparisonContext* context) {
  auto left = expression(context->left);
  auto right = expression(context->right);
  if (!left || !right) return std::nullopt;
  return folded(Expr::binary(operator_of(context->op->getText()), std::move(*left),
                             std::move(*right), span(context)));
}

/// Constants are computed here, as they are when `.cp` is read: a printed program is to read back as
/// the same.
Expr Builder::folded(Expr expr) {
  for (const Expr& operand : expr.args)
    if (!operand.is_constant()) return expr;
  const auto value = expr.args.size() == 1 ? apply(expr.op, expr.args[0].value)
                                           : apply(expr.op, expr.args[0].value, expr.args[1].value);
  if (std::holds_alternative<Fault>(value)) {
    diagnostics_.error(expr.span, "this number does not fit into 64 bits");
    return expr;
  }
  Expr result = Expr::constant(std::get<Value>(value), expr.span);
  result.is_bool = expr.is_bool;
  return result;
}

} // namespace weir::frontend::rmm
