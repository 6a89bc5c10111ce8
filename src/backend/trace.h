#pragma once
// A checker's counterexample, as far as every checker tells one: assignments in order.

#include <cstdint>
#include <string>

namespace weir::backend {

/// One assignment (or, with an empty variable, a call of `function`) of a checker's
/// counterexample, in order; thread 0 is main.
struct TraceStep {
  std::uint32_t thread = 0;
  std::string function; ///< where it stands, or empty (an initialiser)
  std::string variable; ///< as the checker writes it, e.g. "x" or "buffer[2]"
  std::int64_t value = 0;
  bool operator==(const TraceStep&) const = default;
};

} // namespace weir::backend
