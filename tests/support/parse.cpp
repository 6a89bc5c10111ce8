#include "support/parse.h"

#include "base/match.h"
#include "engine/explicit/explicit.h"
#include "frontend/load.h"
#include "report/diagnostics.h"
#include "report/steps.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

namespace weir::test {

ir::Program parse(const std::string& text) {
  const auto source = std::make_shared<const Source>("test.cp", text);
  const auto program = frontend::parse(source);
  if (!program) FAIL(text << "\n" << report::diagnostics_text(*source, program.error(), {}));
  return *program;
}

std::string errors(const std::string& text) {
  const auto source = std::make_shared<const Source>("test.cp", text);
  const auto program = frontend::parse(source);
  return program ? "" : report::diagnostics_text(*source, program.error(), {});
}

std::string verdict(const ir::Program& program, const Rules& rules) {
  const ir::Code code(program);
  engine::ExplicitOptions options;
  options.rules = rules;
  options.limits.bytes = std::uint64_t{1} << 28;
  const auto result = engine::check_explicit(code, options);
  return match(
      result.answer.verdict,
      [](const Safe& s) { return std::string(s.coverage.is_exhaustive() ? "safe" : "bounded"); },
      [](const Unsafe& u) { return "unsafe " + report::violation_kind(u.run.violation); },
      [](const Undecided&) { return std::string("undecided"); });
}

std::string verdict(const std::string& text, const Rules& rules) {
  return verdict(parse(text), rules);
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE_MESSAGE(in, path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace weir::test
