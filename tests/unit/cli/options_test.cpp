#include "cli/options.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace weir;

namespace {
cli::CheckFlags parsed(std::vector<std::string> arguments) {
  CLI::App app;
  cli::CheckFlags flags;
  cli::add_flags(app, flags);
  std::reverse(arguments.begin(), arguments.end());
  app.parse(arguments);
  return flags;
}
} // namespace

TEST_CASE("flags become rules and limits") {
  const auto flags =
      parsed({"a.cp", "--model", "pso", "--buffer", "3", "--memory", "2G", "--timeout", "1.5"});
  CHECK(flags.rules.rules().model == Model::PSO);
  CHECK(flags.rules.rules().buffer == 3);
  CHECK(flags.rules.is_bounded());
  CHECK(flags.limits.limits().bytes == std::uint64_t{2} << 30);
  CHECK(flags.limits.limits().seconds == 1.5);
  CHECK_FALSE(parsed({"a.cp"}).rules.is_bounded());
}

TEST_CASE("a bound and its k go together") {
  CHECK(parsed({"a.cp", "--bound", "rounds"}).rules.conflict());
  CHECK(parsed({"a.cp", "-k", "2"}).rules.conflict());
  const auto flags = parsed({"a.cp", "--bound", "age", "-k", "2"});
  CHECK_FALSE(flags.rules.conflict());
  CHECK(flags.rules.rules().bound == Bound{Bound::Kind::Age, 2});
}

TEST_CASE("nonsense is refused") {
  CHECK_THROWS_AS(parsed({}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({"a.cp", "--model", "arm"}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({"a.cp", "--memory", "lots"}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({"a.cp", "--buffer", "-1"}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({"a.cp", "--timeout", "0"}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({"a.cp", "--timeout", "nan"}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({"a.cp", "--memory", "1099511627776G"}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({"a.cp", "--buffer", "0"}), CLI::ParseError);
}
