#pragma once
// What ESBMC said: its verdict, or why there is none, and its counterexample.
//
// Written against the text of ESBMC 8.4.0 (tests/backend/esbmc). Its exit code does not tell
// verdicts apart (0 is also "unknown", 1 also "timed out"), so the last line that decides something
// does. No such line is Garbled, never a verdict.

#include "backend/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace weir::backend {

struct EsbmcReading {
  enum class Kind : std::uint8_t {
    Successful,
    Failed,
    Unknown,
    UnwindingTooSmall, ///< "failed", but only because a loop or recursion goes on past the bound
    TimedOut,
    OutOfMemory,
    SyntaxError, ///< also a file that is not there
    BadOption,
    Garbled
  };
  Kind kind = Kind::Garbled;
  std::string version; ///< "8.4.0", or empty
  std::string message; ///< the violated property's text, or the reason
  /// Of Failed and UnwindingTooSmall: the assignments of integers, without those of ESBMC's own
  /// library. Complete only with --no-slice. What is not an integer that fits is left out.
  std::vector<TraceStep> trace;
  /// The context bound cut schedules off. False does not say that it cut none: releases up to 8.4
  /// do not report it.
  bool context_bound_cut = false;
};

/// `exit_code` is only mentioned in reasons.
EsbmcReading read_esbmc(const std::string& out, const std::string& err, int exit_code);

} // namespace weir::backend
