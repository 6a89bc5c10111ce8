#pragma once
// Program to automata: unfold, mark what targets name, shrink, and put it together.
//
// Exact: a target is reachable in the automata under TSO if and only if the program, under TSO with
// unbounded buffers, can violate one of its properties; unless `cut` says that a limit was met, and
// then only what was found counts.

#include "lower/targets.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weir::lower {

struct Lowered {
  Automata automata;
  std::string cut; ///< a limit that cut the automata off, in words; empty if none did
  // The way back:
  Unfolding unfolding;
  Shrunk shrunk;
  std::vector<std::optional<VariableIndex>>
      variable_of; ///< by unfolded variable; none: nobody cares
};

struct LowerOptions {
  Limits limits{};
  bool merges = true; ///< states and values that are alike become one
};

std::variant<Lowered, Refusal> lower(const ir::Code& code, const Rules& rules,
                                     const LowerOptions& options = {});

} // namespace weir::lower
