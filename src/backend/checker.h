#pragma once
// A question to an external checker: translate, emit, run it, and bring its answer home. A bug is
// reported only with a run of the source that replays on the reference semantics.

#include "emit/emit.h"
#include "verdict/verdict.h"

#include <optional>
#include <stdexcept>
#include <string>

namespace weir::backend {

struct Question {
  translate::Wish wish;
  emit::Target target = emit::Target::Cbmc;
  std::uint32_t unwind = 3;                   ///< of loops and recursion
  std::optional<std::uint32_t> context_bound; ///< ESBMC: context switches in all
  Limits limits;
  std::string keep; ///< a folder for the files; empty: they are deleted
};

struct Reply {
  Answer answer;    ///< statistics: seconds and bytes are the checker's
  std::string tool; ///< "CBMC 6.6.0"
};

/// A checker's counterexample that is no run of the source: a bug of ours or of the checker's.
struct NotConfirmed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The checker's program: by its environment variable, on PATH, or where scripts/setup puts it.
std::optional<std::string> find_checker(emit::Target target);

std::string how_to_install(emit::Target target);

Reply ask(const ir::Program& source, const Question& question);

/// Whether unwinding bounds anything: loops, jumps back or recursion.
bool has_cycles(const ir::Program& program);

} // namespace weir::backend
