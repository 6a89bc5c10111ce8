#include "translate/sections.h"

#include <optional>

namespace weir::translate {

using namespace ir;

/// Follows control through one procedure. The state before a statement is none where control does
/// not arrive; jumps carry it to their labels, so the walk repeats until nothing changes.
class Sections::Walk {
public:
  Walk(Sections& sections, const Procedure& procedure)
      : sections_(sections), at_label_(procedure.labels.size()) {
    do {
      changed_ = false;
      now_ = false;
      block(procedure.body);
    } while (changed_);
  }

private:
  void block(const Block& statements) {
    for (const Stmt& stmt : statements) statement(stmt);
  }

  void statement(const Stmt& stmt) {
    for (const LabelId label : stmt.labels)
      if (!now_) now_ = at_label_[label.value];
    if (now_) sections_.inside_[&stmt] = *now_;
    if (const auto* branch = std::get_if<If>(&stmt.action)) {
      const auto before = now_;
      block(branch->yes);
      const auto after_yes = now_;
      now_ = before;
      block(branch->no);
      if (!now_) now_ = after_yes;
    } else if (const auto* loop = std::get_if<Loop>(&stmt.action)) {
      block(loop->before);
      const auto at_test = now_;
      block(loop->body);
      now_ = at_test;
      if (loop->condition.is_constant() && loop->condition.value != 0) now_.reset();
    } else if (const auto* jump = std::get_if<Goto>(&stmt.action)) {
      auto& known = at_label_[jump->target.value];
      if (now_ && !known) {
        known = now_;
        changed_ = true;
      }
      now_.reset();
    } else if (std::holds_alternative<Return>(stmt.action)) {
      now_.reset();
    } else if (std::holds_alternative<AtomicBegin>(stmt.action)) {
      if (now_) now_ = true;
    } else if (std::holds_alternative<AtomicEnd>(stmt.action)) {
      if (now_) now_ = false;
    }
  }

  Sections& sections_;
  std::vector<std::optional<bool>> at_label_;
  std::optional<bool> now_;
  bool changed_ = false;
};

Sections::Sections(const Program& program) : called_(program.procedures.size()) {
  for (const Procedure& procedure : program.procedures) Walk(*this, procedure);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < program.procedures.size(); ++i)
      for_each_statement(program.procedures[i].body, [&](const Stmt& stmt) {
        const auto* call = std::get_if<Call>(&stmt.action);
        if (!call || called_[call->procedure.value]) return;
        if (is_inside(stmt) || called_[i]) called_[call->procedure.value] = changed = true;
      });
  }
}

bool Sections::is_inside(const Stmt& stmt) const {
  const auto found = inside_.find(&stmt);
  return found != inside_.end() && found->second; // where control never arrives it does not matter
}

} // namespace weir::translate
