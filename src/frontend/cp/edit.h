#pragma once
// Changes of fences as edits of `.cp` text, or of another language with statements, `;` and braces.

#include "frontend/changes.h"

namespace weir::frontend::cp {

/// The words that differ between such languages.
struct Words {
  std::string_view fence = "fence;";
  std::string_view nothing = "skip;";
  /// Around a store that becomes a locked instruction.
  std::string_view exchange_begin = "atomic { ", exchange_end = " }";
};

std::vector<Edit> edits(const ir::Program& program, const std::vector<Change>& changes);
std::vector<Edit> edits(const ir::Program& program, const std::vector<Change>& changes,
                        const Words& words);

} // namespace weir::frontend::cp
