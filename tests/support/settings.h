#pragma once
// Numbers that the environment may set, so that one test can be a quick or a long one.

#include <cstdint>
#include <cstdlib>

namespace weir::test {

inline std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

} // namespace weir::test
