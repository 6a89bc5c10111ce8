#include "frontend/c/unset.h"

#include "base/match.h"
#include "ir/code.h"

#include <set>
#include <vector>

namespace weir::frontend::c {

using namespace ir;

namespace {

using Locals = std::set<LocalId>;

void add_uses(const Expr& expr, Locals& uses) {
  if (expr.op == Op::Local) uses.insert(expr.local);
  for (const Expr& operand : expr.args) add_uses(operand, uses);
}
void add_uses(const std::vector<Expr>& exprs, Locals& uses) {
  for (const Expr& expr : exprs) add_uses(expr, uses);
}

/// What an instruction reads, and the whole local that it sets.
struct Effect {
  Locals reads;
  std::optional<LocalId> sets;
};

Effect effect(const Operation& operation) {
  Effect result;
  const auto read = [&](const auto&... parts) { (add_uses(parts, result.reads), ...); };
  const auto set = [&](const LocalPlace& place) {
    read(place.path);
    if (place.path.empty()) result.sets = place.variable;
  };
  match(
      operation, [&](const Assume& s) { read(s.condition); },
      [&](const Assert& s) { read(s.condition); },
      [&](const Assign& s) {
        read(s.value);
        set(s.to);
      },
      [&](const Havoc& s) { set(s.to); },
      [&](const Load& s) {
        read(s.from.path);
        set(s.into);
      },
      [&](const Store& s) { read(s.to.path, s.value); },
      [&](const Cas& s) {
        read(s.at.path, s.expected, s.desired);
        if (s.into) set(*s.into);
      },
      [&](const Arw& s) { read(s.at.path, s.expected, s.desired); },
      [&](const Spawn& s) {
        read(s.arguments);
        if (s.into) set(*s.into);
      },
      [&](const Join& s) { read(s.thread); }, [&](const Call& s) { read(s.arguments); },
      [&](const Branch& s) { read(s.condition); }, [](const auto&) {});
  return result;
}

/// The locals that may be read in a routine before they are set.
Locals unset(const Routine& routine) {
  std::vector<Effect> effects;
  for (const Instruction& instruction : routine.code)
    effects.push_back(effect(instruction.operation));
  std::vector<Locals> before(routine.code.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = routine.code.size(); i-- > 0;) {
      Locals alive;
      for (const Location next : successors(routine.code[i]))
        alive.insert(before[next].begin(), before[next].end());
      if (effects[i].sets) alive.erase(*effects[i].sets);
      alive.insert(effects[i].reads.begin(), effects[i].reads.end());
      if (alive.size() != before[i].size()) {
        before[i] = std::move(alive);
        changed = true;
      }
    }
  }
  return before.empty() ? Locals{} : before[0];
}

} // namespace

void choose_unset(Program& program, const std::map<LocalId, Type>& declared) {
  const Code code(program);
  for (std::size_t p = 0; p < program.procedures.size(); ++p) {
    Block first;
    for (const LocalId local : unset(code.routines[p])) {
      const auto found = declared.find(local);
      if (found == declared.end()) continue;
      program.locals[local.value].type = found->second;
      first.push_back({Havoc{{local, {}}}, program[local].span, {}});
    }
    Block& body = program.procedures[p].body;
    body.insert(body.begin(), first.begin(), first.end());
  }
}

} // namespace weir::frontend::c
