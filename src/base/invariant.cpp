#include "base/invariant.h"

#include <fmt/format.h>

namespace weir {

void fail_invariant(std::string_view what, const std::source_location& where) {
  std::string_view file = where.file_name();
  if (const auto at = file.rfind("src/"); at != std::string_view::npos) file.remove_prefix(at);
  throw InternalError(fmt::format("{} ({}:{})", what, file, where.line()));
}

} // namespace weir
