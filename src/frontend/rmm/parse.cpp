#include "frontend/rmm/parse.h"

#include "frontend/rmm/builder.h"
#include "frontend/rmm/macros.h"

namespace weir::frontend::rmm {

std::optional<ir::Program> parse(const std::shared_ptr<const Source>& source,
                                 Diagnostics& diagnostics) {
  Syntax syntax(*source);
  Macros macros(syntax, diagnostics);
  auto tokens = macros.expand();
  if (diagnostics.has_errors()) return std::nullopt;
  auto* tree = syntax.parse(&Grammar::program, diagnostics, std::move(tokens));
  if (diagnostics.has_errors()) return std::nullopt;
  ir::Program program = Builder(syntax, tree, diagnostics).build();
  program.source = source;
  return program;
}

} // namespace weir::frontend::rmm
