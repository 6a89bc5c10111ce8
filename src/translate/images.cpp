#include "translate/images.h"

#include "base/invariant.h"

namespace weir::translate {

using namespace ir;

Images::Images(Program source, Bound bound)
    : source_(std::move(source)), sections_(source_), out_{source_, bound, {}, {}, {}},
      build_(out_.program) {
  out_.parts.assign(source_.procedures.size(), Part::Image);
}

ProcedureId Images::machinery(const std::string& name, Part part) {
  const ProcedureId id = build_.procedure(name);
  out_.parts.push_back(part);
  return id;
}

void Images::declare_copies() {
  for (std::uint32_t i = 0; i < source_.procedures.size(); ++i) {
    const Procedure& original = source_.procedures[i];
    if (!sections_.is_called_inside(ProcedureId{i})) continue;
    Copy copy{machinery(original.name + "_inside", Part::Image), {}};
    procedure(copy.id).labels = original.labels;
    for (std::uint32_t l = 0; l < source_.locals.size(); ++l) {
      if (source_.locals[l].owner != ProcedureId{i}) continue;
      Local local = source_.locals[l];
      local.owner = copy.id;
      out_.program.locals.push_back(std::move(local));
      copy.locals[LocalId{l}] = LocalId{static_cast<std::uint32_t>(out_.program.locals.size() - 1)};
    }
    for (const LocalId parameter : original.parameters)
      procedure(copy.id).parameters.push_back(copy.locals.at(parameter));
    copies_.emplace(ProcedureId{i}, std::move(copy));
  }
}

void Images::write_images() {
  for (std::uint32_t i = 0; i < source_.procedures.size(); ++i) {
    Block body = body_of(ProcedureId{i});
    procedure(ProcedureId{i}).body = std::move(body);
  }
  for (const auto& [original, copy] : copies_) {
    in_copy_ = &copy;
    Block body = copy_body_of(original, copy.id);
    procedure(copy.id).body = std::move(body);
    in_copy_ = nullptr;
  }
  out_.parts.resize(out_.program.procedures.size(), Part::Other);
}

Block Images::images(const Block& statements) {
  Block out;
  for (const Stmt& s : statements) {
    const auto first = out.size();
    statement(s, in_copy_ || sections_.is_inside(s), out); // copies are inside as a whole
    invariant(out.size() > first, "a statement should have an image");
    out[first].labels.insert(out[first].labels.end(), s.labels.begin(), s.labels.end());
  }
  return out;
}

Expr Images::own(Expr expr) const {
  if (!in_copy_) return expr;
  if (expr.op == Op::Local)
    if (const auto found = in_copy_->locals.find(expr.local); found != in_copy_->locals.end())
      expr.local = found->second;
  for (Expr& arg : expr.args) arg = own(std::move(arg));
  return expr;
}

std::vector<Expr> Images::own(std::vector<Expr> exprs) const {
  for (Expr& e : exprs) e = own(std::move(e));
  return exprs;
}

LocalPlace Images::own(LocalPlace place) const {
  if (in_copy_)
    if (const auto found = in_copy_->locals.find(place.variable); found != in_copy_->locals.end())
      place.variable = found->second;
  place.path = own(std::move(place.path));
  return place;
}

Place Images::own(Place place) const {
  place.path = own(std::move(place.path));
  return place;
}

Call Images::own(const Call& call, bool inside) const {
  const auto copy = copies_.find(call.procedure);
  const bool to_copy = inside && copy != copies_.end();
  return {to_copy ? copy->second.id : call.procedure, own(call.arguments)};
}

Stmt Images::set(LocalId local, Expr value, std::vector<Expr> path) {
  return stmt(Assign{{local, std::move(path)}, std::move(value)});
}

} // namespace weir::translate
