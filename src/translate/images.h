#pragma once
// What all translations share: a copy of the source in which each procedure keeps its number, its
// labels and its shape, and each statement is replaced by its image.

#include "translate/build.h"
#include "translate/sections.h"
#include "translate/translation.h"

#include <map>

namespace weir::translate {

class Images {
protected:
  Images(ir::Program source, Bound bound);
  virtual ~Images() = default;

  /// Appends the image of a statement; `inside` one of the program's own atomic sections. At least
  /// one statement: the first gets the labels.
  virtual void statement(const ir::Stmt& stmt, bool inside, ir::Block& out) = 0;
  /// The body of a procedure, around the images of its statements.
  virtual ir::Block body_of(ir::ProcedureId procedure) = 0;
  /// The body of the copy of a procedure that is called inside sections.
  virtual ir::Block copy_body_of(ir::ProcedureId procedure, ir::ProcedureId copy) = 0;

  /// Declares the copies of procedures that are called inside sections: sections do not nest, so
  /// their code is needed a second time.
  void declare_copies();
  void write_images();
  ir::Block images(const ir::Block& statements);

  ir::ProcedureId machinery(const std::string& name, Part part);
  ir::Procedure& procedure(ir::ProcedureId id) { return out_.program.procedures[id.value]; }

  /// The statement's own expressions and places, as its image uses them.
  ir::Expr own(ir::Expr expr) const;
  std::vector<ir::Expr> own(std::vector<ir::Expr> exprs) const;
  ir::LocalPlace own(ir::LocalPlace place) const;
  ir::Place own(ir::Place place) const;
  ir::Call own(const ir::Call& call, bool inside) const;

  static ir::Stmt set(ir::LocalId local, ir::Expr value, std::vector<ir::Expr> path = {});

  const ir::Program source_;
  const Sections sections_;
  Translation out_;
  Builder build_;

private:
  struct Copy {
    ir::ProcedureId id;
    std::map<ir::LocalId, ir::LocalId> locals;
  };
  std::map<ir::ProcedureId, Copy> copies_;
  const Copy* in_copy_ = nullptr;
};

} // namespace weir::translate
