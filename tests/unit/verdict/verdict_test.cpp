#include "verdict/verdict.h"

#include <doctest/doctest.h>

using namespace weir;

TEST_CASE("a bounded answer to an unbounded question is undecided") {
  const Verdict all = Safe{};
  const Verdict some = Safe{Coverage{{"at most 3 pending stores per thread"}}};
  CHECK(exit_code(all, false) == ExitCode::Holds);
  CHECK(exit_code(some, false) == ExitCode::Undecided);
  CHECK(exit_code(some, true) == ExitCode::Holds);
  CHECK(exit_code(Unsafe{}, true) == ExitCode::Violated);
  CHECK(exit_code(Undecided{"time"}, true) == ExitCode::Undecided);
}

TEST_CASE("models have names") {
  for (const Model model : {Model::SC, Model::TSO, Model::PSO})
    CHECK(model_named(name(model)) == model);
  CHECK_FALSE(model_named("arm"));
}
