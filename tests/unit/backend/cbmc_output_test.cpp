#include "backend/cbmc_output.h"

#include "support/parse.h"

#include <doctest/doctest.h>

namespace weir::backend {
namespace {

std::string recorded(const char* name) {
  return test::read_file(std::string(WEIR_ROOT "/tests/backend/cbmc/") + name);
}

TEST_CASE("recorded output of CBMC 6.6") {
  const auto failed = read_cbmc(recorded("failed.json"));
  CHECK(failed.kind == CbmcReading::Kind::Failed);
  CHECK(failed.version == "6.6.0");
  CHECK(failed.message == "no three");
  CHECK(failed.violated == std::vector<std::string>{"no three"});
  std::vector<TraceStep> choices, calls;
  for (const TraceStep& step : failed.trace) {
    if (step.variable == "choice") choices.push_back(step);
    if (step.variable.empty() && step.function == "any_uchar") calls.push_back(step);
  }
  CHECK(choices ==
        std::vector<TraceStep>{{0, "any_uchar", "choice", 1}, {1, "any_uchar", "choice", 2}});
  CHECK(calls.size() == 2);
  CHECK(read_cbmc(recorded("successful.json")).kind == CbmcReading::Kind::Successful);
  const auto error = read_cbmc(recorded("error.json"));
  CHECK(error.kind == CbmcReading::Kind::Error);
  CHECK(error.message.find("syntax error") != std::string::npos);
}

TEST_CASE("output that stops in the middle is no verdict") {
  const std::string whole = recorded("failed.json");
  for (std::size_t size = 0; size + 2 < whole.size(); size += 1 + whole.size() / 97)
    CHECK(read_cbmc(whole.substr(0, size)).kind == CbmcReading::Kind::Garbled);
  CHECK(read_cbmc("[]").kind == CbmcReading::Kind::Garbled);
  CHECK(read_cbmc("{}").kind == CbmcReading::Kind::Garbled);
  CHECK(read_cbmc("[1, null, {\"result\": 3}]").kind == CbmcReading::Kind::Garbled);
}

} // namespace
} // namespace weir::backend
