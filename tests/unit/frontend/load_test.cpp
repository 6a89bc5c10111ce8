#include "frontend/load.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
} // namespace

TEST_CASE("what is no program gets a clear error") {
  CHECK(contains(test::errors(""), "the file is empty"));
  CHECK(contains(test::errors(" \n\t\r\n"), "the file is empty"));
  CHECK(contains(test::errors(std::string("process P\0{}", 12)), "this is not text: byte 0x00"));
  CHECK(contains(test::errors("process P { \xFF }"), "this is not text: byte 0xFF"));
  CHECK(contains(test::errors("\xC0\x80"), "this is not text")); // overlong
  CHECK(contains(test::errors("// only a comment"), "the program has no process"));
}

TEST_CASE("text beyond ASCII is fine in comments") {
  CHECK(test::errors("// \xC3\xA4\xE2\x82\xAC\nprocess P { skip; }") == "");
  CHECK(contains(test::errors("// \xC3\xA4\nprocess P { y = 1; }"), "test.cp:2:13:"));
}

TEST_CASE("an unknown ending is refused") {
  const auto source = std::make_shared<const Source>("a.xyz", "process P { skip; }");
  CHECK_FALSE(frontend::parse(source).has_value());
}

TEST_CASE("files that cannot be read say why") {
  CHECK(std::holds_alternative<frontend::Unreadable>(frontend::read_source("/no/such/file.cp")));
  const auto folder = frontend::read_source("/tmp");
  CHECK(contains(std::get<frontend::Unreadable>(folder).message, "folder"));
}

TEST_CASE("deep nesting is refused, not crashed on") {
  const auto nested = [](int n) {
    return "process P {" + std::string(n, '{') + std::string(n, '}') + "}";
  };
  CHECK(test::errors(nested(200)) == "");
  CHECK(contains(test::errors(nested(10000)), "nested too deeply"));
  CHECK(contains(test::errors("process P { assert(" + std::string(20000, '!') + "true); }"),
                 "nested too deeply"));
  CHECK(contains(test::errors("process P { assert(" + std::string(20000, '(') + "true); }"),
                 "nested too deeply"));
  std::string sum = "0";
  for (int i = 0; i < 20000; ++i) sum += " + 1";
  CHECK(contains(test::errors("thread int r; process P { r = r + " + sum + "; }"),
                 "nested too deeply"));
  std::string chain;
  for (int i = 0; i < 20000; ++i) chain += "if (*) skip; else ";
  CHECK(contains(test::errors("process P { " + chain + "skip; }"), "nested too deeply"));
}
