#pragma once
// The .rmm language of Memorax [1]: text to Program.
//
// Each copy of a process becomes a process of its own, P0, P1, ..., in the order of their numbers.
// What Memorax' engines disagree about has the meaning of its manual; see README.md of frontend/.
// [1] Abdulla, Atig, Chen, Leonardsson, Rezine. Memorax, a precise and sound tool for automatic fence
//     insertion under TSO. TACAS 2013.

#include "base/diagnostic.h"
#include "base/source.h"
#include "ir/program.h"

#include <memory>
#include <optional>

namespace weir::frontend::rmm {

/// Reports every mistake it finds. With mistakes the Program, if any, is only fit for further checks.
std::optional<ir::Program> parse(const std::shared_ptr<const Source>& source,
                                 Diagnostics& diagnostics);

} // namespace weir::frontend::rmm
