#pragma once
// Changes to a text that leave the rest of it as it is, and how people look at them.

#include "base/source.h"

#include <string>
#include <vector>

namespace weir {

/// Replaces a stretch of text. Several at one place go in the order of the list.
struct Edit {
  SourceSpan span; ///< empty: an insertion
  std::string text;
};

/// The text with all of the edits, which do not overlap.
std::string edited(const Source& source, std::vector<Edit> edits);

/// What the edits change, as `diff -u` shows it, with three lines of context.
std::string unified_diff(const Source& source, std::vector<Edit> edits);

} // namespace weir
