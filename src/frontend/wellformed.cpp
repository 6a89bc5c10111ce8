#include "frontend/wellformed.h"

#include "base/match.h"
#include "ir/code.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

namespace weir::frontend {

using namespace ir;

namespace {

class Checker {
public:
  Checker(const Program& program, Diagnostics& diagnostics)
      : program_(program), code_(program), diagnostics_(diagnostics) {}

  void run() {
    find_calls();
    for (std::uint32_t i = 0; i < program_.procedures.size(); ++i) {
      sections(ProcedureId{i});
      spawns_in_loops(ProcedureId{i});
    }
    spawns_in_circles();
  }

private:
  const Procedure& procedure(std::uint32_t i) const { return program_.procedures[i]; }

  /// Who calls whom, and which code contains an atomic section, itself or by calls.
  void find_calls() {
    const std::size_t count = program_.procedures.size();
    calls_.resize(count);
    spawns_.resize(count);
    has_section_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i)
      for (const Instruction& instruction : code_.routines[i].code) {
        if (const auto* call = std::get_if<Call>(&instruction.operation))
          calls_[i].insert(call->procedure.value);
        if (const auto* spawn = std::get_if<Spawn>(&instruction.operation))
          spawns_[i].emplace(spawn->process.value, instruction.span);
        if (std::holds_alternative<AtomicBegin>(instruction.operation)) has_section_[i] = true;
      }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < count; ++i)
        for (const std::uint32_t callee : calls_[i])
          if (has_section_[callee] && !has_section_[i]) has_section_[i] = changed = true;
    }
  }

  /// Every location is inside a section on all ways to it or on none, sections do not nest, and
  /// no procedure ends inside one.
  void sections(ProcedureId id) {
    const Routine& routine = code_.routines[id.value];
    std::vector<std::optional<bool>> inside(routine.code.size());
    std::vector<Location> work{0};
    inside[0] = false;
    while (!work.empty()) {
      const Location at = work.back();
      work.pop_back();
      const Instruction& instruction = routine.code[at];
      bool after = *inside[at];
      if (std::holds_alternative<AtomicBegin>(instruction.operation)) {
        if (after)
          diagnostics_.error(instruction.span, "atomic sections do not nest")
              .with_hint("close the section before, or leave this one out");
        after = true;
      } else if (std::holds_alternative<AtomicEnd>(instruction.operation)) {
        if (!after)
          diagnostics_.error(instruction.span, "this ends an atomic section that was not begun");
        after = false;
      } else if (const auto* call = std::get_if<Call>(&instruction.operation)) {
        if (after && has_section_[call->procedure.value])
          diagnostics_
              .error(instruction.span,
                     fmt::format("'{}' has an atomic section and is called inside one",
                                 program_[call->procedure].name))
              .with_hint("atomic sections do not nest");
      } else if (std::holds_alternative<Return>(instruction.operation) && after) {
        diagnostics_
            .error(instruction.span,
                   fmt::format("'{}' may end inside an atomic section", program_[id].name))
            .with_hint("close the section with atomic_end first");
      }
      for (const Location next : successors(instruction)) {
        if (!inside[next]) {
          inside[next] = after;
          work.push_back(next);
        } else if (*inside[next] != after && reported_.insert({id.value, next}).second) {
          diagnostics_.error(
              routine.code[next].span,
              "this is inside an atomic section on one way to it but not on another");
        }
      }
    }
  }

  /// A spawn in a loop is fine if the loop counts: `while (i < 3) { ...; i = i + 1; }`.
  void spawns_in_loops(ProcedureId id) {
    inspect(program_[id].body, true);
    backward_jumps(id);
  }

  void inspect(const Block& block, bool bounded) {
    for (const Stmt& stmt : block) {
      const bool starts_threads = std::holds_alternative<Spawn>(stmt.action) ||
                                  (std::holds_alternative<Call>(stmt.action) &&
                                   spawns_by_calls(std::get<Call>(stmt.action).procedure.value));
      if (starts_threads && !bounded) unbounded(stmt.span);
      if (const auto* branch = std::get_if<If>(&stmt.action)) {
        inspect(branch->yes, bounded);
        inspect(branch->no, bounded);
      } else if (const auto* loop = std::get_if<Loop>(&stmt.action)) {
        const bool counted = bounded && counts(*loop);
        inspect(loop->before, counted);
        inspect(loop->body, counted);
      }
    }
  }

  void unbounded(SourceSpan span) {
    diagnostics_.error(span, "a spawn in a loop without a bound would start threads without end")
        .with_hint("count the rounds: while (i < 3) { ...; i = i + 1; }");
  }

  /// Compares a local with a constant, and in each round moves it once towards leaving.
  bool counts(const Loop& loop) const {
    const Expr& whole = loop.condition; // of a conjunction either part may
    if (whole.op != Op::And) return counts(loop, whole);
    return counts(loop, whole.args[0]) || counts(loop, whole.args[1]);
  }

  bool counts(const Loop& loop, const Expr& test) const {
    if (!loop.before.empty() || test.args.size() != 2) return false;
    if (test.args[0].op != Op::Local || !test.args[1].is_constant()) return false;
    const bool up = test.op == Op::Lt || test.op == Op::Le;
    const bool down = test.op == Op::Gt || test.op == Op::Ge;
    if (!up && !down) return false;
    const LocalId counter = test.args[0].local;
    const bool is_thread_variable = !program_[counter].owner;
    std::size_t writes = 0;
    const auto written = [&](const LocalPlace& place) { writes += place.variable == counter; };
    for_each_statement(loop.body, [&](const Stmt& stmt) {
      match(
          stmt.action, [&](const Assign& s) { written(s.to); },
          [&](const Havoc& s) { written(s.to); }, [&](const Load& s) { written(s.into); },
          [&](const Cas& s) {
            if (s.into) written(*s.into);
          },
          [&](const Spawn& s) {
            if (s.into) written(*s.into);
          },
          [&](const Call&) { writes += is_thread_variable; }, // which calls may change
          [&](const Goto&) { ++writes; },                     // may leave out the step
          [](const auto&) {});
    });
    for (const Stmt& stmt : loop.body)
      if (const auto* s = std::get_if<Assign>(&stmt.action); s && s->to.variable == counter) {
        const Expr& e = s->value;
        const bool moves = e.args.size() == 2 && e.args[0] == test.args[0] &&
                           e.args[1].is_constant() && e.args[1].value > 0 &&
                           e.op == (up ? Op::Add : Op::Sub);
        return moves && writes == 1;
      }
    return false;
  }

  /// A spawn between a label and a goto back to it.
  void backward_jumps(ProcedureId id) {
    std::map<std::uint32_t, std::size_t> labels;
    std::vector<std::pair<std::size_t, SourceSpan>> spawns;
    std::size_t position = 0;
    for_each_statement(program_[id].body, [&](const Stmt& stmt) {
      ++position;
      for (const LabelId label : stmt.labels) labels.emplace(label.value, position);
      if (std::holds_alternative<Spawn>(stmt.action) ||
          (std::holds_alternative<Call>(stmt.action) &&
           spawns_by_calls(std::get<Call>(stmt.action).procedure.value)))
        spawns.emplace_back(position, stmt.span);
      const auto* jump = std::get_if<Goto>(&stmt.action);
      const auto target = jump ? labels.find(jump->target.value) : labels.end();
      if (target == labels.end()) return;
      for (const auto& [at, span] : spawns)
        if (at >= target->second) unbounded(span);
    });
  }

  bool spawns_by_calls(std::uint32_t from) const {
    std::set<std::uint32_t> seen{from};
    std::vector<std::uint32_t> work{from};
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      if (!spawns_[at].empty()) return true;
      for (const std::uint32_t callee : calls_[at])
        if (seen.insert(callee).second) work.push_back(callee);
    }
    return false;
  }

  /// A process that starts itself, or a recursive procedure that starts threads.
  void spawns_in_circles() {
    const std::size_t count = program_.procedures.size();
    const auto reaches = [&](std::uint32_t from, std::uint32_t to) {
      std::set<std::uint32_t> seen;
      std::vector<std::uint32_t> work{from};
      while (!work.empty()) {
        const std::uint32_t at = work.back();
        work.pop_back();
        if (at == to) return true;
        if (!seen.insert(at).second) continue;
        for (const std::uint32_t callee : calls_[at]) work.push_back(callee);
        for (const auto& [process, span] : spawns_[at]) work.push_back(process);
      }
      return false;
    };
    for (std::uint32_t i = 0; i < count; ++i)
      for (const auto& [process, span] : spawns_[i]) {
        bool again = reaches(process, i);
        for (const std::uint32_t callee : calls_[i]) again = again || reaches(callee, i);
        if (again)
          diagnostics_.error(span, fmt::format("'{}' can lead to this spawn again: threads without "
                                               "end",
                                               procedure(process).name));
      }
  }

  const Program& program_;
  Code code_;
  Diagnostics& diagnostics_;
  std::vector<std::set<std::uint32_t>> calls_;
  std::vector<std::map<std::uint32_t, SourceSpan>> spawns_;
  std::vector<bool> has_section_;
  std::set<std::pair<std::uint32_t, Location>> reported_;
};

} // namespace

void check_wellformed(const Program& program, Diagnostics& diagnostics) {
  Checker(program, diagnostics).run();
}

} // namespace weir::frontend
