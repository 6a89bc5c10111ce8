#pragma once
// What CBMC said (--json-ui): its verdict, or why there is none, and its counterexample.

#include "backend/trace.h"

#include <string>
#include <vector>

namespace weir::backend {

struct CbmcReading {
  enum class Kind : std::uint8_t { Successful, Failed, Error, Garbled };
  Kind kind = Kind::Garbled;
  std::string version; ///< "6.6.0", or empty
  std::string message; ///< the violated property's text, or the reason
  std::vector<TraceStep> trace;
  std::vector<std::string> violated; ///< texts of all violated properties
};

/// An output that stops in the middle is Garbled, whatever it says before.
CbmcReading read_cbmc(const std::string& out);

} // namespace weir::backend
