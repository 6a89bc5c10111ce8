#pragma once
// invariant(condition, "x should ..."): a bug of ours, never the user's. Never compiled out: an
// engine that runs on past a broken invariant may say Safe.

#include <stdexcept>
#include <string_view>

namespace weir {

struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_invariant(std::string_view what, std::string_view file, unsigned line);

// (std::source_location would say it better, but clang 14 does not have it.)
inline void invariant(bool holds, std::string_view what, const char* file = __builtin_FILE(),
                      unsigned line = __builtin_LINE()) {
  if (!holds) [[unlikely]]
    fail_invariant(what, file, line);
}

} // namespace weir
