#pragma once
// Mistakes as people see them: place, message, the line, a caret, and a way out.

#include "base/diagnostic.h"
#include "base/source.h"

#include <string>

namespace weir::report {

struct Style {
  bool colour = false;
  std::size_t width = 0; ///< of the terminal; 0: not a terminal
};

std::string diagnostics_text(const Source& source, const Diagnostics& diagnostics,
                             const Style& style);

std::string bold(const Style& style, const std::string& text);
std::string red(const Style& style, const std::string& text);
std::string green(const Style& style, const std::string& text);
std::string dim(const Style& style, const std::string& text);

/// How many columns a text takes on a terminal, colours not counted.
std::size_t columns(std::string_view text);

} // namespace weir::report
