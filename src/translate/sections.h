#pragma once
// Which statements of a program run inside one of its own atomic sections. Front ends make sure
// that this does not depend on the way to the statement.

#include "ir/program.h"

#include <unordered_map>
#include <vector>

namespace weir::translate {

class Sections {
public:
  explicit Sections(const ir::Program& program);

  /// Whether the statement, in a procedure that is called outside sections, runs inside one.
  bool is_inside(const ir::Stmt& stmt) const;
  /// Whether the procedure is called inside a section, perhaps by another one that is.
  bool is_called_inside(ir::ProcedureId procedure) const { return called_[procedure.value]; }

private:
  class Walk;
  std::unordered_map<const ir::Stmt*, bool> inside_;
  std::vector<bool> called_;
};

} // namespace weir::translate
