#pragma once
// The exact engine and the forward search side by side: whoever has an answer first wins.
//
// Small programs are settled by the forward search alone, which has the shortest runs; so their
// answers do not depend on who was faster.

#include "decide/exact.h"

#include <string>

namespace weir::decide {

struct RaceAnswer {
  Answer answer;
  std::string engine; ///< who answered
};

RaceAnswer check_auto(const ir::Code& code, const Rules& rules, const Limits& limits,
                      const Progress& progress, Runs runs = Runs::Short);

} // namespace weir::decide
