#include "report/diagnostics.h"

#include <doctest/doctest.h>

using namespace weir;

TEST_CASE("a diagnostic shows place, line, caret and hint") {
  const Source source("a.cp", "one\n\ttwo three\n");
  Diagnostics diagnostics;
  diagnostics.error({9, 14}, "no three").with_hint("use four");
  CHECK(report::diagnostics_text(source, diagnostics, {}) ==
        "a.cp:2:6: error: no three\n    2 |  two three\n      |      ^~~~~\n      = use four\n");
}

TEST_CASE("a very long line is cut around the place") {
  const Source source("a.cp", std::string(5000, 'a') + "!" + std::string(5000, 'b'));
  Diagnostics diagnostics;
  diagnostics.error({5000, 5001}, "here");
  const std::string text = report::diagnostics_text(source, diagnostics, {});
  CHECK(text.size() < 600);
  const auto caret = text.find('^'), mark = text.find('!');
  const auto column = [&](std::size_t at) { return at - text.rfind('\n', at); };
  CHECK(column(caret) == column(mark));
}

TEST_CASE("noise in a line does not reach the terminal") {
  const Source source("a.cp", std::string("a\x1b[31m\0\xFF\xC3\xA4z", 11));
  Diagnostics diagnostics;
  diagnostics.error({0, 1}, "here");
  CHECK(report::diagnostics_text(source, diagnostics, {}).find("a?[31m??\xC3\xA4z\n") !=
        std::string::npos);
}

TEST_CASE("too many diagnostics are counted") {
  const Source source("a.cp", std::string(100, 'x'));
  Diagnostics diagnostics;
  for (std::uint32_t i = 0; i < 50; ++i) diagnostics.error({i, i + 1}, "bad");
  CHECK(report::diagnostics_text(source, diagnostics, {}).find("30 more errors") !=
        std::string::npos);
}

TEST_CASE("colours only if asked for") {
  CHECK(report::red({}, "x") == "x");
  CHECK(report::red({true, 80}, "x") == "\x1b[1;31mx\x1b[0m");
}
