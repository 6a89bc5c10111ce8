#pragma once
// TSO within a number of sweeps as one sequential program: the threads run one after another, each
// through all its rounds, on one copy of memory per sweep. [1] The copies of later sweeps are
// guessed first and checked at the end. Merged with the store buffers: a pending store is one that
// is written to the copy of a later sweep, so mask and queue are not needed. [2]
//
// Exact for `--bound sweeps -k N`: the result has a run that violates its assertion iff the source
// has one within N+1 sweeps. One thread, no shared variables, no atomic sections.
// [1] Lal, Reps. Reducing concurrent analysis under a context bound to sequential analysis. CAV
//     2008.  [2] Ours; the store buffers are those of paper.h.

#include "translate/translation.h"

#include <variant>

namespace weir::translate {

/// `bound` is of sweeps, or of rounds: then it takes as many sweeps as cover them, and what it finds
/// may take more rounds.
std::variant<Translation, Unsupported> translate_eager(const ir::Program& source, Bound bound);

} // namespace weir::translate
