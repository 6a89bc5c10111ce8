#include "base/diagnostic.h"

#include <algorithm>

namespace weir {

Diagnostic& Diagnostics::error(SourceSpan span, std::string message) {
  return list_.emplace_back(Diagnostic{span, std::move(message), {}});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  auto result = list_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.span.begin < b.span.begin;
  });
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.span.begin == b.span.begin && a.message == b.message;
  };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

} // namespace weir
