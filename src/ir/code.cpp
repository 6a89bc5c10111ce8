#include "ir/code.h"

#include "base/invariant.h"
#include "base/match.h"

#include <map>
#include <utility>

namespace weir::ir {
namespace {

constexpr Location unknown = ~Location{0};
constexpr Location on_chain = unknown - 1;

/// Assembles one routine: emits instructions in source order with jumps, then takes them out.
class Assembler {
public:
  Assembler(const Program& program, const Procedure& procedure) {
    routine_.labels.assign(procedure.labels.size(), unknown);
    if (procedure.kind != Procedure::Kind::Procedure) choose_initial_values(program);
    block(procedure.body);
    emit(Return{}, procedure.span);
    take_out_jumps();
  }

  Routine take() { return std::move(routine_); }

private:
  /// A thread variable that starts at any value gets it as the thread's first steps.
  void choose_initial_values(const Program& program) {
    for (std::uint32_t i = 0; i < program.locals.size(); ++i) {
      const Local& local = program.locals[i];
      if (local.owner) continue;
      for (std::uint32_t cell = 0; cell < local.initial.size(); ++cell)
        if (!local.initial[cell])
          emit(Havoc{LocalPlace{LocalId{i}, path_to(local.type, cell)}}, local.span);
    }
  }

  static std::vector<Expr> path_to(const Type& type, std::uint64_t cell) {
    std::vector<Expr> path;
    for (const Type* at = &type; !at->is_scalar(); at = &at->parts[0]) {
      const std::uint64_t part = at->parts[0].cells();
      path.push_back(Expr::constant(static_cast<Value>(cell / part)));
      cell %= part;
    }
    return path;
  }

  Location here() const { return static_cast<Location>(routine_.code.size()); }

  Location emit(Operation operation, SourceSpan span) {
    const Location at = here();
    routine_.code.push_back({std::move(operation), at + 1, span});
    jumps_.push_back(false);
    return at;
  }

  Location emit_jump(Location target, SourceSpan span) {
    const Location at = emit(Skip{}, span);
    routine_.code[at].next = target;
    jumps_[at] = true;
    return at;
  }

  void block(const Block& statements) {
    for (const Stmt& stmt : statements) statement(stmt);
  }

  void statement(const Stmt& stmt) {
    const Location start = here();
    for (const LabelId label : stmt.labels) routine_.labels[label.value] = start;
    match(
        stmt.action,
        [&](const Goto& s) { gotos_.emplace_back(emit_jump(unknown, stmt.span), s.target); },
        [&](const If& s) { branch(s, stmt.span); }, [&](const Loop& s) { loop(s, stmt.span); },
        [&](const auto& simple) { emit(simple, stmt.span); });
    // A thread can be at a label, so what stands there is a step, even if it does nothing.
    if (stmt.labels.empty()) return;
    if (here() == start) emit(Skip{}, stmt.span);
    jumps_[start] = false;
  }

  void branch(const If& s, SourceSpan span) {
    if (s.condition.is_constant() && !has_labels(s.condition.value ? s.no : s.yes))
      return block(s.condition.value ? s.yes : s.no);
    const Location test =
        emit(Branch{s.condition, here() + 1, unknown}, test_span(s.condition, span));
    block(s.yes);
    if (s.no.empty()) {
      std::get<Branch>(routine_.code[test].operation).no = here();
      return;
    }
    const Location skip = emit_jump(unknown, span);
    std::get<Branch>(routine_.code[test].operation).no = here();
    block(s.no);
    routine_.code[skip].next = here();
  }

  void loop(const Loop& s, SourceSpan span) {
    const Location start = here();
    block(s.before);
    const bool is_never = s.condition.is_constant() && s.condition.value == 0;
    if (is_never && !has_labels(s.body)) return;
    if (s.condition.is_constant() && !is_never) {
      block(s.body);
      emit_jump(start, span);
      return;
    }
    const Location test =
        emit(Branch{s.condition, here() + 1, unknown}, test_span(s.condition, span));
    block(s.body);
    emit_jump(start, span);
    std::get<Branch>(routine_.code[test].operation).no = here();
  }

  /// Code that control does not fall into may still be jumped to.
  static bool has_labels(const Block& statements) {
    bool found = false;
    for_each_statement(statements,
                       [&](const Stmt& stmt) { found = found || !stmt.labels.empty(); });
    return found;
  }

  static SourceSpan test_span(const Expr& condition, SourceSpan whole) {
    return condition.span.end > condition.span.begin ? condition.span : whole;
  }

  void take_out_jumps() {
    for (const auto& [at, label] : gotos_) {
      invariant(routine_.labels[label.value] != unknown, "a goto's label should be placed");
      routine_.code[at].next = routine_.labels[label.value];
    }
    // Follow chains of jumps. A cycle of jumps alone stays, as one skip that goes to itself.
    std::vector<Location> target(here(), unknown);
    std::vector<Location> chain;
    for (Location i = 0; i < here(); ++i) {
      chain.clear();
      Location at = i;
      while (target[at] == unknown && jumps_[at]) {
        chain.push_back(at);
        target[at] = on_chain;
        at = routine_.code[at].next;
      }
      if (target[at] == on_chain) {
        jumps_[at] = false;
        routine_.code[at].next = at;
        target[at] = at;
      }
      const Location end = target[at] == unknown ? at : target[at];
      target[at] = end;
      for (const Location jump : chain) target[jump] = end;
    }
    std::vector<Location> moved(here());
    std::vector<Instruction> kept;
    // Control starts at 0, so what a leading jump leads to must come first.
    if (target[0] != 0) { kept.push_back({Skip{}, target[0], routine_.code[0].span}); }
    for (Location i = 0; i < here(); ++i) {
      moved[i] = static_cast<Location>(kept.size());
      if (!jumps_[i]) kept.push_back(std::move(routine_.code[i]));
    }
    const auto redirect = [&](Location& at) { at = moved[target[at]]; };
    for (Instruction& instruction : kept) {
      if (auto* test = std::get_if<Branch>(&instruction.operation)) {
        redirect(test->yes);
        redirect(test->no);
      } else if (!std::holds_alternative<Return>(instruction.operation)) {
        redirect(instruction.next);
      }
    }
    for (Location& label : routine_.labels)
      if (label != unknown) redirect(label);
    routine_.code = std::move(kept);
  }

  Routine routine_;
  std::vector<bool> jumps_; ///< by Location
  std::vector<std::pair<Location, LabelId>> gotos_;
};

} // namespace

Code::Code(const Program& source) : program(&source), layout(source) {
  for (const Procedure& procedure : source.procedures)
    routines.push_back(Assembler(source, procedure).take());
}

bool is_visible(const Operation& operation) {
  return match(
      operation, [](const Skip&) { return false; }, [](const Assume&) { return false; },
      [](const Assert&) { return false; }, [](const Assign&) { return false; },
      [](const Havoc&) { return false; }, [](const Load&) { return true; },
      [](const Store&) { return true; }, [](const Cas&) { return true; },
      [](const Arw&) { return true; }, [](const Fence&) { return true; },
      [](const StoreFence&) { return false; }, [](const AtomicBegin&) { return true; },
      [](const AtomicEnd&) { return true; }, [](const Spawn&) { return true; },
      [](const Join&) { return true; }, [](const Call&) { return false; },
      [](const Return&) { return false; }, [](const Branch&) { return false; });
}

std::vector<Location> successors(const Instruction& instruction) {
  if (const auto* test = std::get_if<Branch>(&instruction.operation)) return {test->yes, test->no};
  if (std::holds_alternative<Return>(instruction.operation)) return {};
  return {instruction.next};
}

} // namespace weir::ir
