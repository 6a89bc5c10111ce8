#include "translate/build.h"

namespace weir::translate {

using namespace ir;

Builder::Builder(Program& program) : program_(program) {
  for (const Shared& s : program.shared) names_.insert(s.name);
  for (const Local& l : program.locals) names_.insert(l.name);
  for (const Procedure& p : program.procedures) {
    names_.insert(p.name);
    names_.insert(p.labels.begin(), p.labels.end());
  }
}

std::string Builder::fresh(const std::string& name, bool is_local) {
  std::string result = name;
  while (names_.contains(result)) result += '_';
  if (!is_local) names_.insert(result); // procedures do not see each other's locals
  return result;
}

SharedId Builder::shared(const std::string& name, Type type, Value initial) {
  const auto cells = type.cells();
  program_.shared.push_back(
      {fresh(name), std::move(type), std::vector<Initial>(cells, Initial{initial}), {}});
  return {static_cast<std::uint32_t>(program_.shared.size() - 1)};
}

LocalId Builder::local(const std::string& name, Type type, std::optional<ProcedureId> owner) {
  const Type& scalar = type.scalar();
  const Value initial = scalar.contains(0) ? 0 : scalar.lo;
  const auto cells = type.cells();
  program_.locals.push_back({fresh(name, owner.has_value()),
                             std::move(type),
                             owner,
                             std::vector<Initial>(cells, Initial{initial}),
                             {}});
  return {static_cast<std::uint32_t>(program_.locals.size() - 1)};
}

ProcedureId Builder::procedure(const std::string& name) {
  Procedure procedure;
  procedure.kind = Procedure::Kind::Procedure;
  procedure.name = fresh(name);
  program_.procedures.push_back(std::move(procedure));
  return {static_cast<std::uint32_t>(program_.procedures.size() - 1)};
}

LocalId Builder::parameter(ProcedureId of, const std::string& name, Type type) {
  const LocalId result = local(name, std::move(type), of);
  program_.procedures[of.value].parameters.push_back(result);
  return result;
}

Expr Builder::value(LocalId id, std::vector<Expr> path) const {
  Expr result = Expr::of_local(id, program_[id].type.scalar());
  result.args = std::move(path);
  return result;
}

Stmt stmt(Action action, SourceSpan span) { return {std::move(action), span, {}}; }

Expr number(std::uint64_t value) { return Expr::constant(static_cast<Value>(value)); }
Expr equal(Expr a, Expr b) { return Expr::binary(Op::Eq, std::move(a), std::move(b)); }
Expr differ(Expr a, Expr b) { return Expr::binary(Op::Ne, std::move(a), std::move(b)); }
Expr at_least(Expr a, Expr b) { return Expr::binary(Op::Ge, std::move(a), std::move(b)); }
Expr less(Expr a, Expr b) { return Expr::binary(Op::Lt, std::move(a), std::move(b)); }
Expr negated(Expr a) { return Expr::unary(Op::Not, std::move(a)); }
Expr both(Expr a, Expr b) { return Expr::binary(Op::And, std::move(a), std::move(b)); }

std::vector<std::vector<Expr>> paths(const Type& type) {
  if (type.is_scalar()) return {{}};
  std::vector<std::vector<Expr>> result;
  const auto inner = paths(type.parts[0]);
  for (std::uint32_t i = 0; i < type.length; ++i)
    for (const auto& rest : inner) {
      result.push_back({number(i)});
      result.back().insert(result.back().end(), rest.begin(), rest.end());
    }
  return result;
}

Type shaped(const Type& type, const Type& scalar) {
  if (type.is_scalar()) return scalar;
  return Type::array(shaped(type.parts[0], scalar), type.length);
}

std::vector<Type> index_types(const Type& type) {
  std::vector<Type> result;
  for (const Type* at = &type; !at->is_scalar(); at = &at->parts[0])
    result.push_back(Type::range(0, Value{at->length} - 1));
  return result;
}

} // namespace weir::translate
