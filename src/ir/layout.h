#pragma once
// Where variables live: shared memory as numbered cells, and the slots of frames and thread
// variables. Everything that runs a program uses these numbers.

#include "ir/program.h"

#include <string>
#include <vector>

namespace weir::ir {

using Cell = Id<struct CellTag>; ///< one scalar of shared memory

struct Layout {
  explicit Layout(const Program& program);

  std::vector<std::uint32_t> shared_base;  ///< by SharedId: first cell
  std::vector<SharedId> cell_variable;     ///< by Cell
  std::vector<std::uint32_t> local_base;   ///< by LocalId: first slot in its frame
  std::vector<std::uint32_t> frame_size;   ///< by ProcedureId: slots of its locals
  std::uint32_t thread_variables_size = 0; ///< slots of the thread variables

  std::uint32_t cell_count() const { return static_cast<std::uint32_t>(cell_variable.size()); }
};

/// `flag[1]`: a cell the way the user writes it.
std::string cell_name(const Program& program, const Layout& layout, Cell cell);
/// `true` or `3`: a value the way the user writes it.
std::string value_text(const Type& type, Value value);
/// `[1][0]`, the path to the `offset`-th scalar of a type; empty for scalars.
std::string path_text(const Type& type, std::uint64_t offset);

} // namespace weir::ir
