#pragma once
// Sets of values as small as the program allows: 16 or 64 bits, or as large as they get. In packed
// constraints everything is one of these, numbers too.

#include "lower/automata.h"

#include <cstdint>

namespace weir::engine::dual {

inline bool is_empty(std::uint16_t set) { return set == 0; }
inline bool is_empty(std::uint64_t set) { return set == 0; }
inline bool is_empty(const lower::ValueSet& set) { return set.none(); }

inline bool has(std::uint16_t set, std::uint32_t value) { return (set >> value & 1) != 0; }
inline bool has(std::uint64_t set, std::uint32_t value) { return (set >> value & 1) != 0; }
inline bool has(const lower::ValueSet& set, std::uint32_t value) { return set[value]; }

inline std::uint32_t number(std::uint16_t set) { return set; }
inline std::uint32_t number(std::uint64_t set) { return static_cast<std::uint32_t>(set); }
inline std::uint32_t number(const lower::ValueSet& set) {
  return static_cast<std::uint32_t>((set & lower::ValueSet(0xFFFFFFFFu)).to_ulong());
}

template <class Set> Set both(const Set& a, const Set& b) { return static_cast<Set>(a & b); }
template <class Set> bool is_inside(const Set& inner, const Set& outer) {
  return is_empty(static_cast<Set>(inner & static_cast<Set>(~outer)));
}

template <class Set> Set set_of(const lower::ValueSet& values) {
  return static_cast<Set>((values & lower::ValueSet(~0ull)).to_ullong());
}
template <> inline lower::ValueSet set_of(const lower::ValueSet& values) { return values; }

inline lower::ValueSet values_of(std::uint16_t set) { return {set}; }
inline lower::ValueSet values_of(std::uint64_t set) { return {set}; }
inline lower::ValueSet values_of(const lower::ValueSet& set) { return set; }

} // namespace weir::engine::dual
