#include "frontend/cp/parse.h"

#include "frontend/cp/builder.h"
#include "frontend/cp/syntax.h"

namespace weir::frontend::cp {

std::optional<ir::Program> parse(const std::shared_ptr<const Source>& source,
                                 Diagnostics& diagnostics) {
  Syntax syntax(*source);
  auto* tree = syntax.parse(&Grammar::program, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  ir::Program program = Builder(syntax, tree, diagnostics).build();
  program.source = source;
  return program;
}

} // namespace weir::frontend::cp
