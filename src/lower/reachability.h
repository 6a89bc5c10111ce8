#pragma once
// What an exact engine says about automata.

#include "lower/automata.h"
#include "verdict/verdict.h"

#include <string>
#include <variant>
#include <vector>

namespace weir::lower {

/// No target can be reached.
struct Unreachable {};
/// A run of the automata under TSO, step by step, that ends in a target.
struct Reached {
  std::uint32_t target = 0;
  std::vector<Event> run;
};
/// A limit was met first.
struct GaveUp {
  std::string reason;
};
using Reachability = std::variant<Unreachable, Reached, GaveUp>;

struct SearchOptions {
  Limits limits;
  Progress progress;
};

} // namespace weir::lower
