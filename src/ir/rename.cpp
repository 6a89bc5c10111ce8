#include "ir/rename.h"

#include "base/match.h"

namespace weir::ir {
namespace {

void rename(Expr& expr, const Renamed& renamed) {
  if (expr.op == Op::Local)
    if (const auto found = renamed.find(expr.local); found != renamed.end())
      expr.local = found->second;
  for (Expr& arg : expr.args) rename(arg, renamed);
}
void rename(std::vector<Expr>& exprs, const Renamed& renamed) {
  for (Expr& expr : exprs) rename(expr, renamed);
}
void rename(LocalPlace& place, const Renamed& renamed) {
  if (const auto found = renamed.find(place.variable); found != renamed.end())
    place.variable = found->second;
  rename(place.path, renamed);
}
void rename(Place& place, const Renamed& renamed) { rename(place.path, renamed); }
void rename(std::optional<LocalPlace>& place, const Renamed& renamed) {
  if (place) rename(*place, renamed);
}

} // namespace

void rename(Block& block, const Renamed& renamed) {
  const auto all = [&](auto&... parts) { (rename(parts, renamed), ...); };
  for (Stmt& stmt : block)
    match(
        stmt.action, [&](Assume& s) { all(s.condition); }, [&](Assert& s) { all(s.condition); },
        [&](Assign& s) { all(s.to, s.value); }, [&](Havoc& s) { all(s.to); },
        [&](Load& s) { all(s.into, s.from); }, [&](Store& s) { all(s.to, s.value); },
        [&](Cas& s) { all(s.into, s.at, s.expected, s.desired); },
        [&](Arw& s) { all(s.at, s.expected, s.desired); },
        [&](Spawn& s) { all(s.into, s.arguments); }, [&](Join& s) { all(s.thread); },
        [&](Call& s) { all(s.arguments); }, [&](If& s) { all(s.condition, s.yes, s.no); },
        [&](Loop& s) { all(s.before, s.condition, s.body); }, [](auto&) {});
}

} // namespace weir::ir
