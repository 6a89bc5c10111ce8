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

namespace {

using Labels = std::map<LabelId, LabelId>;

void renumber(Block& block, const Labels& numbers) {
  for (Stmt& stmt : block) {
    for (LabelId& label : stmt.labels) label = numbers.at(label);
    match(
        stmt.action,
        [&](Goto& s) {
          if (const auto found = numbers.find(s.target); found != numbers.end())
            s.target = found->second;
        },
        [&](If& s) {
          renumber(s.yes, numbers);
          renumber(s.no, numbers);
        },
        [&](Loop& s) {
          renumber(s.before, numbers);
          renumber(s.body, numbers);
        },
        [](auto&) {});
  }
}

} // namespace

void number_labels(Procedure& code) {
  std::vector<std::string> names;
  Labels numbers;
  for_each_statement(code.body, [&](const Stmt& stmt) {
    for (const LabelId label : stmt.labels) {
      numbers.emplace(label, LabelId{static_cast<std::uint32_t>(names.size())});
      names.push_back(code.labels[label.value]);
    }
  });
  renumber(code.body, numbers);
  code.labels = std::move(names);
}

} // namespace weir::ir
