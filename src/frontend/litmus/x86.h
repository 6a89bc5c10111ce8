#pragma once
// The program table of X86 and X86_64 litmus tests.

#include "frontend/litmus/context.h"

namespace weir::frontend::litmus {

void read_x86(const Source& source, SourceSpan span, Context& context);

} // namespace weir::frontend::litmus
