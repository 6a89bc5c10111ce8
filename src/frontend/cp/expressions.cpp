#include "base/match.h"
#include "frontend/cp/builder.h"
#include "ir/print.h"

#include <fmt/format.h>

#include <charconv>

namespace weir::frontend::cp {

using namespace ir;

namespace {

constexpr std::size_t deepest_expression = 500;

Op operator_of(const std::string& text) {
  static const std::map<std::string, Op> operators{
      {"*", Op::Mul},   {"/", Op::Div},  {"%", Op::Mod}, {"+", Op::Add},    {"-", Op::Sub},
      {"<", Op::Lt},    {"<=", Op::Le},  {">", Op::Gt},  {">=", Op::Ge},    {"==", Op::Eq},
      {"!=", Op::Ne},   {"&&", Op::And}, {"||", Op::Or}, {"&", Op::BitAnd}, {"^", Op::BitXor},
      {"|", Op::BitOr}, {"<<", Op::Shl}, {">>", Op::Shr}};
  return operators.at(text);
}

const char* kind_name(bool is_bool) { return is_bool ? "a bool" : "an int"; }

bool compares_equality(Op op) { return op == Op::Eq || op == Op::Ne; }

} // namespace

std::optional<Builder::Constant> Builder::constant_value(Grammar::ExprContext* context) {
  const Context outer = std::exchange(context_, Context::Constant);
  const auto value = expression(context);
  context_ = outer;
  if (!value) return std::nullopt;
  if (!value->is_constant()) {
    error(context, "this is not a constant");
    return std::nullopt;
  }
  return Constant{value->value, value->is_bool};
}

Builder::MaybeExpr Builder::expression(Grammar::ExprContext* context) {
  if (depth_ >= deepest_expression) {
    error(context, "nested too deeply")
        .with_hint(fmt::format("expressions may nest {} levels", deepest_expression));
    return std::nullopt;
  }
  ++depth_;
  MaybeExpr result;
  if (auto* e = dynamic_cast<Grammar::ParenthesisContext*>(context)) {
    result = expression(e->expr());
  } else if (auto* e = dynamic_cast<Grammar::LiteralContext*>(context)) {
    result = literal(e);
  } else if (auto* e = dynamic_cast<Grammar::VariableContext*>(context)) {
    result = variable(e);
  } else if (auto* e = dynamic_cast<Grammar::ThreadVariableContext*>(context)) {
    result = thread_variable(e);
  } else if (auto* e = dynamic_cast<Grammar::BinaryContext*>(context)) {
    result = binary(e);
  } else if (auto* e = dynamic_cast<Grammar::CasValueContext*>(context)) {
    if (context_ != Context::Code) {
      error(context, "cas is a step of a thread and cannot stand here");
    } else {
      const LocalPlace into = fresh(Type::boolean(), "cas");
      if (cas(e->cas(), into)) result = read(into, syntax_.span(context));
    }
  } else if (auto* e = dynamic_cast<Grammar::UnaryContext*>(context)) {
    const bool wants_bool = e->op->getText() == "!";
    if (auto operand = expression(e->expr())) {
      if (operand->is_bool != wants_bool)
        error(e->expr(), fmt::format("'{}' takes {}, but this is {}", e->op->getText(),
                                     kind_name(wants_bool), kind_name(operand->is_bool)));
      else if (e->op->getText() == "~") // all bits turned: -1 - x
        result = folded(Expr::binary(Op::Sub, Expr::constant(-1, syntax_.span(context)),
                                     std::move(*operand), syntax_.span(context)));
      else
        result = folded(Expr::unary(wants_bool ? Op::Not : Op::Neg, std::move(*operand),
                                    syntax_.span(context)));
    }
  }
  --depth_;
  return result;
}

Builder::MaybeExpr Builder::literal(Grammar::LiteralContext* context) {
  const std::string text = context->value->getText();
  const SourceSpan span = syntax_.span(context);
  if (text == "true" || text == "false") return Expr::boolean(text == "true", span);
  Value value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{}) {
    error(context, "this number does not fit into 64 bits");
    return std::nullopt;
  }
  return Expr::constant(value, span);
}

Builder::MaybeExpr Builder::binary(Grammar::BinaryContext* context) {
  const Op op = operator_of(context->op->getText());
  if (op == Op::And || op == Op::Or) return short_circuit(context, op);
  auto left = expression(context->left);
  auto right = expression(context->right);
  if (!left || !right) return std::nullopt;
  if (compares_equality(op)) {
    if (left->is_bool != right->is_bool) {
      error(context, fmt::format("'{}' compares {} with {}", context->op->getText(),
                                 kind_name(left->is_bool), kind_name(right->is_bool)));
      return std::nullopt;
    }
  } else {
    for (const auto& [operand, where] :
         {std::pair{&*left, context->left}, std::pair{&*right, context->right}})
      if (operand->is_bool) {
        error(where,
              fmt::format("'{}' takes integers, but this is a bool", context->op->getText()));
        return std::nullopt;
      }
  }
  return folded(Expr::binary(op, std::move(*left), std::move(*right), syntax_.span(context)));
}

/// The right side may touch shared memory; then it may only happen if the left side asks for it.
Builder::MaybeExpr Builder::short_circuit(Grammar::BinaryContext* context, Op op) {
  auto left = truth(context->left);
  MaybeExpr right;
  ++guarded_;
  Block steps = collect([&] { right = truth(context->right); });
  --guarded_;
  if (!left || !right) return std::nullopt;
  const SourceSpan span = syntax_.span(context);
  if (steps.empty()) return folded(Expr::binary(op, std::move(*left), std::move(*right), span));
  const LocalPlace both = fresh(Type::boolean(), op == Op::And ? "and" : "or");
  emit(Assign{both, std::move(*left)}, syntax_.span(context->left));
  steps.push_back({Assign{both, std::move(*right)}, syntax_.span(context->right), {}, statement_});
  Expr decided = read(both, syntax_.span(context->left));
  if (op == Op::Or) decided = Expr::unary(Op::Not, std::move(decided), syntax_.span(context->left));
  emit(If{std::move(decided), std::move(steps), {}}, syntax_.span(context->left));
  return read(both, span);
}

Builder::MaybeExpr Builder::variable(Grammar::VariableContext* context) {
  const SourceSpan span = syntax_.span(context);
  auto* place = context->place();
  const std::string name = place->name->getText();
  if (const Symbol* symbol = find(name))
    if (const auto* constant = std::get_if<Constant>(symbol); constant && place->expr().empty()) {
      Expr result = Expr::constant(constant->value, span);
      result.is_bool = constant->is_bool;
      return result;
    }
  if (context_ == Context::Constant) {
    error(context, fmt::format("'{}' is not a constant", name));
    return std::nullopt;
  }
  const auto found = target(place);
  if (!found) return std::nullopt;
  const Type scalar = type_of(*found);
  if (const auto* local = std::get_if<LocalPlace>(&*found)) {
    if (context_ == Context::Code) return read(*local, span);
    error(context, fmt::format("'{}' belongs to a thread: say which", name))
        .with_hint(fmt::format("for example P.{}", name));
    return std::nullopt;
  }
  const Place& shared = std::get<Place>(*found);
  if (context_ == Context::Final) {
    Expr result;
    result.op = Op::Shared;
    result.is_bool = scalar.kind == Type::Kind::Bool;
    result.shared = shared.variable;
    result.args = shared.path;
    result.span = span;
    return result;
  }
  const LocalPlace into = fresh(scalar, program_[shared.variable].name);
  emit(Load{into, shared}, span);
  return read(into, span);
}

Builder::MaybeExpr Builder::thread_variable(Grammar::ThreadVariableContext* context) {
  if (context_ != Context::Final) {
    error(context, "a thread can only read its own variables")
        .with_hint("'thread.variable' is for final conditions");
    return std::nullopt;
  }
  const auto thread = thread_name(context->threadName());
  if (!thread) return std::nullopt;
  const std::string name = context->place()->name->getText();
  std::optional<LocalId> local;
  for (std::uint32_t i = 0; i < program_.locals.size() && !local; ++i) {
    const Local& candidate = program_.locals[i];
    const bool is_declared = candidate.span.end > candidate.span.begin; // not ours
    if (candidate.name == name && is_declared &&
        (!candidate.owner || candidate.owner == thread->process))
      local = LocalId{i};
  }
  if (!local) {
    error(context->place(),
          fmt::format("'{}' has no variable '{}'", program_[thread->process].name, name));
    return std::nullopt;
  }
  if (thread->arguments.empty()) {
    std::size_t candidates = 0;
    for (const InitialThread& t : program_.threads) candidates += t.process == thread->process;
    for (const Procedure& code : program_.procedures)
      for_each_statement(code.body, [&](const Stmt& stmt) {
        if (const auto* s = std::get_if<Spawn>(&stmt.action))
          candidates += s->process == thread->process;
      });
    if (candidates > 1) {
      error(context, fmt::format("there are several threads of '{}': say which",
                                 program_[thread->process].name))
          .with_hint("name it by its arguments, for example P(0)." + name);
      return std::nullopt;
    }
  }
  bool starts_at_once = false;
  for (const InitialThread& t : program_.threads)
    starts_at_once = starts_at_once || t.process == thread->process;
  for (const Initial& initial : program_[*local].initial)
    if (!initial && !starts_at_once) {
      error(context, fmt::format("'{}' may never start, and then '{}' has no value",
                                 program_[thread->process].name, name))
          .with_hint(fmt::format("give '{}' an initial value other than *", name));
      return std::nullopt;
    }
  const auto indices = path(program_[*local].type, context->place());
  if (!indices) return std::nullopt;
  Expr result;
  result.op = Op::OfThread;
  result.is_bool = program_[*local].type.scalar().kind == Type::Kind::Bool;
  result.local = *local;
  result.thread = *thread;
  result.args = *indices;
  result.span = syntax_.span(context);
  return result;
}

bool Builder::fits(Type wanted, const Expr& expr) {
  if (expr.is_bool != (wanted.kind == Type::Kind::Bool)) {
    auto& problem =
        error(expr.span, fmt::format("expected {}, but this is {}", kind_name(!expr.is_bool),
                                     kind_name(expr.is_bool)));
    if (!expr.is_bool) problem.with_hint("compare it: e != 0");
    return false;
  }
  if (expr.is_constant() && !wanted.contains(expr.value)) {
    error(expr.span, fmt::format("{} is outside {}", expr.value, print(wanted)));
    return false;
  }
  return true;
}

Builder::MaybeExpr Builder::value_of(Type wanted, Grammar::ExprContext* context) {
  auto result = expression(context);
  if (result && !fits(wanted, *result)) return std::nullopt;
  return result;
}

Builder::MaybeExpr Builder::truth(Grammar::ExprContext* context) {
  return value_of(Type::boolean(), context);
}

Builder::MaybeExpr Builder::condition(Grammar::ConditionContext* context) {
  if (context->any) return Expr::any(syntax_.span(context));
  return truth(context->expr());
}

std::optional<std::vector<Expr>> Builder::path(Type type, Grammar::PlaceContext* context) {
  std::vector<Expr> result;
  const Type* at = &type;
  bool good = true;
  for (auto* index : context->expr()) {
    if (at->is_scalar()) {
      error(index, fmt::format("'{}' is not an array{}", context->name->getText(),
                               result.empty() ? "" : " of that many dimensions"));
      return std::nullopt;
    }
    auto value = expression(index);
    if (value && value->is_bool) {
      error(index, "an index is an int, but this is a bool");
      value.reset();
    }
    if (value && value->is_constant() && (value->value < 0 || value->value >= at->length)) {
      error(index, fmt::format("index {} is outside 0..{}", value->value, at->length - 1));
      value.reset();
    }
    good = good && value;
    if (value) result.push_back(std::move(*value));
    at = &at->parts[0];
  }
  if (good && !at->is_scalar()) {
    error(context, fmt::format("'{}' is an array: say which element", context->name->getText()));
    good = false;
  }
  if (!good) return std::nullopt;
  return result;
}

std::optional<Builder::Target> Builder::target(Grammar::PlaceContext* context) {
  const std::string name = context->name->getText();
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end()) {
      auto indices = path(program_[found->second].type, context);
      if (!indices) return std::nullopt;
      return LocalPlace{found->second, std::move(*indices)};
    }
  const Symbol* symbol = find(name);
  if (!symbol) {
    error(context->name, fmt::format("'{}' is not declared", name));
    return std::nullopt;
  }
  if (const auto* shared = std::get_if<SharedId>(symbol)) {
    auto indices = path(program_[*shared].type, context);
    if (!indices) return std::nullopt;
    return Place{*shared, std::move(*indices)};
  }
  if (const auto* local = std::get_if<LocalId>(symbol)) {
    auto indices = path(program_[*local].type, context);
    if (!indices) return std::nullopt;
    return LocalPlace{*local, std::move(*indices)};
  }
  error(context->name, fmt::format("'{}' is not a variable", name));
  return std::nullopt;
}

std::optional<Place> Builder::shared_place(Grammar::PlaceContext* context) {
  const auto found = target(context);
  if (!found) return std::nullopt;
  if (const auto* place = std::get_if<Place>(&*found)) return *place;
  error(context, fmt::format("'{}' is not a shared variable", context->name->getText()));
  return std::nullopt;
}

Type Builder::type_of(const Place& place) const { return program_[place.variable].type.scalar(); }
Type Builder::type_of(const LocalPlace& place) const {
  return program_[place.variable].type.scalar();
}
Type Builder::type_of(const Target& target) const {
  return match(target, [&](const auto& place) { return type_of(place); });
}

bool Builder::cas(Grammar::CasContext* context, std::optional<LocalPlace> into) {
  const auto place = shared_place(context->place());
  if (!place) return false;
  auto expected = value_of(type_of(*place), context->expected);
  auto desired = value_of(type_of(*place), context->desired);
  if (!expected || !desired) return false;
  emit(Cas{std::move(into), *place, std::move(*expected), std::move(*desired)},
       syntax_.span(context));
  return true;
}

std::optional<std::vector<Expr>> Builder::arguments(const Procedure& code,
                                                    const std::string& called,
                                                    Grammar::ArgumentsContext* given,
                                                    SourceSpan span) {
  const auto values = given ? given->expr() : std::vector<Grammar::ExprContext*>{};
  if (values.size() != code.parameters.size()) {
    error(span, fmt::format("'{}' takes {} argument{}, not {}", called, code.parameters.size(),
                            code.parameters.size() == 1 ? "" : "s", values.size()));
    return std::nullopt;
  }
  std::vector<Expr> result;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (auto value = value_of(program_[code.parameters[i]].type, values[i]))
      result.push_back(std::move(*value));
  if (result.size() != values.size()) return std::nullopt;
  return result;
}

/// A local for what a step of this statement brings. Statements share them once they are done.
LocalPlace Builder::fresh(Type scalar, const std::string& named_after) {
  const std::string key = named_after + " " + print(scalar);
  LocalId id;
  if (const auto unused = free_temporaries_.find(key); unused != free_temporaries_.end()) {
    id = unused->second;
    free_temporaries_.erase(unused);
  } else {
    std::string name = "t_" + named_after;
    for (unsigned n = 2; is_taken(name) || !used_names_.insert(name).second; ++n)
      name = fmt::format("t_{}_{}", named_after, n);
    id = {static_cast<std::uint32_t>(program_.locals.size())};
    program_.locals.push_back(
        {name, scalar, current_, {Initial{scalar.contains(0) ? 0 : scalar.lo}}, {}});
  }
  temporaries_in_use_.emplace_back(key, id);
  return {id, {}};
}

Expr Builder::read(const LocalPlace& place, SourceSpan span) const {
  Expr result = Expr::of_local(place.variable, type_of(place), span);
  result.args = place.path;
  return result;
}

Expr Builder::folded(Expr expr) {
  for (const Expr& operand : expr.args)
    if (!operand.is_constant()) return expr;
  const auto value = expr.args.size() == 1 ? apply(expr.op, expr.args[0].value)
                                           : apply(expr.op, expr.args[0].value, expr.args[1].value);
  if (const auto* fault = std::get_if<Fault>(&value)) {
    if (*fault != Fault::Overflow && guarded_ > 0) return expr; // fails if it is reached
    error(expr.span, *fault == Fault::DivisionByZero ? "division by zero"
                     : *fault == Fault::BadShift     ? "a shift is by 0 to 63"
                                                     : "this number does not fit into 64 bits");
    return expr;
  }
  Expr result = Expr::constant(std::get<Value>(value), expr.span);
  result.is_bool = expr.is_bool;
  return result;
}

} // namespace weir::frontend::cp
