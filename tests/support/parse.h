#pragma once
// Programs as text in tests, so that failures read well.

#include "ir/code.h"
#include "ir/program.h"
#include "verdict/verdict.h"

#include <string>

namespace weir::test {

/// The program of this text; a mistake in it fails the test with the diagnostics.
ir::Program parse(const std::string& text);
/// The diagnostics of a text that has mistakes, as the user sees them (file name "test.cp").
std::string errors(const std::string& text);
/// Explicit engine, one word: "safe", "bounded", "unsafe KIND" or "undecided".
std::string verdict(const std::string& text, const Rules& rules);
std::string verdict(const ir::Program& program, const Rules& rules);
std::string read_file(const std::string& path);

inline Rules rules(Model model) {
  Rules result;
  result.model = model;
  return result;
}

} // namespace weir::test
