#pragma once
// An exact engine on a program: lowered to automata, searched, and the answer brought home.
//
// Safe and Unsafe are final, for store buffers of any length. An Unsafe carries a run that was
// realised on the reference semantics and, where that is quickly done, shortened by a forward
// search. Undecided only by a limit, or for programs that have no automata (it says why).

#include "certify/certificate.h"
#include "ir/code.h"
#include "lower/lower.h"
#include "lower/reachability.h"
#include "verdict/verdict.h"

#include <optional>

namespace weir::decide {

enum class Exact : std::uint8_t { Dual, SingleBuffer };

/// Whether time is spent on making runs shorter.
enum class Runs : std::uint8_t { Short, AsFound };

struct ExactOptions {
  Exact engine = Exact::Dual;
  Rules rules; ///< of TSO, without bounds
  Limits limits;
  Progress progress;
  bool wants_certificate = false; ///< of the dual engine
  Runs runs = Runs::Short;
};

struct ExactAnswer {
  Answer answer;
  std::optional<certify::Certificate> certificate{}; ///< if Safe and wanted
  std::optional<lower::Lowered> lowered{};           ///< if it could be
};

ExactAnswer check_exact(const ir::Code& code, const ExactOptions& options);

/// A refusal as the reason of an Undecided, with its place in the source.
std::string reason_text(const ir::Code& code, const lower::Refusal& refusal);

} // namespace weir::decide
