#pragma once
// What one step of a run did, in words: shared by the text and the JSON report.

#include "semantics/replay.h"

#include <string>
#include <vector>

namespace weir::report {

struct StepWords {
  std::uint32_t line = 0; ///< 0 for a flush
  std::uint32_t column = 0;
  std::string statement; ///< as the user wrote it, or "flush x"
  std::string effect;    ///< what it did, with values
  bool is_minor = false; ///< bookkeeping of a split expression: left out of the table
};

StepWords describe(const ir::Code& code, const semantics::State& before,
                   const semantics::Played& played);
/// The same for a step that could be taken next.
StepWords describe(const ir::Code& code, const semantics::State& before,
                   const semantics::Transition& transition);

/// A stretch of the source on one line, cut if it is long.
std::string short_text(const ir::Program& program, SourceSpan span);
/// Names of the threads of a state; a second `P` is `P#2`.
std::vector<std::string> thread_names(const ir::Program& program, const semantics::State& state);

/// One sentence: what is violated in the last state of a run.
std::string violation_text(const ir::Code& code, const Violation& violation,
                           const semantics::State& last);
/// `assert`, `forbid`, ...: the kind, for scripts.
std::string violation_kind(const Violation& violation);
/// Where the violated property stands.
SourceSpan violation_span(const ir::Program& program, const Violation& violation);

} // namespace weir::report
