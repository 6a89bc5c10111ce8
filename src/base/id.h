#pragma once
// Indices that remember what they index, so a thread is never used as a variable.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace weir {

template <class Tag> struct Id {
  std::uint32_t value = 0;
  auto operator<=>(const Id&) const = default;
};

} // namespace weir

template <class Tag> struct std::hash<weir::Id<Tag>> {
  std::size_t operator()(const weir::Id<Tag>& id) const { return id.value; }
};
