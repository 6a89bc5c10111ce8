#pragma once
// Fences put into, or taken out of, the user's text: the rest of it stays as it is.

#include "base/edit.h"
#include "ir/program.h"

#include <vector>

namespace weir::frontend {

/// Something to change at a statement of the source.
struct Change {
  enum class Kind : std::uint8_t {
    FenceBefore,
    FenceAfter,
    Exchange,    ///< make the store a locked instruction, which orders it like a fence after it
    RemoveFence, ///< the statement is a fence
  };
  ir::StatementId statement;
  Kind kind = Kind::FenceAfter;
};

/// How that is written in the program's language.
std::vector<Edit> edits(const ir::Program& program, const std::vector<Change>& changes);

/// Whether the program's language can make a store a locked instruction in its place.
bool has_exchange(const ir::Program& program);

} // namespace weir::frontend
