#pragma once
// Names that can be written in a program of ours: printed as `.cp` it reads back.

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

namespace weir::frontend::rmm {

/// Hands out names that are neither taken nor words of the `.cp` language.
class Names {
public:
  std::string unique(std::string name) {
    while (is_word(name) || !taken_.insert(name).second) name += '_';
    return name;
  }

private:
  static bool is_word(const std::string& name) {
    constexpr auto words = std::to_array<std::string_view>(
        {"arw",   "assert",      "assume",    "atomic",  "atomic_begin", "atomic_end", "bool",
         "break", "call",        "cas",       "const",   "continue",     "do",         "else",
         "false", "fence",       "final",     "forbid",  "goto",         "if",         "int",
         "join",  "main",        "procedure", "process", "return",       "shared",     "skip",
         "spawn", "store_fence", "thread",    "true",    "while"});
    return std::find(words.begin(), words.end(), name) != words.end();
  }

  std::set<std::string> taken_;
};

} // namespace weir::frontend::rmm
