#pragma once
// From a source program to the text that a checker reads.

#include "emit/c.h"
#include "translate/pipeline.h"

#include <optional>
#include <string>
#include <string_view>

namespace weir::emit {

std::optional<Target> target_named(std::string_view name);
std::string_view name(Target target);

/// Translated and written as C, with a head that says what it is and how to run it.
struct Emitted {
  translate::Translation
      translation; ///< that was emitted, but for watched places: for the way back
  CProgram c;
};
std::variant<Emitted, translate::Unsupported> emit(const ir::Program& source,
                                                   const translate::Wish& wish, Target target);

/// Translated and printed in Weir's own language.
std::variant<std::string, translate::Unsupported> emit_cp(const ir::Program& source,
                                                          const translate::Wish& wish);

} // namespace weir::emit
