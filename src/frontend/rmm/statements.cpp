#include "frontend/rmm/builder.h"

#include <fmt/format.h>

namespace weir::frontend::rmm {

using namespace ir;

void Builder::statements(Grammar::StatementsContext* context) {
  for (auto* s : context->statement()) statement(s);
  check_separators(context);
}

void Builder::check_separators(Grammar::StatementsContext* context) {
  Grammar::StatementContext* before = nullptr;
  for (auto* child : context->children) {
    auto* const next = dynamic_cast<Grammar::StatementContext*>(child);
    if (before && next) {
      const std::uint32_t end = span(before->stop).end;
      diagnostics_.error({end, end + 1}, "expected ';' before " + antlr::shown(next->start));
    }
    before = next;
  }
  if (context->extra)
    error(context->extra, "there is no statement after this ';'")
        .with_hint("a ';' stands between two statements, not after the last");
}

Block Builder::nested(Grammar::StatementContext* context) {
  return collect([&] { statement(context, true); });
}

void Builder::statement(Grammar::StatementContext* context, bool is_alone) {
  const std::size_t first = out_->size();
  const auto outer = statement_;
  const auto labels = context->label();
  if (!dynamic_cast<Grammar::NestedContext*>(context->action()))
    begin_statement(context, is_alone);
  else if (!labels.empty() && !labelled_block_)
    labelled_block_.emplace(span(context), is_alone);
  action(context->action());
  if (!labels.empty()) {
    // What went wrong left nothing to put the label on.
    if (out_->size() == first) emit(Skip{}, span(context));
    auto& placed = (*out_)[first].labels;
    placed.insert(placed.begin(), labels_.at(labels[0]->ID()->getText()));
  }
  statement_ = outer;
}

void Builder::begin_statement(Grammar::StatementContext* context, bool is_alone) {
  const Stretch whole = stretch(syntax_, context);
  const Stretch action = stretch(syntax_, context->action());
  SourceStatement made{action.span, whole.span, is_alone, whole.span, is_alone};
  // A label before the use of a macro: in the text it stands outside of the statement, as that of a
  // block does.
  if (whole.piece != action.piece) made.whole = action.span;
  if (labelled_block_) std::tie(made.outer, made.outer_is_alone) = *labelled_block_;
  labelled_block_.reset();
  statement_ = statement_at(made);
}

/// One place in the text is one statement: in all copies of a process, and in all uses of a macro.
StatementId Builder::statement_at(const SourceStatement& statement) {
  const Key key{statement.span.begin, statement.span.end, statement.outer.begin,
                statement.outer.end};
  const StatementId next{static_cast<std::uint32_t>(program_.statements.size())};
  const auto [found, is_new] = statements_.emplace(key, next);
  if (is_new) program_.statements.push_back(statement);
  // A macro may be used in a list and after a `then`.
  SourceStatement& known = program_.statements[found->second.value];
  known.is_alone = known.is_alone || statement.is_alone;
  known.outer_is_alone = known.outer_is_alone || statement.outer_is_alone;
  return found->second;
}

void Builder::action(Grammar::ActionContext* context) {
  const SourceSpan span = this->span(context);
  if (access(context)) return;
  if (dynamic_cast<Grammar::NopContext*>(context)) {
    emit(Skip{}, span);
  } else if (auto* s = dynamic_cast<Grammar::FenceContext*>(context)) {
    fence(s);
  } else if (auto* s = dynamic_cast<Grammar::LockedWriteContext*>(context)) {
    locked_write(s);
  } else if (auto* s = dynamic_cast<Grammar::LockedContext*>(context)) {
    locked(s);
  } else if (auto* s = dynamic_cast<Grammar::CasContext*>(context)) {
    cas(s);
  } else if (auto* s = dynamic_cast<Grammar::IfContext*>(context)) {
    if_else(s);
  } else if (auto* s = dynamic_cast<Grammar::WhileContext*>(context)) {
    auto test = condition(s->condition());
    Block body = nested(s->statement());
    if (test) emit(Loop{{}, std::move(*test), std::move(body)}, span);
  } else if (auto* s = dynamic_cast<Grammar::GotoContext*>(context)) {
    go_to(s);
  } else if (auto* s = dynamic_cast<Grammar::EitherContext*>(context)) {
    std::vector<std::function<void()>> ways;
    for (auto* way : s->branches()->statements()) ways.push_back([=, this] { statements(way); });
    either(ways, span);
  } else if (auto* s = dynamic_cast<Grammar::NestedContext*>(context)) {
    statements(s->statements());
  }
}

/// The statements that locked sections have too; false: it is another one.
bool Builder::access(Grammar::ActionContext* context) {
  const SourceSpan span = this->span(context);
  if (auto* s = dynamic_cast<Grammar::ReadValueContext*>(context)) {
    const auto value = expression(s->expr());
    const bool is_ours = !is_only_for_caches(s->op);
    at(s->place(), [&](SharedId location) {
      if (value && is_ours) await(location, *value, span);
    });
  } else if (auto* s = dynamic_cast<Grammar::ReadIntoContext*>(context)) {
    const auto into = register_named(s->into);
    const bool is_ours = !is_only_for_caches(s->op);
    at(s->place(), [&](SharedId location) {
      if (into && is_ours) load(*into, location, span);
    });
  } else if (auto* s = dynamic_cast<Grammar::WriteContext*>(context)) {
    const auto value = expression(s->expr());
    const bool is_ours = !is_only_for_caches(s->op);
    at(s->place(), [&](SharedId location) {
      if (value && is_ours) store(location, *value, span);
    });
  } else if (auto* s = dynamic_cast<Grammar::AssignContext*>(context)) {
    const auto into = register_named(s->into);
    const auto value = expression(s->expr());
    if (into && value) assign(*into, *value, span);
  } else if (auto* s = dynamic_cast<Grammar::AssumeContext*>(context)) {
    if (auto holds = condition(s->condition())) emit(Assume{std::move(*holds)}, span);
  } else {
    return false;
  }
  return true;
}

bool Builder::is_only_for_caches(antlr4::Token* word) {
  const std::string text = word->getText();
  if (text != "syncwr" && text != "syncrd" && text != "llfence") return false;
  error(word, fmt::format("only Memorax's cache-protocol engine has '{}'", text))
      .with_hint(text == "syncwr"   ? "to write past the store buffer: locked write"
                 : text == "syncrd" ? "a 'read' sees memory or the own store buffer here"
                                    : "leave it out: reads stay in order here");
  return true;
}

void Builder::fence(Grammar::FenceContext* context) {
  if (is_only_for_caches(context->op)) return;
  if (context->op->getText() == "fence")
    emit(Fence{}, span(context));
  else
    emit(StoreFence{}, span(context));
}

void Builder::if_else(Grammar::IfContext* context) {
  auto test = condition(context->condition());
  Block yes = nested(context->yes);
  Block no = context->no ? nested(context->no) : Block{};
  if (test) emit(If{std::move(*test), std::move(yes), std::move(no)}, span(context));
}

namespace {

/// Whether a label names the very place of the goto.
bool is_labelled(const antlr4::tree::ParseTree* jump) {
  const antlr4::tree::ParseTree* inner = jump;
  for (const auto* at = jump->parent; at; inner = at, at = at->parent) {
    if (const auto* statement = dynamic_cast<const Grammar::StatementContext*>(at)) {
      if (statement->children.front() != inner) return true;
    } else if (const auto* list = dynamic_cast<const Grammar::StatementsContext*>(at)) {
      if (list->children.front() != inner) return false;
    } else if (!dynamic_cast<const Grammar::NestedContext*>(at)) {
      return false;
    }
  }
  return false;
}

} // namespace

void Builder::go_to(Grammar::GotoContext* context) {
  if (is_labelled(context))
    error(context, "Memorax does not allow a label at a goto")
        .with_hint("put a nop between them: L: nop; goto M");
  const std::string name = context->name->getText();
  const auto found = labels_.find(name);
  if (found == labels_.end())
    error(context->name, fmt::format("there is no label '{}' in this process", name));
  else
    emit(Goto{found->second}, span(context));
}

/// One of the ways, as anyone likes.
void Builder::either(const std::vector<std::function<void()>>& ways, SourceSpan span) {
  choose_way(ways, 0, ways.size(), span);
}

void Builder::choose_way(const std::vector<std::function<void()>>& ways, std::size_t first,
                         std::size_t last, SourceSpan span) {
  if (last - first == 1) return ways[first]();
  const std::size_t middle = first + (last - first) / 2;
  Block yes = collect([&] { choose_way(ways, first, middle, span); });
  Block no = collect([&] { choose_way(ways, middle, last, span); });
  emit(If{Expr::any(span), std::move(yes), std::move(no)}, span);
}

} // namespace weir::frontend::rmm
