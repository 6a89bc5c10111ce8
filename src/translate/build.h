#pragma once
// What all translations need to write a Program: fresh variables and procedures, short expressions.

#include "ir/program.h"

#include <set>
#include <string>
#include <vector>

namespace weir::translate {

/// Adds to a program. Numbers of what is there already do not change, so its expressions can be
/// kept as they are.
class Builder {
public:
  explicit Builder(ir::Program& program);

  ir::SharedId shared(const std::string& name, ir::Type type, ir::Value initial = 0);
  /// A thread variable, or with an owner a local of that procedure. Starts at 0 or its least value.
  ir::LocalId local(const std::string& name, ir::Type type,
                    std::optional<ir::ProcedureId> owner = std::nullopt);
  ir::ProcedureId procedure(const std::string& name);
  ir::LocalId parameter(ir::ProcedureId of, const std::string& name, ir::Type type);

  /// The value of a local, with the way to one of its elements.
  ir::Expr value(ir::LocalId local, std::vector<ir::Expr> path = {}) const;

  ir::Program& program() { return program_; }

private:
  std::string fresh(const std::string& name, bool is_local = false);
  ir::Program& program_;
  std::set<std::string> names_;
};

ir::Stmt stmt(ir::Action action, SourceSpan span = {});

inline ir::Expr operator+(ir::Expr a, ir::Expr b) {
  return ir::Expr::binary(ir::Op::Add, std::move(a), std::move(b));
}
inline ir::Expr operator-(ir::Expr a, ir::Expr b) {
  return ir::Expr::binary(ir::Op::Sub, std::move(a), std::move(b));
}
inline ir::Expr operator%(ir::Expr a, ir::Expr b) {
  return ir::Expr::binary(ir::Op::Mod, std::move(a), std::move(b));
}
ir::Expr number(std::uint64_t value);
ir::Expr equal(ir::Expr a, ir::Expr b);
ir::Expr differ(ir::Expr a, ir::Expr b);
ir::Expr at_least(ir::Expr a, ir::Expr b);
ir::Expr less(ir::Expr a, ir::Expr b);
ir::Expr negated(ir::Expr a);
ir::Expr both(ir::Expr a, ir::Expr b);

/// The paths to all scalars of a type, in order.
std::vector<std::vector<ir::Expr>> paths(const ir::Type& type);
/// The type with another scalar: the shape of `type`, made of `scalar`.
ir::Type shaped(const ir::Type& type, const ir::Type& scalar);
/// The types of the indices that lead to a scalar of the type.
std::vector<ir::Type> index_types(const ir::Type& type);

} // namespace weir::translate
