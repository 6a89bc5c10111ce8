#pragma once
// The threads of C litmus tests: C11 atomics and the kernel's words, as x86-64 runs them.

#include "frontend/litmus/context.h"

namespace weir::frontend::litmus {

void read_c(const Source& source, SourceSpan span, Context& context);

} // namespace weir::frontend::litmus
