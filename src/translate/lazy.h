#pragma once
// TSO within a number of sweeps as one sequential program that visits reachable states only: each
// thread's code is unrolled, called once per sweep, and executes a window of its statements, whose
// end is chosen before the call. [1] Merged with the store buffers: a store chooses the sweep in
// which it reaches memory, and what is due is flushed before the thread's call. [2]
//
// For `--bound sweeps -k N`. Every violation it has is one of the source within N+1 sweeps; it has
// all of those in which no loop jumps back, and no procedure calls itself, more than `unwind` times
// (`bounds` says if that leaves anything out). One thread, no shared variables, no atomic sections,
// no guessed memory, no jumps backward.
// [1] Inverso, Tomasco, Fischer, La Torre, Parlato. Bounded model checking of multi-threaded C
//     programs via lazy sequentialization. CAV 2014.  [2] Ours; the buffers are those of paper.h.

#include "translate/translation.h"

#include <variant>

namespace weir::translate {

std::variant<Translation, Unsupported> translate_lazy(const ir::Program& source, std::uint32_t k,
                                                      std::uint32_t unwind);

} // namespace weir::translate
