#pragma once
// TSO with bounded pending groups as a threaded SC program without atomic rounds: each thread keeps
// its pending stores in k groups, and between its statements the oldest group may reach memory. [1]
//
// For `--bound age -k N`. Its runs lie between store age N and unbounded TSO: a store stays pending
// for at most N of its thread's own flush points, wherever other threads run. So a violation it has
// is one of TSO, and it has every violation within store age N. One atomic section per visible
// statement; a shared variable is read once in it and never under a condition, which checkers need
// (outside the program's own sections). Linear size for fixed k.
// [1] Ours; the groups are the queues of paper.h.

#include "translate/translation.h"

namespace weir::translate {

Translation translate_flush(const ir::Program& source, std::uint32_t k);

} // namespace weir::translate
