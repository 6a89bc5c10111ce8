#pragma once
// Where a fence could go: the gaps between the user's statements, and the program with fences in some.
//
// A place is one in the source text: however many threads, calls or unrolled copies run it, it is
// one place and takes one fence. Places are named by the statement they stand beside: after it, or,
// at the start of a block, before it.

#include "ir/code.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weir::fence {

enum class Side : std::uint8_t { Before, After };

struct Place {
  ir::StatementId statement;
  Side side = Side::After;
  auto operator<=>(const Place&) const = default;
};

/// Which gaps are of interest.
struct Placement {
  enum class Kind : std::uint8_t { AfterWrites, BeforeReads, Anywhere, AtLabels };
  Kind kind = Kind::AfterWrites;
  std::vector<std::string> labels; ///< AtLabels: `L` or `P@L`
  std::vector<std::string> avoid;  ///< not at these labels
};

struct UnknownLabel {
  std::string name;
};

/// Sorted as they stand in the text. A label stands for the places right before and right after its
/// statement; of a statement with a body, for those inside.
std::variant<std::vector<Place>, UnknownLabel> places(const ir::Program& program,
                                                      const Placement& placement);

/// The fences that are there already, as places of their own (After the fence itself).
std::vector<Place> existing_fences(const ir::Program& program);

/// Which of the places get a fence, by index.
using Choice = std::vector<bool>;

/// The program with a *mark* at each place: a fence if chosen, else a skip. Marks have no origin, and
/// an empty span that tells which place it is.
ir::Program with_marks(const ir::Program& program, const std::vector<Place>& places,
                       const Choice& chosen);
/// The program without the fences of these places: skips stand there instead, with no span, which
/// reports leave out.
ir::Program without_fences(const ir::Program& program, const std::vector<Place>& fences);

/// The place that an instruction is the mark of, if it is one.
std::optional<std::size_t> mark(const ir::Instruction& instruction);
std::uint32_t offset(const ir::Program& program, const Place& place);

/// Whether the statement before the place, and nothing else in it, is a plain store of a value that
/// needs no reading: it can be made a locked instruction instead.
bool can_exchange(const ir::Program& program, const Place& place);

} // namespace weir::fence
