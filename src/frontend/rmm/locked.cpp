#include "frontend/rmm/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::frontend::rmm {

using namespace ir;

namespace {

constexpr std::size_t most_paths = 64;

template <class Context> bool is(Grammar::ActionContext* action) {
  return dynamic_cast<Context*>(action) != nullptr;
}

bool writes(Grammar::ActionContext* action) {
  return is<Grammar::WriteContext>(action) || is<Grammar::LockedWriteContext>(action) ||
         is<Grammar::CasContext>(action);
}

bool reads(Grammar::ActionContext* action) {
  return is<Grammar::ReadValueContext>(action) || is<Grammar::ReadIntoContext>(action);
}

/// Waits until the store buffer is empty.
bool drains(Grammar::ActionContext* action) {
  const auto* fence = dynamic_cast<Grammar::FenceContext*>(action);
  return writes(action) || (fence && fence->op->getText() == "fence");
}

} // namespace

void Builder::locked_write(Grammar::LockedWriteContext* context) {
  const SourceSpan span = this->span(context);
  const bool is_locked = context->op->getText() == "locked";
  const auto value = expression(context->expr());
  at(context->place(), [&](SharedId location) {
    if (!value || !require(*value, program_[location].type, span)) return;
    if (is_locked) emit(AtomicBegin{}, span);
    emit(Store{Place{location, {}}, *value}, span);
    if (is_locked)
      emit(AtomicEnd{}, span);
    else
      emit(StoreFence{}, span);
  });
}

void Builder::cas(Grammar::CasContext* context) {
  const SourceSpan span = this->span(context);
  const auto expected = expression(context->expected);
  const auto desired = expression(context->desired);
  at(context->place(), [&](SharedId location) {
    if (!expected || !desired) return;
    const Type type = program_[location].type;
    if (expected->is_constant() && !require(*expected, type, span)) return;
    if (require(*desired, type, span)) emit(Arw{Place{location, {}}, *expected, *desired}, span);
  });
}

/// Each way through it is a section of its own: whether it waits for the buffer depends on the way.
void Builder::locked(Grammar::LockedContext* context) {
  const auto ways = paths(context->branches());
  if (ways.size() > most_paths) {
    error(context, fmt::format("there are more than {} ways through this", most_paths));
    return;
  }
  std::vector<std::function<void()>> sections;
  for (const Path& way : ways) sections.push_back([&, this] { section(way, context); });
  either(sections, span(context));
}

/// All ways through the branches, as lists of statements without blocks and nested sections.
std::vector<Builder::Path> Builder::paths(Grammar::BranchesContext* context) {
  std::vector<Path> result;
  for (auto* branch : context->statements()) {
    const auto ways = paths(branch);
    result.insert(result.end(), ways.begin(), ways.end());
  }
  return result;
}

std::vector<Builder::Path> Builder::paths(Grammar::StatementsContext* context) {
  std::vector<Path> result{{}};
  for (auto* s : context->statement()) {
    const auto ways = paths(s);
    std::vector<Path> longer;
    for (const Path& begin : result)
      for (const Path& way : ways) {
        if (longer.size() > most_paths) break; // too many, which is all that matters
        longer.push_back(begin);
        longer.back().insert(longer.back().end(), way.begin(), way.end());
      }
    result = std::move(longer);
  }
  check_separators(context);
  return result;
}

std::vector<Builder::Path> Builder::paths(Grammar::StatementContext* context) {
  for (auto* label : context->label())
    error(label, "a label cannot stand in a locked section: others never see a thread inside");
  Grammar::ActionContext* const action = context->action();
  if (auto* nested = dynamic_cast<Grammar::LockedContext*>(action))
    return paths(nested->branches());
  if (auto* nested = dynamic_cast<Grammar::NestedContext*>(action))
    return paths(nested->statements());
  if (is<Grammar::IfContext>(action) || is<Grammar::WhileContext>(action) ||
      is<Grammar::GotoContext>(action) || is<Grammar::EitherContext>(action)) {
    error(action, fmt::format("'{}' cannot stand in a locked section", action->start->getText()))
        .with_hint("ways through it are written locked { ... or ... }, tests as assume");
    return {{}};
  }
  return {{action}};
}

void Builder::section(const Path& path, Grammar::LockedContext* context) {
  const bool waits = std::any_of(path.begin(), path.end(), drains);
  if (!waits && std::count_if(path.begin(), path.end(), reads) > 1) {
    error(context->start, "this reads memory several times and writes nothing: Weir can do that in "
                          "one step only with an empty store buffer")
        .with_hint("with a fence in it, it waits until the buffer is empty");
    return;
  }
  if (waits) emit(AtomicBegin{}, span(context->start));
  for (Grammar::ActionContext* action : path) step(action);
  if (waits) emit(AtomicEnd{}, span(context->stop));
}

/// A statement of a section. It needs no locks of its own.
void Builder::step(Grammar::ActionContext* context) {
  const SourceSpan span = this->span(context);
  if (auto* s = dynamic_cast<Grammar::ReadValueContext*>(context)) refuse_pointer(s->place());
  if (auto* s = dynamic_cast<Grammar::ReadIntoContext*>(context)) refuse_pointer(s->place());
  if (auto* s = dynamic_cast<Grammar::WriteContext*>(context)) refuse_pointer(s->place());
  if (access(context)) return;
  if (auto* s = dynamic_cast<Grammar::LockedWriteContext*>(context)) {
    refuse_pointer(s->place());
    if (const auto value = expression(s->expr()))
      at(s->place(), [&](SharedId location) { store(location, *value, span); });
  } else if (auto* s = dynamic_cast<Grammar::CasContext*>(context)) {
    refuse_pointer(s->place());
    const auto expected = expression(s->expected);
    const auto desired = expression(s->desired);
    if (expected && desired)
      at(s->place(), [&](SharedId location) {
        await(location, *expected, span);
        store(location, *desired, span);
      });
  } else if (auto* s = dynamic_cast<Grammar::FenceContext*>(context)) {
    if (s->op->getText() == "fence")
      emit(Skip{}, span); // the section has waited
    else
      fence(s);
  } else {
    emit(Skip{}, span);
  }
}

/// Memorax takes a pointer apart into an `either`, which no section may have.
void Builder::refuse_pointer(Grammar::PlaceContext* place) {
  if (!place->pointer) return;
  const auto value = expression(place->pointer);
  if (value && !value->is_constant())
    error(place, "a pointer cannot stand in a locked section, unless it is a constant");
}

} // namespace weir::frontend::rmm
