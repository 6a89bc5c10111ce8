#pragma once
// The way back: a run of the translated program under SC as a run of the source under TSO. Who
// wrote, what stayed pending and when it was flushed is read off the calls of the machinery.
//
// Nothing is believed: the run is executed step by step on the reference semantics of the source,
// and it counts only if it ends in a violation there.

#include "semantics/replay.h"
#include "translate/translation.h"

#include <string>
#include <variant>

namespace weir::backend {

struct NotLifted {
  std::string reason;
};

/// `playback` is of the translated program; it need not contain the violating step itself, only
/// all rounds before it.
std::variant<Run, NotLifted> lift(const ir::Code& source, const translate::Translation& translation,
                                  const ir::Code& translated, const semantics::Playback& playback);

} // namespace weir::backend
