#include "lower/liveness.h"

#include "base/match.h"

#include <set>

namespace weir::lower {

using namespace ir;

namespace {

template <class Visit> void for_each_local(const Expr& expr, Visit&& visit) {
  if (expr.op == Op::Local) visit(expr.local);
  for (const Expr& operand : expr.args) for_each_local(operand, visit);
}

template <class Visit> void for_each_local(const std::vector<Expr>& exprs, Visit&& visit) {
  for (const Expr& expr : exprs) for_each_local(expr, visit);
}

/// Locals an operation reads, indices of what it writes included.
template <class Visit> void for_each_use(const Operation& operation, Visit&& visit) {
  const auto into = [&](const std::optional<LocalPlace>& place) {
    if (place) for_each_local(place->path, visit);
  };
  match(
      operation, [&](const Assume& s) { for_each_local(s.condition, visit); },
      [&](const Assert& s) { for_each_local(s.condition, visit); },
      [&](const Assign& s) {
        for_each_local(s.value, visit);
        into(s.to);
      },
      [&](const Havoc& s) { into(s.to); },
      [&](const Load& s) {
        for_each_local(s.from.path, visit);
        into(s.into);
      },
      [&](const Store& s) {
        for_each_local(s.to.path, visit);
        for_each_local(s.value, visit);
      },
      [&](const Cas& s) {
        for_each_local(s.at.path, visit);
        for_each_local(s.expected, visit);
        for_each_local(s.desired, visit);
        into(s.into);
      },
      [&](const Arw& s) {
        for_each_local(s.at.path, visit);
        for_each_local(s.expected, visit);
        for_each_local(s.desired, visit);
      },
      [&](const Spawn& s) {
        for_each_local(s.arguments, visit);
        into(s.into);
      },
      [&](const Join& s) { for_each_local(s.thread, visit); },
      [&](const Call& s) { for_each_local(s.arguments, visit); },
      [&](const Branch& s) { for_each_local(s.condition, visit); }, [](const Skip&) {},
      [](const Fence&) {}, [](const StoreFence&) {}, [](const AtomicBegin&) {},
      [](const AtomicEnd&) {}, [](const Return&) {});
}

/// The scalar variable an operation overwrites, if any; elements of arrays do not count.
std::optional<LocalId> overwritten(const Operation& operation) {
  const auto whole = [](const LocalPlace& place) -> std::optional<LocalId> {
    if (place.path.empty()) return place.variable;
    return std::nullopt;
  };
  return match(
      operation, [&](const Assign& s) { return whole(s.to); },
      [&](const Havoc& s) { return whole(s.to); }, [&](const Load& s) { return whole(s.into); },
      [&](const Cas& s) { return s.into ? whole(*s.into) : std::nullopt; },
      [&](const Spawn& s) { return s.into ? whole(*s.into) : std::nullopt; },
      [](const auto&) -> std::optional<LocalId> { return std::nullopt; });
}

} // namespace

Liveness::Liveness(const Code& code, bool keep_results)
    : code_(code), frame_size_(code.layout.frame_size) {
  const Program& program = *code.program;
  const std::size_t count = program.procedures.size();

  // Thread variables that a routine may read, itself or by calls.
  std::vector<std::set<LocalId>> used(count);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t r = 0; r < count; ++r)
      for (const Instruction& instruction : code.routines[r].code) {
        const std::size_t before = used[r].size();
        for_each_use(instruction.operation, [&](LocalId local) {
          if (!program[local].owner) used[r].insert(local);
        });
        if (const auto* call = std::get_if<Call>(&instruction.operation))
          used[r].insert(used[call->procedure.value].begin(), used[call->procedure.value].end());
        changed = changed || used[r].size() != before;
      }
  }
  for (const auto& set : used) thread_variables_used_.emplace_back(set.begin(), set.end());

  sets_.resize(count);
  for (std::uint32_t r = 0; r < count; ++r) {
    const ProcedureId routine{r};
    Set end = at_end(routine, keep_results);
    solve(routine, end);
  }
}

void Liveness::add(LocalId local, ProcedureId routine, Set& set) const {
  const Local& variable = (*code_.program)[local];
  const std::uint32_t base =
      code_.layout.local_base[local.value] + (variable.owner ? 0 : frame_size_[routine.value]);
  for (std::uint32_t i = 0; i < variable.type.cells(); ++i) set[base + i] = true;
}

/// A procedure's caller may read any thread variable; a process leaves what final conditions name.
Liveness::Set Liveness::at_end(ProcedureId routine, bool keep_results) const {
  const Program& program = *code_.program;
  Set set(frame_size_[routine.value] + code_.layout.thread_variables_size);
  const bool is_procedure = program[routine].kind == Procedure::Kind::Procedure;
  for (std::uint32_t i = 0; i < program.locals.size(); ++i) {
    const Local& local = program.locals[i];
    const bool is_own = !local.owner || local.owner == routine;
    const bool is_declared = local.span.end > local.span.begin;
    if (is_procedure ? !local.owner : keep_results && is_own && is_declared)
      add(LocalId{i}, routine, set);
  }
  if (!is_procedure) {
    const auto visit = [&](const auto& self, const Expr& expr) -> void {
      if (expr.op == Op::OfThread && expr.thread->process == routine) add(expr.local, routine, set);
      for (const Expr& operand : expr.args) self(self, operand);
    };
    for (const Final& f : program.finals) visit(visit, f.condition);
  }
  return set;
}

void Liveness::transfer(const Operation& operation, ProcedureId routine, Set& set) const {
  if (const auto local = overwritten(operation);
      local && (*code_.program)[*local].type.is_scalar()) {
    const bool own = (*code_.program)[*local].owner.has_value();
    set[code_.layout.local_base[local->value] + (own ? 0 : frame_size_[routine.value])] = false;
  }
  for_each_use(operation, [&](LocalId local) { add(local, routine, set); });
  if (const auto* call = std::get_if<Call>(&operation))
    for (const LocalId local : thread_variables_used_[call->procedure.value])
      add(local, routine, set);
}

void Liveness::solve(ProcedureId routine, const Set& end) {
  const auto& code = code_.routines[routine.value].code;
  auto& before = sets_[routine.value].before;
  before.assign(code.size(), Set(end.size()));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = code.size(); i-- > 0;) {
      Set set(end.size());
      if (std::holds_alternative<Return>(code[i].operation)) set = end;
      for (const Location next : successors(code[i]))
        for (std::size_t v = 0; v < set.size(); ++v) set[v] = set[v] || before[next][v];
      transfer(code[i].operation, routine, set);
      if (set != before[i]) {
        before[i] = std::move(set);
        changed = true;
      }
    }
  }
}

void Liveness::forget_dead(semantics::Thread& thread) const {
  for (semantics::Frame& frame : thread.stack) {
    const Set& alive = sets_[frame.routine.value].before[frame.at];
    for (std::size_t i = 0; i < frame.locals.size(); ++i)
      if (!alive[i]) frame.locals[i] = 0;
  }
  const semantics::Frame& top = thread.stack.back();
  const Set& alive = sets_[top.routine.value].before[top.at];
  for (std::size_t i = 0; i < thread.variables.size(); ++i)
    if (!alive[frame_size_[top.routine.value] + i]) thread.variables[i] = 0;
}

} // namespace weir::lower
