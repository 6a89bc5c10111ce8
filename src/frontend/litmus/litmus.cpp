#include "frontend/litmus/litmus.h"

#include "frontend/litmus/c.h"
#include "frontend/litmus/header.h"
#include "frontend/litmus/x86.h"

namespace weir::frontend::litmus {

std::optional<Test> read(const std::shared_ptr<const Source>& source, Diagnostics& diagnostics) {
  const auto parts = split(*source, diagnostics);
  if (!parts) return std::nullopt;
  Context context(parts->architecture, diagnostics);
  read_initial_state(*source, parts->initial_state, context);
  if (parts->architecture == Architecture::C)
    read_c(*source, parts->program, context);
  else
    read_x86(*source, parts->program, context);
  if (context.threads() == 0) return std::nullopt; // the condition would only be blamed for it
  Test test;
  test.name = parts->name;
  read_constraint(*source, parts->constraint, context, test);
  test.addresses = context.addresses();
  test.program = std::move(context.program);
  test.program.source = source;
  return test;
}

std::optional<ir::Program> parse(const std::shared_ptr<const Source>& source,
                                 Diagnostics& diagnostics) {
  auto test = read(source, diagnostics);
  if (!test) return std::nullopt;
  return std::move(test->program);
}

} // namespace weir::frontend::litmus
