#pragma once
// Fence searches in tests, with what they find as text.

#include "fence/search.h"

#include <string>
#include <vector>

namespace weir::test {

/// Exact answers, by whichever engine has one.
fence::Decide decide();
fence::Result search(const ir::Program& program, const std::vector<fence::Place>& places,
                     const Rules& rules = {});
std::vector<fence::Place> gaps(const ir::Program& program, const fence::Placement& placement);
/// The text of the program with fences at these places.
std::string with_fences(const ir::Program& program, const std::vector<fence::Place>& places);

} // namespace weir::test
