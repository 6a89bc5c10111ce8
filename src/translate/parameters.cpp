#include "translate/parameters.h"

#include "base/match.h"
#include "ir/rename.h"
#include "translate/build.h"

#include <map>
#include <set>

namespace weir::translate {

using namespace ir;

namespace {

std::set<LocalId> assigned(const Block& body) {
  std::set<LocalId> result;
  for_each_statement(body, [&](const Stmt& stmt) {
    match(
        stmt.action, [&](const Assign& s) { result.insert(s.to.variable); },
        [&](const Havoc& s) { result.insert(s.to.variable); },
        [&](const Load& s) { result.insert(s.into.variable); },
        [&](const Cas& s) {
          if (s.into) result.insert(s.into->variable);
        },
        [&](const Spawn& s) {
          if (s.into) result.insert(s.into->variable);
        },
        [](const auto&) {});
  });
  return result;
}

} // namespace

Program with_kept_parameters(Program program) {
  Builder build(program);
  for (std::uint32_t p = 0; p < program.procedures.size(); ++p) {
    if (program.procedures[p].kind == Procedure::Kind::Procedure) continue;
    const auto changed = assigned(program.procedures[p].body);
    Renamed renamed;
    Block first;
    for (const LocalId parameter : program.procedures[p].parameters) {
      if (!changed.contains(parameter)) continue;
      const std::string name = program[parameter].name + "_now";
      const LocalId copy = build.local(name, Type(program[parameter].type), ProcedureId{p});
      renamed[parameter] = copy;
      first.push_back(stmt(Assign{{copy, {}}, build.value(parameter)}));
    }
    if (renamed.empty()) continue;
    // Final conditions of the process mean what it works on.
    const auto in_final = [&](const auto& self, Expr& expr) -> void {
      if (expr.op == Op::OfThread && expr.thread->process == ProcedureId{p})
        if (const auto found = renamed.find(expr.local); found != renamed.end())
          expr.local = found->second;
      for (Expr& arg : expr.args) self(self, arg);
    };
    for (Final& f : program.finals) in_final(in_final, f.condition);
    Block& body = program.procedures[p].body;
    rename(body, renamed);
    body.insert(body.begin(), first.begin(), first.end());
  }
  return program;
}

} // namespace weir::translate
