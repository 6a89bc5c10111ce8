#pragma once
// A checker's counterexample as a run of the translated program on our own semantics. Taken from it
// are only the choices, in order, and in which order the threads had their atomic sections: the
// rest follows, so nothing depends on how a checker prints values.

#include "backend/lift.h"
#include "backend/trace.h"

namespace weir::backend {

std::variant<semantics::Playback, NotLifted> follow(const translate::Translation& translation,
                                                    const ir::Code& translated,
                                                    const std::vector<TraceStep>& trace);

} // namespace weir::backend
