#include "frontend/cp/builder.h"
#include "ir/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace weir::frontend::cp {

using namespace ir;

namespace {
constexpr std::uint64_t most_cells = 1u << 20;
constexpr std::uint64_t most_own_cells = 1u << 12; ///< of an array that each thread has
constexpr std::size_t most_threads = 64;
} // namespace

Program Builder::build() {
  const auto items = tree_->item();
  for (auto* item : items) {
    if (item->constant()) constant(item->constant());
    if (item->sharedVariables()) shared_variables(item->sharedVariables());
    if (item->threadVariables()) thread_variables(item->threadVariables());
  }
  for (auto* item : items) {
    if (auto* code = item->mainProcess())
      procedure_head(Procedure::Kind::Main, code->name ? code->name->getText() : "main",
                     syntax_.span(code->name ? code->name : code->start), nullptr, code->block());
    if (auto* code = item->process())
      procedure_head(Procedure::Kind::Process, code->name->getText(), syntax_.span(code->name),
                     code->parameters(), code->block());
    if (auto* code = item->procedure())
      procedure_head(Procedure::Kind::Procedure, code->name->getText(), syntax_.span(code->name),
                     code->parameters(), code->block());
  }
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) body(ProcedureId{i}, bodies_[i]);
  start_threads();
  for (auto* item : items) {
    if (item->forbid()) forbid(item->forbid());
    if (item->finalCondition()) final_condition(item->finalCondition());
  }
  return std::move(program_);
}

void Builder::declare(const std::string& name, Symbol symbol, SourceSpan span) {
  if (!globals_.emplace(name, symbol).second)
    error(span, fmt::format("'{}' is declared twice", name));
}

const Builder::Symbol* Builder::find(const std::string& name) const {
  const auto found = globals_.find(name);
  return found == globals_.end() ? nullptr : &found->second;
}

void Builder::constant(Grammar::ConstantContext* item) {
  const auto value = constant_value(item->value);
  declare(item->name->getText(), value.value_or(Constant{1, false}), syntax_.span(item->name));
}

Value Builder::bound(Grammar::BoundContext* context) {
  const auto term = [&](Grammar::BoundTermContext* t) -> Value {
    const std::string text = t->getText();
    if (t->INT()) {
      Value value = 0;
      const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (problem != std::errc{}) error(t, "this number does not fit into 64 bits");
      return value;
    }
    if (const Symbol* symbol = find(text))
      if (const auto* c = std::get_if<Constant>(symbol); c && !c->is_bool) return c->value;
    error(t, fmt::format("'{}' is not an integer constant", text))
        .with_hint(fmt::format("declare it before: const {} = 2;", text));
    return 1;
  };
  const auto terms = context->boundTerm();
  Value result = term(terms[0]);
  if (context->sign) result = -result;
  for (std::size_t i = 1; i < terms.size(); ++i) {
    const Op op = context->boundSign(i - 1)->getText() == "+" ? Op::Add : Op::Sub;
    const auto sum = apply(op, result, term(terms[i]));
    if (std::holds_alternative<Fault>(sum))
      error(context, "this number does not fit into 64 bits");
    else
      result = std::get<Value>(sum);
  }
  return result;
}

Type Builder::type(Grammar::TypeContext* context) {
  if (context->start->getText() == "bool") return Type::boolean();
  if (!context->low) return Type::integer();
  const Value lo = bound(context->low);
  const Value hi = bound(context->high);
  if (lo > hi) {
    error(context, fmt::format("the range {}..{} is empty", lo, hi));
    return Type::integer();
  }
  return Type::range(lo, hi);
}

Type Builder::declared_type(const Type& scalar, Grammar::DeclaratorContext* declarator,
                            bool is_shared) {
  const std::uint64_t most = is_shared ? most_cells : most_own_cells;
  Type result = scalar;
  const auto lengths = declarator->bound();
  for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) {
    const Value count = bound(*length);
    if (count < 1) {
      error(*length, fmt::format("an array has at least one element, not {}", count));
      return scalar;
    }
    if (static_cast<std::uint64_t>(count) > most / result.cells()) {
      error(*length, fmt::format("{} array may have at most {} elements",
                                 is_shared ? "a shared" : "a thread's own", most));
      return scalar;
    }
    result = Type::array(std::move(result), static_cast<std::uint32_t>(count));
  }
  return result;
}

std::vector<Initial> Builder::default_values(const Type& type, SourceSpan span,
                                             const std::string& name) {
  const Type& scalar = type.scalar();
  if (!scalar.contains(0))
    error(span, fmt::format("'{}' needs an initial value: 0 is outside {}", name, print(scalar)));
  return std::vector<Initial>(type.cells(), scalar.contains(0) ? 0 : scalar.lo);
}

void Builder::initial_part(const Type& type, Grammar::InitialContext* context,
                           std::vector<Initial>& values) {
  if (context->any) { // of a whole array too
    values.insert(values.end(), type.cells(), Initial{});
    return;
  }
  const std::size_t wanted = values.size() + type.cells();
  if (auto* value = context->expr()) {
    if (!type.is_scalar())
      error(context, "an array takes its initial values as {a, b, ...} or *");
    else if (const auto c = constant_value(value)) {
      Expr expr = Expr::constant(c->value, syntax_.span(value));
      expr.is_bool = c->is_bool;
      if (fits(type, expr)) values.push_back(c->value);
    }
  } else if (type.is_scalar()) {
    error(context, fmt::format("a single {} cannot take a list of values", print(type)));
  } else if (const auto parts = context->initial(); parts.size() != type.length) {
    error(context, fmt::format("{} values for {} elements", parts.size(), type.length));
  } else {
    for (auto* part : parts) initial_part(type.parts[0], part, values);
  }
  values.resize(wanted, type.scalar().lo); // after a mistake: whatever fits
}

std::vector<Initial> Builder::initial_values(const Type& type,
                                             Grammar::DeclaratorContext* declarator) {
  if (!declarator->initial())
    return default_values(type, syntax_.span(declarator->name), declarator->name->getText());
  std::vector<Initial> values;
  initial_part(type, declarator->initial(), values);
  return values;
}

void Builder::shared_variables(Grammar::SharedVariablesContext* item) {
  const Type scalar = type(item->type());
  for (auto* declarator : item->declarator()) {
    const Type whole = declared_type(scalar, declarator, true);
    const SharedId id{static_cast<std::uint32_t>(program_.shared.size())};
    program_.shared.push_back({declarator->name->getText(), whole,
                               initial_values(whole, declarator), syntax_.span(declarator->name)});
    declare(declarator->name->getText(), id, syntax_.span(declarator->name));
  }
}

void Builder::thread_variables(Grammar::ThreadVariablesContext* item) {
  const Type scalar = type(item->type());
  for (auto* declarator : item->declarator()) {
    const Type whole = declared_type(scalar, declarator, false);
    const LocalId id{static_cast<std::uint32_t>(program_.locals.size())};
    program_.locals.push_back({declarator->name->getText(), whole, std::nullopt,
                               initial_values(whole, declarator), syntax_.span(declarator->name)});
    declare(declarator->name->getText(), id, syntax_.span(declarator->name));
  }
}

void Builder::procedure_head(Procedure::Kind kind, const std::string& name, SourceSpan span,
                             Grammar::ParametersContext* parameters, Grammar::BlockContext* body) {
  const ProcedureId id{static_cast<std::uint32_t>(program_.procedures.size())};
  Procedure code{kind, name, {}, {}, {}, span};
  if (kind == Procedure::Kind::Main)
    for (const Procedure& other : program_.procedures)
      if (other.kind == Procedure::Kind::Main) error(span, "a program has one main");
  declare(name, id, span);
  if (parameters)
    for (auto* parameter : parameters->parameter()) {
      const std::string parameter_name = parameter->name->getText();
      if (find(parameter_name))
        error(parameter->name, fmt::format("'{}' is declared already", parameter_name));
      for (const LocalId other : code.parameters)
        if (program_[other].name == parameter_name)
          error(parameter->name, fmt::format("'{}' is declared twice", parameter_name));
      const Type scalar = type(parameter->type());
      code.parameters.push_back({static_cast<std::uint32_t>(program_.locals.size())});
      program_.locals.push_back({parameter_name,
                                 scalar,
                                 id,
                                 {Initial{scalar.contains(0) ? 0 : scalar.lo}},
                                 syntax_.span(parameter->name)});
    }
  program_.procedures.push_back(std::move(code));
  bodies_.push_back(body);
}

/// With a main it alone starts; else each process does, once for each value of its parameters.
void Builder::start_threads() {
  for (std::uint32_t i = 0; i < program_.procedures.size(); ++i)
    if (program_.procedures[i].kind == Procedure::Kind::Main) {
      program_.threads.push_back({ProcedureId{i}, {}});
      return;
    }
  bool any_process = false;
  for (std::uint32_t i = 0; i < program_.procedures.size(); ++i) {
    const Procedure& code = program_.procedures[i];
    if (code.kind != Procedure::Kind::Process) continue;
    any_process = true;
    std::vector<std::vector<Value>> all{{}};
    for (const LocalId parameter : code.parameters) {
      const Type& range = program_[parameter].type;
      const bool too_many = range.is_unbounded() || range.hi - range.lo < 0 ||
                            static_cast<std::uint64_t>(range.hi - range.lo) >= most_threads;
      if (too_many) {
        error(
            program_[parameter].span,
            fmt::format("'{}' would start a thread for each value of {}", code.name, print(range)))
            .with_hint("give the parameter a small range, or spawn the threads in a main");
        return;
      }
      if (all.size() * static_cast<std::size_t>(range.hi - range.lo + 1) > most_threads) {
        error(code.span, fmt::format("more than {} threads would start", most_threads));
        return;
      }
      std::vector<std::vector<Value>> longer;
      for (const auto& prefix : all)
        for (Value v = range.lo; v <= range.hi; ++v) {
          longer.push_back(prefix);
          longer.back().push_back(v);
        }
      all = std::move(longer);
    }
    for (auto& arguments : all) program_.threads.push_back({ProcedureId{i}, std::move(arguments)});
    if (program_.threads.size() > most_threads) {
      error(code.span, fmt::format("more than {} threads would start", most_threads));
      return;
    }
  }
  if (!any_process)
    error(SourceSpan{0, 1}, "the program has no process")
        .with_hint("write for example: process P { skip; }");
}

std::optional<ThreadName> Builder::thread_name(Grammar::ThreadNameContext* context) {
  const std::string name = context->ID() ? context->ID()->getText() : std::string("main");
  const Symbol* symbol = find(name);
  const auto* id = symbol ? std::get_if<ProcedureId>(symbol) : nullptr;
  std::optional<ProcedureId> main; // whatever its name
  for (std::uint32_t i = 0; i < program_.procedures.size(); ++i)
    if (!context->ID() && program_.procedures[i].kind == Procedure::Kind::Main)
      main = ProcedureId{i};
  if (main) id = &*main;
  if (!id || program_[*id].kind == Procedure::Kind::Procedure) {
    error(context, fmt::format("'{}' is not a process", name));
    return std::nullopt;
  }
  ThreadName result{*id, {}};
  if (auto* given = context->arguments()) {
    const auto& parameters = program_[*id].parameters;
    const auto values = given->expr();
    if (values.size() != parameters.size()) {
      error(given,
            fmt::format("'{}' has {} parameters, not {}", name, parameters.size(), values.size()));
      return std::nullopt;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = constant_value(values[i]);
      if (!value) return std::nullopt;
      Expr expr = Expr::constant(value->value, syntax_.span(values[i]));
      expr.is_bool = value->is_bool;
      if (!fits(program_[parameters[i]].type, expr)) return std::nullopt;
      result.arguments.push_back(value->value);
    }
  }
  return result;
}

void Builder::forbid(Grammar::ForbidContext* item) {
  Forbid result{{}, syntax_.span(item)};
  for (auto* where : item->whereabouts()) {
    const auto thread = thread_name(where->threadName());
    if (!thread) continue;
    const auto& labels = program_[thread->process].labels;
    const auto found = std::find(labels.begin(), labels.end(), where->at->getText());
    const bool is_users = labels_of_users_[thread->process.value].count(where->at->getText()) > 0;
    if (found == labels.end() || !is_users) {
      error(where->at, fmt::format("'{}' has no label '{}'", program_[thread->process].name,
                                   where->at->getText()));
      continue;
    }
    result.places.push_back({*thread, LabelId{static_cast<std::uint32_t>(found - labels.begin())}});
  }
  if (result.places.size() == item->whereabouts().size())
    program_.forbids.push_back(std::move(result));
}

void Builder::final_condition(Grammar::FinalConditionContext* item) {
  context_ = Context::Final;
  auto condition = truth(item->expr());
  context_ = Context::Constant;
  if (condition) program_.finals.push_back({std::move(*condition), syntax_.span(item)});
}

} // namespace weir::frontend::cp
