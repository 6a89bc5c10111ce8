#pragma once
// `.rmm` programs as text in tests.

#include "frontend/load.h"
#include "report/diagnostics.h"
#include "support/parse.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

namespace weir::test::rmm {

inline std::shared_ptr<const Source> source(const std::string& text) {
  return std::make_shared<const Source>("test.rmm", text);
}

/// The program of this text; a mistake in it fails the test with the diagnostics.
inline ir::Program parse(const std::string& text) {
  const auto from = source(text);
  const auto program = frontend::parse(from);
  if (!program) FAIL(text << "\n" << report::diagnostics_text(*from, program.error(), {}));
  return *program;
}

/// The diagnostics of a text that has mistakes, as the user sees them.
inline std::string errors(const std::string& text) {
  const auto from = source(text);
  const auto program = frontend::parse(from);
  return program ? "" : report::diagnostics_text(*from, program.error(), {});
}

inline bool complains(const std::string& text, const std::string& part) {
  const std::string found = errors(text);
  INFO(found);
  return found.find(part) != std::string::npos;
}

} // namespace weir::test::rmm
