#include "frontend/c/builder.h"
#include "ir/rename.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::frontend::c {

using namespace ir;

// ---- what all statements need ------------------------------------------------------------------

void Builder::emit(Action action, SourceSpan span, std::vector<LabelId> labels) {
  if (out_) out_->push_back({std::move(action), span, std::move(labels), statement_});
}

Block Builder::collect(const std::function<void()>& make) {
  Block result;
  Block* const outer = std::exchange(out_, &result);
  make();
  out_ = outer;
  return result;
}

LocalId Builder::new_local(const std::string& name, ir::Type type, SourceSpan span) {
  const LocalId id{static_cast<std::uint32_t>(program_.locals.size())};
  const std::uint64_t count = type.cells();
  program_.locals.push_back(
      {unique_name(name), std::move(type), code_, std::vector<Initial>(count, Initial{0}), span});
  return id;
}

LocalId Builder::temporary() {
  if (temporaries_used_ == temporaries_.size())
    temporaries_.push_back(new_local("t", ir::Type::integer(), {}));
  return temporaries_[temporaries_used_++];
}

Expr Builder::read(LocalId local, SourceSpan span) const {
  return Expr::of_local(local, ir::Type::integer(), span);
}

LocalId Builder::thread_variable(const std::string& name) {
  const auto known = thread_variables_.find(name);
  if (known != thread_variables_.end()) return known->second;
  const LocalId id{static_cast<std::uint32_t>(program_.locals.size())};
  program_.locals.push_back(
      {unique_name(name), ir::Type::integer(), std::nullopt, {Initial{0}}, {}});
  thread_variables_.emplace(name, id);
  return id;
}

Expr Builder::self() {
  uses_self_ = true;
  return read(thread_variable("self"));
}

/// If no thread asks for its number, none is given one.
void Builder::forget_numbers() {
  if (uses_self_) {
    const Block more = collect([&] {
      give_up_if(Expr::binary(Op::Ge, read(thread_variable("self")), Expr::constant(most_threads)),
                 program_.procedures[0].span);
    });
    for (Procedure& code : program_.procedures)
      if (code.kind == Procedure::Kind::Process)
        code.body.insert(code.body.begin() + 1, more.begin(), more.end());
    return;
  }
  const auto started = thread_variables_.find("started");
  const std::function<void(Block&)> clean = [&](Block& block) {
    std::erase_if(block, [&](const Stmt& stmt) {
      const auto* s = std::get_if<Assign>(&stmt.action);
      return s && started != thread_variables_.end() && s->to.variable == started->second;
    });
    for (Stmt& stmt : block) {
      if (auto* spawn = std::get_if<Spawn>(&stmt.action)) spawn->arguments.pop_back();
      if (auto* branch = std::get_if<If>(&stmt.action)) {
        clean(branch->yes);
        clean(branch->no);
      } else if (auto* loop = std::get_if<Loop>(&stmt.action)) {
        clean(loop->before);
        clean(loop->body);
      }
    }
  };
  for (Procedure& code : program_.procedures) {
    if (code.kind == Procedure::Kind::Process) {
      code.parameters.pop_back();
      code.body.erase(code.body.begin());
    }
    clean(code.body);
  }
}

/// One place in the text is one statement, however often its function is built.
void Builder::begin_statement(antlr4::ParserRuleContext* context, bool is_alone) {
  const SourceSpan span = syntax_.span(context);
  const StatementId next{static_cast<std::uint32_t>(program_.statements.size())};
  const auto [found, is_new] = statements_.emplace(std::pair{span.begin, span.end}, next);
  if (is_new) program_.statements.push_back({span, span, is_alone, span, is_alone});
  statement_ = found->second;
  temporaries_used_ = temporaries_floor_;
}

LabelId Builder::fresh_label() {
  auto& names = program_.procedures[code_.value].labels;
  names.push_back(fmt::format("label_{}", ++labels_made_));
  return LabelId{static_cast<std::uint32_t>(names.size() - 1)};
}

LabelId Builder::label(const std::string& name, SourceSpan span) {
  const auto found = labels_.find(name);
  if (found != labels_.end()) return found->second.id;
  auto& names = program_.procedures[code_.value].labels;
  std::string shown;
  for (const char c : name) shown += c == '$' ? '_' : c;
  const LabelId id{static_cast<std::uint32_t>(names.size())};
  names.push_back(fmt::format("{}_", shown)); // none of our words
  labels_.emplace(name, Label{id, span});
  return id;
}

// ---- bodies ------------------------------------------------------------------------------------

void Builder::body(const Work& work) {
  Function& function = functions_.at(work.function);
  function_ = work.function;
  code_ = work.id;
  kind_ = work.kind;
  labels_.clear();
  loops_.clear();
  temporaries_.clear();
  temporaries_used_ = 0;
  end_label_.reset();
  statement_.reset();
  scopes_.assign(1, {});
  Block block;
  out_ = &block;
  const SourceSpan span = syntax_.span(function.tree->declarator());
  const auto add_parameter = [&](const std::string& name, SourceSpan where) {
    const LocalId local = new_local(name, ir::Type::integer(), where);
    program_.procedures[code_.value].parameters.push_back(local);
    return local;
  };
  std::vector<LocalId> given;
  if (kind_ != Procedure::Kind::Main)
    for (const auto& [name, type] : function.parameters)
      given.push_back(add_parameter(name.empty() ? "parameter" : name, span));
  if (kind_ == Procedure::Kind::Process)
    emit(Assign{{thread_variable("self"), {}}, read(add_parameter("number", {}))}, {});
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& [name, type] = function.parameters[i];
    Object object;
    object.type = type;
    object.local = given[i];
    if (escaping_.count(function_ + " " + name) > 0) { // it has an address, so it is in memory
      object.where = Object::Where::Memory;
      with_addresses_.emplace(code_, span);
      object.is_per_thread = true;
      object.address = allocate_for_threads(name, type);
      store(of_object(object), read(given[i], span), span);
    }
    scopes_.back()[name] = object;
  }
  if (kind_ == Procedure::Kind::Main) // the program is started without arguments
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      Object object;
      object.type = function.parameters[i].second;
      object.where = Object::Where::Constant;
      object.address = i == 0 ? 1 : 0;
      scopes_.back()[function.parameters[i].first] = object;
    }
  if (function.is_section) {
    emit(AtomicBegin{}, span);
    end_label_ = fresh_label();
  }
  this->block(function.tree->block());
  statement_.reset();
  if (function.is_section) emit(AtomicEnd{}, span, {*end_label_});
  for (const auto& [name, label] : labels_)
    if (!label.is_placed)
      diagnostics_.error(label.span, fmt::format("there is no label '{}'", name));
  out_ = nullptr;
  scopes_.clear();
  if (diagnostics_.has_errors()) return;
  Procedure& code = program_.procedures[code_.value];
  code.body = std::move(block);
  number_labels(code);
}

void Builder::block(Grammar::BlockContext* context) {
  scopes_.emplace_back();
  const auto outer_types = typedefs_;
  const auto outer_tags = tags_;
  for (auto* item : context->blockItem()) block_item(item);
  typedefs_ = outer_types;
  tags_ = outer_tags;
  scopes_.pop_back();
}

void Builder::block_item(Grammar::BlockItemContext* item) {
  if (item->declaration()) {
    begin_statement(item->declaration(), false);
    local_declaration(item->declaration());
  } else {
    statement(item->statement(), false);
  }
}

Block Builder::nested(Grammar::StatementContext* context) {
  const auto outer = statement_;
  Block result = collect([&] {
    scopes_.emplace_back();
    statement(context, true);
    scopes_.pop_back();
  });
  statement_ = outer;
  return result;
}

void Builder::statement(Grammar::StatementContext* context, bool is_alone) {
  const SourceSpan span = syntax_.span(context);
  if (auto* s = dynamic_cast<Grammar::CompoundContext*>(context)) return block(s->block());
  const auto outer = statement_;
  if (auto* s = dynamic_cast<Grammar::LabelledContext*>(context)) {
    const std::string name = s->ID()->getText();
    if (name.starts_with("__CPROVER_ASYNC_")) {
      begin_statement(s->statement(), is_alone);
      auto* expressed = dynamic_cast<Grammar::ExpressedContext*>(s->statement());
      auto* call = expressed && expressed->expression()
                       ? dynamic_cast<Grammar::CallContext*>(bare(expressed->expression()->expr(0)))
                       : nullptr;
      if (!call || functions_.count(call->expr()->getText()) == 0) {
        error(s, "this label stands before a call of a function that is defined here");
      } else {
        std::optional<Rvalue> argument;
        if (!call->argument().empty() && call->argument(0)->expr())
          argument = value(call->argument(0)->expr());
        spawn(call->expr()->getText(), argument, std::nullopt, call);
      }
      statement_ = outer;
      return;
    }
    const LabelId id = label(name, syntax_.span(s->ID()->getSymbol()));
    if (labels_.at(name).is_placed) error(s, fmt::format("label '{}' is defined twice", name));
    labels_.at(name).is_placed = true;
    begin_statement(s, is_alone);
    emit(Skip{}, syntax_.span(s->ID()->getSymbol()), {id});
    statement_ = outer;
    return statement(s->statement(), true);
  }
  if (auto* s = dynamic_cast<Grammar::CaseContext*>(context)) {
    if (!cases_) {
      error(s, "'case' outside a switch");
      return;
    }
    const LabelId id = fresh_label();
    cases_->emplace_back(s, id);
    emit(Skip{}, span, {id});
    if (s->blockItem()) block_item(s->blockItem());
    return;
  }
  if (auto* s = dynamic_cast<Grammar::DefaultContext*>(context)) {
    if (!default_) {
      error(s, "'default' outside a switch");
      return;
    }
    *default_ = fresh_label();
    emit(Skip{}, span, {**default_});
    if (s->blockItem()) block_item(s->blockItem());
    return;
  }
  begin_statement(context, is_alone);
  const auto self = statement_;
  if (auto* s = dynamic_cast<Grammar::ExpressedContext*>(context)) {
    if (s->expression()) effect(s->expression());
  } else if (auto* s = dynamic_cast<Grammar::IfContext*>(context)) {
    Expr test = truth(s->expression());
    Block yes = nested(s->yes);
    Block no = s->no ? nested(s->no) : Block{};
    emit(If{std::move(test), std::move(yes), std::move(no)}, span);
  } else if (auto* s = dynamic_cast<Grammar::SwitchContext*>(context)) {
    switch_(s);
  } else if (auto* s = dynamic_cast<Grammar::WhileContext*>(context)) {
    loop(s->statement(), nullptr, s->expression(), span, true);
  } else if (auto* s = dynamic_cast<Grammar::DoContext*>(context)) {
    loop(s->statement(), nullptr, s->expression(), span, false);
  } else if (auto* s = dynamic_cast<Grammar::ForContext*>(context)) {
    scopes_.emplace_back();
    if (s->declaration()) local_declaration(s->declaration());
    if (s->init) effect(s->init);
    loop(s->statement(), s->step ? std::function<void()>([&] { effect(s->step); }) : nullptr,
         s->test, span, true);
    scopes_.pop_back();
  } else if (auto* s = dynamic_cast<Grammar::GotoContext*>(context)) {
    emit(Goto{label(s->ID()->getText(), syntax_.span(s->ID()->getSymbol()))}, span);
  } else if (dynamic_cast<Grammar::BreakContext*>(context)) {
    if (loops_.empty()) {
      error(context, "'break' outside a loop");
    } else {
      auto& wanted = loops_.back().end;
      if (!wanted) wanted = fresh_label();
      emit(Goto{*wanted}, span);
    }
  } else if (dynamic_cast<Grammar::ContinueContext*>(context)) {
    const auto found = std::find_if(loops_.rbegin(), loops_.rend(),
                                    [](const LoopLabels& l) { return !l.is_switch; });
    if (found == loops_.rend()) {
      error(context, "'continue' outside a loop");
    } else {
      if (!found->next) found->next = fresh_label();
      emit(Goto{*found->next}, span);
    }
  } else if (auto* s = dynamic_cast<Grammar::ReturnContext*>(context)) {
    const Function& function = functions_.at(function_);
    if (s->expression() && function.result->kind == Type::Kind::Void)
      effect(s->expression());
    else if (s->expression())
      emit(Assign{{thread_variable("result"), {}},
                  as_type(value(s->expression()), function.result, s->expression())},
           span);
    if (end_label_)
      emit(Goto{*end_label_}, span);
    else
      emit(Return{}, span);
  } else if (auto* s = dynamic_cast<Grammar::AssemblyContext*>(context)) {
    assembly(s->asm_());
  }
  statement_ = outer ? outer : self;
  if (!outer) statement_.reset();
}

void Builder::loop(Grammar::StatementContext* body, const std::function<void()>& step,
                   Grammar::ExpressionContext* test, SourceSpan span, bool tests_first) {
  loops_.emplace_back();
  const auto self = statement_;
  Expr condition = Expr::boolean(true, span);
  Block before, after;
  const auto inside = [&] {
    scopes_.emplace_back();
    statement(body, true);
    scopes_.pop_back();
    statement_ = self;
    if (loops_.back().next) emit(Skip{}, span, {*loops_.back().next});
    if (step) step();
  };
  const auto do_test = [&] {
    statement_ = self;
    if (test) condition = truth(test);
  };
  if (tests_first) {
    before = collect(do_test);
    after = collect(inside);
  } else {
    before = collect([&] {
      inside();
      do_test();
    });
  }
  statement_ = self;
  emit(Loop{std::move(before), std::move(condition), std::move(after)}, span);
  if (loops_.back().end) emit(Skip{}, span, {*loops_.back().end});
  loops_.pop_back();
}

void Builder::switch_(Grammar::SwitchContext* s) {
  const SourceSpan span = syntax_.span(s);
  Rvalue on = value(s->expression());
  const TypeRef type = promoted(on.type);
  const LocalId chosen = new_local("chosen", ir::Type::integer(), {});
  emit(Assign{{chosen, {}}, number(std::move(on))}, span);
  std::vector<std::pair<Grammar::CaseContext*, LabelId>> cases;
  std::optional<LabelId> otherwise;
  const auto outer_cases = std::exchange(cases_, &cases);
  const auto outer_default = std::exchange(default_, &otherwise);
  loops_.emplace_back();
  loops_.back().is_switch = true;
  const auto self = statement_;
  Block inside = nested(s->statement());
  statement_ = self;
  cases_ = outer_cases;
  default_ = outer_default;
  for (const auto& [context, id] : cases) {
    const auto of_type = [&](Grammar::ExprContext* e) -> std::optional<ir::Value> {
      std::optional<Expr> fitting;
      const Block steps = collect([&] { fitting = as_type(value(e), type, e); });
      if (!steps.empty() || !fitting->is_constant()) return std::nullopt;
      return fitting->value;
    };
    const auto low = of_type(context->expr(0));
    const auto high = context->expr().size() > 1 ? of_type(context->expr(1)) : low;
    if (!low || !high) {
      error(context, "a case is a constant");
      continue;
    }
    Expr test =
        *low == *high
            ? Expr::binary(Op::Eq, read(chosen), Expr::constant(*low), span)
            : Expr::binary(Op::And, Expr::binary(Op::Ge, read(chosen), Expr::constant(*low), span),
                           Expr::binary(Op::Le, read(chosen), Expr::constant(*high), span), span);
    emit(If{std::move(test), {Stmt{Goto{id}, span, {}, statement_}}, {}}, span);
  }
  if (!loops_.back().end) loops_.back().end = fresh_label();
  emit(Goto{otherwise ? *otherwise : *loops_.back().end}, span);
  for (Stmt& stmt : inside) out_->push_back(std::move(stmt));
  emit(Skip{}, span, {*loops_.back().end});
  loops_.pop_back();
}

void Builder::assembly(Grammar::Asm_Context* context) {
  std::string text;
  for (auto* string : context->STRING()) {
    const std::string quoted = string->getText();
    text += quoted.substr(1, quoted.size() - 2) + " ";
  }
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      plain += ';';
    } else {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
  }
  while (!plain.empty() && (plain.back() == ' ' || plain.back() == ';' || plain.back() == '\t'))
    plain.pop_back();
  plain.erase(0, plain.find_first_not_of(" \t;"));
  const SourceSpan span = syntax_.span(context);
  const bool is_locked =
      plain.starts_with("lock") &&
      (plain.find("add") != std::string::npos || plain.find("or") != std::string::npos) &&
      plain.find("(%") != std::string::npos && plain.find("sp") != std::string::npos;
  if (plain == "mfence" || plain == "sync" || is_locked)
    emit(Fence{}, span);
  else if (plain == "sfence" || plain == "lwsync" || plain == "eieio") // store before store
    emit(StoreFence{}, span);
  else if (plain.empty() || plain == "pause" || plain == "rep; nop" || plain == "rep;nop" ||
           plain == "nop" || plain == "lfence" || plain == "isync")
    emit(Skip{}, span);
  else
    error(context, "this assembly is not supported")
        .with_hint(
            "mfence, sfence, lfence, pause, nop, a locked instruction on the stack, or nothing");
}

} // namespace weir::frontend::c
