#pragma once
// The reference semantics explored naively, state by state: what engines are compared with.

#include "engine/explicit/explicit.h"
#include "semantics/machine.h"

#include <optional>
#include <set>

namespace weir::test {

struct Reached {
  bool violated = false;
  bool cut = false; ///< a limit of ours was met on the way
  std::set<std::vector<ir::Value>> memories;
  std::set<engine::FinalValuation> finals; ///< with respect to `observed`
};

/// None if there are more than `most` states.
std::optional<Reached> explore(const ir::Code& code, const Rules& rules,
                               const std::vector<engine::Observed>& observed, std::size_t most);

} // namespace weir::test
