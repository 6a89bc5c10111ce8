#pragma once
// The two theorems of the CAV 2011 paper as a question about one program: the shared valuations at
// round boundaries of bounded TSO are those of the translated program under SC outside its atomic
// sections, and one violates its properties iff the other does. Both sides by the explicit engine.

#include "engine/explicit/explicit.h"
#include "translate/translation.h"

#include <optional>
#include <string>

namespace weir::crosscheck {

/// Something only one of the two programs can do, with a shortest run of that one.
struct Difference {
  std::string what;               ///< in words
  bool in_source = true;          ///< whose run it is
  std::vector<ir::Value> initial; ///< of the run
  std::vector<Step> steps;
};

struct Comparison {
  std::optional<Difference> difference;
  std::string incomplete;   ///< why the sides could not be compared whole; empty if they were
  std::size_t memories = 0; ///< shared valuations found on both sides
  std::uint64_t source_states = 0, translated_states = 0;
};

/// The source runs under the translation's bound. With loops its buffers can grow without end even
/// so: `buffer` looks at shorter ones only, and then what it reaches must be there in the
/// translation, and what the translation reaches beyond that is not known to be wrong.
Comparison compare(const ir::Program& source, const translate::Translation& translated,
                   const Limits& limits, std::optional<std::uint32_t> buffer = std::nullopt);

} // namespace weir::crosscheck
