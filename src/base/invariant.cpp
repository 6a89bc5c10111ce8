#include "base/invariant.h"

#include <fmt/format.h>

namespace weir {

void fail_invariant(std::string_view what, std::string_view file, unsigned line) {
  if (const auto at = file.rfind("src/"); at != std::string_view::npos) file.remove_prefix(at);
  throw InternalError(fmt::format("{} ({}:{})", what, file, line));
}

} // namespace weir
