#pragma once
// A Program under SC as one self-contained C file for a checker. Sequential if it has one thread
// and starts no other, with pthreads and the checker's atomic sections otherwise.
//
// Plain `int` variables have 32 bits there; a run in which one would leave them is cut off.
// A value that does not fit its variable is not noticed: see ir/faults.h.

#include "ir/program.h"
#include "translate/translation.h"

#include <string>
#include <variant>
#include <vector>

namespace weir::emit {

enum class Target : std::uint8_t { Cbmc, Esbmc, Svcomp };

struct COptions {
  Target target = Target::Cbmc;
  std::vector<std::string> head; ///< lines of the comment at the top
};

struct CProgram {
  std::string text;
  std::vector<std::string> bounds; ///< what the C leaves out, in words
};

/// At most so many threads are started by one emitted program.
inline constexpr std::uint32_t most_threads = 16;

std::variant<CProgram, translate::Unsupported> emit_c(const translate::Translation& translation,
                                                      const COptions& options);

} // namespace weir::emit
