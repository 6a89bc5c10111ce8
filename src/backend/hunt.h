#pragma once
// A bug hunt: one question after another to the external checkers, cheapest first, two at a time,
// until one finds a bug or the time is over. Finds bugs; proves nothing.

#include "backend/checker.h"

#include <functional>
#include <vector>

namespace weir::backend {

/// A question that came to an end without a bug.
struct Covered {
  Bound bound;
  std::uint32_t unwind = 0; ///< 0: nothing to unwind
  std::string tool;
  double seconds = 0;
  std::string reason; ///< why it came to nothing; empty: no bug there
};

struct HuntOptions {
  Limits limits;
  std::vector<emit::Target> targets; ///< the checkers to ask
  std::string keep;                  ///< a folder for the files of each question
  unsigned workers = 2;
  std::function<void(const Covered&)> on_covered; ///< called one at a time
};

struct HuntResult {
  Answer answer; ///< Unsafe or Undecided
  std::string tool;
  std::vector<Covered> covered;
};

HuntResult hunt(const ir::Program& source, const HuntOptions& options);

/// In words: "at most 2 sweeps over the threads, loops unwound 3 times".
std::string text(const Covered& covered);

} // namespace weir::backend
