#include "ir/layout.h"

#include <fmt/format.h>

namespace weir::ir {

Layout::Layout(const Program& program) : frame_size(program.procedures.size(), 0) {
  for (std::uint32_t i = 0; i < program.shared.size(); ++i) {
    shared_base.push_back(cell_count());
    cell_variable.insert(cell_variable.end(), program.shared[i].type.cells(), SharedId{i});
  }
  for (const Local& local : program.locals) {
    auto& size = local.owner ? frame_size[local.owner->value] : thread_variables_size;
    local_base.push_back(size);
    size += static_cast<std::uint32_t>(local.type.cells());
  }
}

std::string path_text(const Type& type, std::uint64_t offset) {
  if (type.is_scalar()) return {};
  const std::uint64_t part = type.parts[0].cells();
  return fmt::format("[{}]{}", offset / part, path_text(type.parts[0], offset % part));
}

std::string cell_name(const Program& program, const Layout& layout, Cell cell) {
  const SharedId id = layout.cell_variable[cell.value];
  const std::uint32_t at = cell.value - layout.shared_base[id.value];
  if (at < program[id].cell_names.size()) return program[id].cell_names[at];
  return program[id].name + path_text(program[id].type, cell.value - layout.shared_base[id.value]);
}

std::string value_text(const Type& type, Value value) {
  if (type.scalar().kind == Type::Kind::Bool) return value ? "true" : "false";
  return std::to_string(value);
}

} // namespace weir::ir
