#pragma once
// Checks a certificate of safety by itself: no code is shared with the engine that wrote it, only
// the automata. See README.md in this folder for the rules and why they suffice.

#include "certify/certificate.h"
#include "verdict/verdict.h"

#include <optional>
#include <string>

namespace weir::certify {

struct Rejected {
  std::string reason; ///< names the element (from 1) and the transition, in words
};
struct Stopped { ///< by a limit: nothing is known
  std::string reason;
};
struct Accepted {
  std::uint64_t elements = 0;
  std::uint64_t predecessors = 0; ///< that were looked at
};
using Judgement = std::variant<Accepted, Rejected, Stopped>;

Judgement certify(const lower::Automata& automata, const Certificate& certificate,
                  const Limits& limits);

} // namespace weir::certify
