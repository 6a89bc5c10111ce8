#include "base/match.h"
#include "frontend/cp/builder.h"
#include "ir/print.h"
#include "ir/rename.h"

#include <fmt/format.h>

namespace weir::frontend::cp {

using namespace ir;

void Builder::body(ProcedureId id, Grammar::BlockContext* context) {
  current_ = id;
  context_ = Context::Code;
  scopes_.assign(1, {});
  locals_by_name_.clear();
  used_names_.clear();
  labels_.clear();
  user_labels_.clear();
  body_names_.clear();
  label_placed_.clear();
  loops_.clear();
  free_temporaries_.clear();
  for (const LocalId parameter : program_[id].parameters) {
    scopes_[0].emplace(program_[parameter].name, parameter);
    used_names_.insert(program_[parameter].name);
  }
  for (std::size_t i = context->start->getTokenIndex(); i < context->stop->getTokenIndex(); ++i) {
    antlr4::Token* const token = syntax_.tokens().get(i);
    if (token->getType() != Grammar::ID) continue;
    body_names_.insert(token->getText());
    if (syntax_.tokens().get(i + 1)->getText() == ":") user_labels_.insert(token->getText());
  }
  labels_of_users_.push_back(user_labels_);

  Block result;
  out_ = &result;
  block(context);
  program_.procedures[id.value].body = std::move(result);
  number_labels(program_.procedures[id.value]);
  context_ = Context::Constant;
  scopes_.clear();
}

void Builder::block(Grammar::BlockContext* context) {
  scopes_.emplace_back();
  for (auto* s : context->statement()) statement(s);
  scopes_.pop_back();
}

Block Builder::nested(Grammar::StatementContext* context) {
  return collect([&] {
    scopes_.emplace_back();
    statement(context, true);
    scopes_.pop_back();
  });
}

void Builder::statement(Grammar::StatementContext* context, bool is_alone) {
  const std::size_t first = out_->size();
  const auto outer = statement_;
  if (!dynamic_cast<Grammar::NestedContext*>(context->action())) {
    statement_ = StatementId{static_cast<std::uint32_t>(program_.statements.size())};
    program_.statements.push_back(
        {syntax_.span(context->action()), syntax_.span(context), is_alone});
  }
  std::vector<LabelId> labels;
  for (auto* l : context->label()) {
    const std::string name = l->ID()->getText();
    const LabelId id = label(name);
    if (label_placed_[id.value]) {
      error(l, fmt::format("label '{}' is defined twice in '{}'", name, program_[current_].name));
      continue;
    }
    label_placed_[id.value] = true;
    labels.push_back(id);
  }
  action(context->action(), !context->label().empty());
  if (!labels.empty()) {
    if (out_->size() == first) emit(Skip{}, syntax_.span(context));
    auto& placed = (*out_)[first].labels;
    placed.insert(placed.begin(), labels.begin(), labels.end());
    if (dynamic_cast<Grammar::NestedContext*>(context->action()))
      labelled_block(context, is_alone, first);
  }
  statement_ = outer;
}

/// The label of a block stands at its first statement, so what goes before that statement goes
/// before the block.
void Builder::labelled_block(Grammar::StatementContext* context, bool is_alone, std::size_t first) {
  const auto origin = (*out_)[first].origin;
  if (!origin || origin == statement_) { // the block is empty
    (*out_)[first].origin = StatementId{static_cast<std::uint32_t>(program_.statements.size())};
    program_.statements.push_back(
        {syntax_.span(context->action()), syntax_.span(context), is_alone});
    return;
  }
  SourceStatement& inner = program_.statements[origin->value];
  inner.outer = syntax_.span(context);
  inner.outer_is_alone = is_alone;
}

void Builder::action(Grammar::ActionContext* context, bool labelled) {
  const SourceSpan span = syntax_.span(context);
  const auto outer_temporaries = std::move(temporaries_in_use_);
  temporaries_in_use_.clear();

  if (dynamic_cast<Grammar::SkipContext*>(context)) {
    emit(Skip{}, span);
  } else if (auto* s = dynamic_cast<Grammar::AssumeContext*>(context)) {
    if (s->condition()->any)
      emit(Skip{}, span); // may hold: nothing is lost
    else if (auto c = condition(s->condition()))
      emit(Assume{std::move(*c)}, span);
  } else if (auto* s = dynamic_cast<Grammar::AssertContext*>(context)) {
    if (s->condition()->any)
      error(s->condition(), "assert(*) would always fail");
    else if (auto c = condition(s->condition()))
      emit(Assert{std::move(*c)}, span);
  } else if (auto* s = dynamic_cast<Grammar::AssignContext*>(context)) {
    if (const auto to = target(s->place())) assign(*to, s->rightSide(), span);
  } else if (auto* s = dynamic_cast<Grammar::DeclareContext*>(context)) {
    declare_locals(s, labelled);
  } else if (auto* s = dynamic_cast<Grammar::CallContext*>(context)) {
    const std::string name = s->name->getText();
    const Symbol* symbol = find(name);
    const auto* id = symbol ? std::get_if<ProcedureId>(symbol) : nullptr;
    if (!id || program_[*id].kind != Procedure::Kind::Procedure) {
      auto& problem = error(s->name, fmt::format("'{}' is not a procedure", name));
      if (id) problem.with_hint(fmt::format("start a process with: spawn {};", name));
    } else if (auto given = arguments(program_[*id], name, s->arguments(), span)) {
      emit(Call{*id, std::move(*given)}, span);
    }
  } else if (dynamic_cast<Grammar::ReturnContext*>(context)) {
    emit(Return{}, span);
  } else if (auto* s = dynamic_cast<Grammar::IfContext*>(context)) {
    if_else(s);
  } else if (auto* s = dynamic_cast<Grammar::WhileContext*>(context)) {
    while_loop(s);
  } else if (auto* s = dynamic_cast<Grammar::DoWhileContext*>(context)) {
    do_loop(s);
  } else if (auto* s = dynamic_cast<Grammar::GotoContext*>(context)) {
    const std::string name = s->name->getText();
    if (user_labels_.count(name) == 0) {
      error(s->name, fmt::format("there is no label '{}' in '{}'", name, program_[current_].name));
      emit(Skip{}, span);
    } else {
      emit(Goto{label(name)}, span);
    }
  } else if (dynamic_cast<Grammar::BreakContext*>(context)) {
    jump_out(false, span);
  } else if (dynamic_cast<Grammar::ContinueContext*>(context)) {
    jump_out(true, span);
  } else if (dynamic_cast<Grammar::AtomicBeginContext*>(context)) {
    emit(AtomicBegin{}, span);
  } else if (dynamic_cast<Grammar::AtomicEndContext*>(context)) {
    emit(AtomicEnd{}, span);
  } else if (auto* s = dynamic_cast<Grammar::AtomicContext*>(context)) {
    emit(AtomicBegin{}, syntax_.span(s->start));
    block(s->block());
    emit(AtomicEnd{}, syntax_.span(s->stop));
  } else if (auto* s = dynamic_cast<Grammar::SpawnThreadContext*>(context)) {
    spawn(s->spawn(), std::nullopt);
  } else if (auto* s = dynamic_cast<Grammar::JoinContext*>(context)) {
    if (auto thread = value_of(Type::integer(), s->expr())) emit(Join{std::move(*thread)}, span);
  } else if (dynamic_cast<Grammar::FenceContext*>(context)) {
    emit(Fence{}, span);
  } else if (dynamic_cast<Grammar::StoreFenceContext*>(context)) {
    emit(StoreFence{}, span);
  } else if (auto* s = dynamic_cast<Grammar::CasAloneContext*>(context)) {
    cas(s->cas(), std::nullopt);
  } else if (auto* s = dynamic_cast<Grammar::ArwContext*>(context)) {
    if (const auto place = shared_place(s->place())) {
      auto expected = value_of(type_of(*place), s->expected);
      auto desired = value_of(type_of(*place), s->desired);
      if (expected && desired) emit(Arw{*place, std::move(*expected), std::move(*desired)}, span);
    }
  } else if (auto* s = dynamic_cast<Grammar::NestedContext*>(context)) {
    block(s->block());
  }

  release_temporaries();
  temporaries_in_use_ = outer_temporaries;
}

/// What was read for a test is not needed after it.
void Builder::release_temporaries() {
  for (auto& [key, id] : temporaries_in_use_) free_temporaries_.emplace(key, id);
  temporaries_in_use_.clear();
}

void Builder::assign(const Target& to, Grammar::RightSideContext* value, SourceSpan span) {
  if (value->expr()) return assign(to, value->expr(), span);
  const Type scalar = type_of(to);
  const auto* local = std::get_if<LocalPlace>(&to);
  // Steps that deliver into a local; a shared target gets it from there.
  const LocalPlace into = local ? *local : fresh(scalar, value->any ? "any" : "thread");
  if (value->any) {
    emit(Havoc{into}, span);
  } else {
    if (scalar.kind != Type::Kind::Int) {
      error(value, "a thread's number is an int, but this variable is a bool");
      return;
    }
    spawn(value->spawn(), into);
  }
  if (!local) emit(Store{std::get<Place>(to), read(into, syntax_.span(value))}, span);
}

void Builder::assign(const Target& to, Grammar::ExprContext* value, SourceSpan span) {
  const Type scalar = type_of(to);
  if (const auto* local = std::get_if<LocalPlace>(&to)) {
    // A plain `r = x` or `r = cas(...)` delivers straight into r.
    if (auto* c = dynamic_cast<Grammar::CasValueContext*>(value);
        c && scalar.kind == Type::Kind::Bool) {
      cas(c->cas(), *local);
      return;
    }
    if (auto* v = dynamic_cast<Grammar::VariableContext*>(value);
        v && names_shared_variable(v->place()->name->getText())) {
      const auto from = shared_place(v->place());
      if (!from) return;
      if (type_of(*from).kind == scalar.kind) return emit(Load{*local, *from}, span);
      fits(scalar, Expr::of_local({}, type_of(*from), syntax_.span(value))); // says what is wrong
      return;
    }
    auto expr = value_of(scalar, value);
    if (!expr) return;
    emit(Assign{*local, std::move(*expr)}, span);
  } else if (auto expr = value_of(scalar, value)) {
    emit(Store{std::get<Place>(to), std::move(*expr)}, span);
  }
}

/// Whether a name of ours could be mistaken for one of the user's.
bool Builder::is_taken(const std::string& name) const {
  return body_names_.count(name) > 0 || find(name) != nullptr;
}

bool Builder::names_shared_variable(const std::string& name) const {
  for (const auto& scope : scopes_)
    if (scope.count(name)) return false;
  const Symbol* symbol = find(name);
  return symbol && std::holds_alternative<SharedId>(*symbol);
}

void Builder::declare_locals(Grammar::DeclareContext* context, bool labelled) {
  const Type scalar = type(context->type());
  for (auto* declarator : context->declarator()) {
    const std::string name = declarator->name->getText();
    const Type whole = declared_type(scalar, declarator, false);
    bool clash = find(name) != nullptr;
    for (const auto& scope : scopes_) clash = clash || scope.count(name) > 0;
    if (clash) {
      error(declarator->name, fmt::format("'{}' is declared already", name));
      continue;
    }
    // Variables of the same name and type in blocks side by side are one: each declaration resets it.
    std::optional<LocalId> id;
    for (const LocalId earlier : locals_by_name_[name])
      if (program_[earlier].type == whole) id = earlier;
    const bool is_new = !id;
    if (is_new) {
      std::string unique = name;
      for (unsigned n = 2; !used_names_.insert(unique).second; ++n)
        while (is_taken(unique = fmt::format("{}_{}", name, n))) ++n;
      id = LocalId{static_cast<std::uint32_t>(program_.locals.size())};
      program_.locals.push_back(
          {unique, whole, current_,
           std::vector<Initial>(whole.cells(), whole.scalar().contains(0) ? 0 : whole.scalar().lo),
           syntax_.span(declarator->name)});
      locals_by_name_[name].push_back(*id);
    }
    auto* initial = declarator->initial();
    auto* value = initial ? initial->expr() : nullptr;
    // At the very start of the procedure a constant is simply where the variable starts.
    const bool at_start = is_new && !labelled && scopes_.size() == 2 && out_->empty();
    auto* literal = dynamic_cast<Grammar::LiteralContext*>(value);
    auto* negative = dynamic_cast<Grammar::UnaryContext*>(value);
    const bool is_constant =
        literal || (negative && dynamic_cast<Grammar::LiteralContext*>(negative->expr()));
    const bool is_list = initial && !initial->any && !value;
    if (at_start && (!initial || is_constant || is_list)) {
      program_.locals[id->value].initial = initial_values(whole, declarator);
      for (Initial& cell : program_.locals[id->value].initial)
        if (!cell) {
          error(initial, "a list of initial values of a local has no '*'");
          cell = whole.scalar().lo;
        }
    } else if (value && whole.is_scalar()) {
      assign(LocalPlace{*id, {}}, value, syntax_.span(declarator));
    } else if (initial && initial->any && whole.is_scalar()) {
      emit(Havoc{LocalPlace{*id, {}}}, syntax_.span(declarator));
    } else { // an array, or no initial value: each cell by itself
      const auto values = initial_values(whole, declarator);
      for (std::uint64_t cell = 0; cell < values.size(); ++cell) {
        LocalPlace place{*id, {}};
        std::uint64_t rest = cell;
        for (const Type* at = &whole; !at->is_scalar(); at = &at->parts[0]) {
          place.path.push_back(Expr::constant(static_cast<Value>(rest / at->parts[0].cells())));
          rest %= at->parts[0].cells();
        }
        if (!values[cell]) {
          emit(Havoc{place}, syntax_.span(declarator));
          continue;
        }
        Expr start = Expr::constant(*values[cell]);
        start.is_bool = scalar.kind == Type::Kind::Bool;
        emit(Assign{place, start}, syntax_.span(declarator));
      }
    }
    scopes_.back().emplace(name, *id); // after its initial value: that cannot mention it
  }
}

void Builder::if_else(Grammar::IfContext* context) {
  auto test = condition(context->condition());
  release_temporaries();
  Block yes = nested(context->yes);
  Block no = context->no ? nested(context->no) : Block{};
  if (test) emit(If{std::move(*test), std::move(yes), std::move(no)}, syntax_.span(context));
}

void Builder::while_loop(Grammar::WhileContext* context) {
  loops_.emplace_back();
  MaybeExpr test;
  Block before = collect([&] { test = condition(context->condition()); });
  release_temporaries();
  Block body = nested(context->statement());
  end_loop(std::move(before), std::move(test), std::move(body), context);
}

void Builder::do_loop(Grammar::DoWhileContext* context) {
  loops_.emplace_back();
  MaybeExpr test;
  std::optional<LabelId> before_test;
  Block before = collect([&] {
    block(context->before);
    before_test = std::exchange(loops_.back().next, std::nullopt);
    if (before_test) emit(Skip{}, syntax_.span(context->condition()), {*before_test});
    test = condition(context->condition());
  });
  release_temporaries();
  Block body = context->after ? collect([&] { block(context->after); }) : Block{};
  end_loop(std::move(before), std::move(test), std::move(body), context);
}

void Builder::end_loop(Block before, MaybeExpr test, Block body, Grammar::ActionContext* context) {
  const LoopLabels labels = loops_.back();
  loops_.pop_back();
  if (!test) return;
  emit(Loop{std::move(before), std::move(*test), std::move(body)}, syntax_.span(context));
  if (labels.next) out_->back().labels.push_back(*labels.next);
  if (labels.end) emit(Skip{}, syntax_.span(context->stop), {*labels.end});
}

void Builder::spawn(Grammar::SpawnContext* context, std::optional<LocalPlace> into) {
  const std::string name = context->name->getText();
  const Symbol* symbol = find(name);
  const auto* id = symbol ? std::get_if<ProcedureId>(symbol) : nullptr;
  if (!id || program_[*id].kind != Procedure::Kind::Process) {
    auto& problem = error(context->name, fmt::format("'{}' is not a process", name));
    if (id && program_[*id].kind == Procedure::Kind::Procedure)
      problem.with_hint(fmt::format("run a procedure with: call {};", name));
    return;
  }
  if (auto given = arguments(program_[*id], name, context->arguments(), syntax_.span(context)))
    emit(Spawn{std::move(into), *id, std::move(*given)}, syntax_.span(context));
}

void Builder::jump_out(bool to_next, SourceSpan span) {
  if (loops_.empty()) {
    error(span, fmt::format("'{}' outside a loop", to_next ? "continue" : "break"));
    return;
  }
  auto& wanted = to_next ? loops_.back().next : loops_.back().end;
  if (!wanted) wanted = fresh_label(to_next ? "next" : "end");
  emit(Goto{*wanted}, span);
}

LabelId Builder::label(const std::string& name) {
  auto& names = program_.procedures[current_.value].labels;
  const auto [found, is_new] =
      labels_.emplace(name, LabelId{static_cast<std::uint32_t>(names.size())});
  if (is_new) {
    names.push_back(name);
    label_placed_.push_back(false);
  }
  return found->second;
}

LabelId Builder::fresh_label(const std::string& stem) {
  unsigned n = 1;
  while (user_labels_.count(fmt::format("{}_{}", stem, n)) ||
         labels_.count(fmt::format("{}_{}", stem, n)))
    ++n;
  const LabelId result = label(fmt::format("{}_{}", stem, n));
  label_placed_[result.value] = true; // by the loop, when it is whole
  return result;
}

} // namespace weir::frontend::cp
