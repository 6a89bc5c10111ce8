#pragma once
// invariant(condition, "x should ..."): a bug of ours, never the user's. Never compiled out: an
// engine that runs on past a broken invariant may say Safe.

#include <source_location>
#include <stdexcept>
#include <string_view>

namespace weir {

struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_invariant(std::string_view what, const std::source_location& where);

inline void invariant(bool holds, std::string_view what,
                      const std::source_location& where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    fail_invariant(what, where);
}

} // namespace weir
