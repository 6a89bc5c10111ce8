#pragma once
// A program in which each thread that exists from the start has code of its own, so that fences are
// counted for each thread by itself, as the papers count them.

#include "ir/program.h"

namespace weir::fence {

/// The same runs, thread by thread. A statement of a process that several threads run becomes one
/// statement for each, at the same place of the text.
ir::Program per_thread(const ir::Program& program);

} // namespace weir::fence
