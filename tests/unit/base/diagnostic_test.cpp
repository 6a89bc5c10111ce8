#include "base/diagnostic.h"

#include <doctest/doctest.h>

using namespace weir;

TEST_CASE("diagnostics come in the order of the text, each once") {
  Diagnostics diagnostics;
  CHECK_FALSE(diagnostics.has_errors());
  diagnostics.error({9, 10}, "later");
  diagnostics.error({1, 2}, "first").with_hint("so");
  diagnostics.error({9, 10}, "later");
  const auto sorted = diagnostics.sorted();
  REQUIRE(sorted.size() == 2);
  CHECK(sorted[0].message == "first");
  CHECK(sorted[0].hint == "so");
  CHECK(sorted[1].message == "later");
}
