#include "frontend/rmm/builder.h"
#include "ir/faults.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::frontend::rmm {

using namespace ir;

void Builder::at(Grammar::PlaceContext* context, const Access& access) {
  if (!context->pointer) {
    const bool is_global = !context->my && !context->index;
    if (const auto found = is_global ? global(context) : local(context)) access(*found);
    return;
  }
  const auto pointer = expression(context->pointer);
  if (!pointer) return;
  const auto count = static_cast<Wide>(globals_.size());
  const Interval values = interval(program_, *pointer);
  if (values.hi < 0 || values.lo >= count) {
    error(context, "this points to no location")
        .with_hint(globals_.empty() ? "only the 'data' before the first process can be pointed to"
                                    : fmt::format("[0] to [{}] are those of the 'data' before the "
                                                  "first process, in their order",
                                                  globals_.size() - 1));
    return;
  }
  require(*pointer, Type::range(0, static_cast<Value>(count) - 1), span(context));
  choose(*pointer, static_cast<std::size_t>(std::max<Wide>(values.lo, 0)),
         static_cast<std::size_t>(std::min<Wide>(values.hi, count - 1)), span(context), access);
}

/// Halves the locations until one is left.
void Builder::choose(const Expr& pointer, std::size_t first, std::size_t last, SourceSpan span,
                     const Access& access) {
  if (first == last) return access(global_names_.at(globals_[first].name));
  const std::size_t middle = first + (last - first) / 2;
  const Op op = middle == first ? Op::Eq : Op::Le;
  const Expr test =
      Expr::binary(op, pointer, Expr::constant(static_cast<Value>(middle)), pointer.span);
  Block yes = collect([&] { choose(pointer, first, middle, span, access); });
  Block no = collect([&] { choose(pointer, middle + 1, last, span, access); });
  emit(If{test, std::move(yes), std::move(no)}, span);
}

std::optional<SharedId> Builder::global(Grammar::PlaceContext* context) {
  const std::string name = context->name->getText();
  const auto found = global_names_.find(name);
  if (found != global_names_.end()) return found->second;
  auto& problem = error(context, fmt::format("'{}' is not a location of all processes", name));
  if (processes_[pid_].locations.count(name) > 0)
    problem.with_hint(fmt::format("the process' own is written {}[my]", name));
  else
    problem.with_hint(
        fmt::format("declare it before the first process: data {} = 0 : [0:1]", name));
  return std::nullopt;
}

std::optional<SharedId> Builder::local(Grammar::PlaceContext* context) {
  const auto pid = owner(context);
  if (!pid) return std::nullopt;
  const std::string name = context->name->getText();
  const auto found = processes_[*pid].locations.find(name);
  if (found != processes_[*pid].locations.end()) return found->second;
  auto& problem = error(context, fmt::format("process {} has no location '{}'", *pid, name));
  if (global_names_.count(name) > 0)
    problem.with_hint(fmt::format("the location of all processes is written {}", name));
  else
    problem.with_hint(fmt::format("declare it in that process: data {} = 0 : [0:1]", name));
  return std::nullopt;
}

/// `x[k]` is that of the k-th *other* process: nobody reaches itself by a number.
std::optional<std::size_t> Builder::owner(Grammar::PlaceContext* context) {
  if (context->my) return pid_;
  const auto units = context->index->unit();
  auto* literal = units.size() == 1 ? dynamic_cast<Grammar::NumberContext*>(units[0]) : nullptr;
  if (!literal) {
    error(context->index, "this does not say whose location is meant")
        .with_hint("write [my], or [0], [1], ... for the other processes");
    return std::nullopt;
  }
  const Value k = number(literal->NUMBER()->getSymbol());
  if (k < static_cast<Value>(processes_.size()) - 1) {
    const auto other = static_cast<std::size_t>(k);
    return other < pid_ ? other : other + 1;
  }
  error(context->index, fmt::format("there is no other process {}", k))
      .with_hint(fmt::format("each process sees {} other{}, counted from 0", processes_.size() - 1,
                             processes_.size() == 2 ? "" : "s"));
  return std::nullopt;
}

void Builder::await(SharedId location, const Expr& value, SourceSpan span) {
  const LocalId seen = temporary(program_[location].type);
  emit(Load{LocalPlace{seen, {}}, Place{location, {}}}, span);
  const Expr read = Expr::of_local(seen, program_[seen].type, span);
  emit(Assume{Expr::binary(Op::Eq, read, value, span)}, span);
}

void Builder::load(LocalId into, SharedId location, SourceSpan span) {
  const Type from = program_[location].type, to = program_[into].type;
  if (to.contains(from.lo) && to.contains(from.hi))
    return emit(Load{LocalPlace{into, {}}, Place{location, {}}}, span);
  const LocalId seen = temporary(from);
  emit(Load{LocalPlace{seen, {}}, Place{location, {}}}, span);
  assign(into, Expr::of_local(seen, from, span), span);
}

void Builder::store(SharedId location, const Expr& value, SourceSpan span) {
  if (require(value, program_[location].type, span)) emit(Store{Place{location, {}}, value}, span);
}

void Builder::assign(LocalId into, const Expr& value, SourceSpan span) {
  if (require(value, program_[into].type, span)) emit(Assign{LocalPlace{into, {}}, value}, span);
}

bool Builder::require(const Expr& value, const Type& type, SourceSpan span) {
  if (value.is_constant()) {
    if (type.contains(value.value)) return true;
    emit(Assume{Expr::boolean(false, span)}, span);
    return false;
  }
  if (auto condition = fits(program_, value, type)) emit(Assume{std::move(*condition)}, span);
  return true;
}

LocalId Builder::temporary(const Type& type) {
  const auto [found, is_new] = temporaries_.try_emplace(
      {type.lo, type.hi}, LocalId{static_cast<std::uint32_t>(program_.locals.size())});
  if (is_new)
    program_.locals.push_back({own_names_.unique("seen"),
                               type,
                               ProcedureId{static_cast<std::uint32_t>(pid_)},
                               {type.contains(0) ? 0 : type.lo},
                               {}});
  return found->second;
}

} // namespace weir::frontend::rmm
