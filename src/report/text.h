#pragma once
// Verdicts and runs for people.

#include "report/diagnostics.h"
#include "semantics/replay.h"
#include "verdict/verdict.h"

#include <optional>
#include <string>

namespace weir::report {

/// One column per thread, then what the step did, the store buffers and memory.
std::string run_text(const ir::Code& code, const semantics::Playback& playback, const Style& style);

/// The verdict in a line or two, the run if there is one, and what it cost. `playback` is the
/// replay of an Unsafe's run.
std::string answer_text(const ir::Code& code, const Rules& rules, const Answer& answer,
                        const semantics::Playback* playback, const Style& style);

std::string state_text(const ir::Code& code, const semantics::State& state);
std::string statistics_text(const Statistics& statistics);
/// `TSO`, and the bounds that were asked for.
std::string rules_text(const Rules& rules);

} // namespace weir::report
