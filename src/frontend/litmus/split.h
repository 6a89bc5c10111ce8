#pragma once
// A litmus file cut into its parts, as herd7 cuts it, before any of them is parsed.

#include "base/diagnostic.h"
#include "base/source.h"

#include <optional>
#include <string>

namespace weir::frontend::litmus {

enum class Architecture : std::uint8_t { X86, X86_64, C };

struct Parts {
  Architecture architecture = Architecture::X86;
  std::string name;
  SourceSpan initial_state; ///< between the braces
  SourceSpan program;
  SourceSpan constraint; ///< what comes after it: locations, filter, condition
};

/// None: the file is not one, and why has been reported.
std::optional<Parts> split(const Source& source, Diagnostics& diagnostics);

/// The text with blanks instead of everything outside the span and of comments in `(* *)` inside it
/// (if `comments`), character by character, so that places stay what they are.
enum class Comments : std::uint8_t { Blank, Keep };
std::string only(const Source& source, SourceSpan span, Comments comments);

} // namespace weir::frontend::litmus
