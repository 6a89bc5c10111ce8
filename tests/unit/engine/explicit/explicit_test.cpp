#include "engine/explicit/explicit.h"
#include "semantics/replay.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {

engine::ExplicitAnswer check(const ir::Code& code, const engine::ExplicitOptions& options) {
  return engine::check_explicit(code, options);
}

std::size_t final_count(const std::string& text, Model model) {
  const auto program = test::parse(text);
  const ir::Code code(program);
  engine::ExplicitOptions options;
  options.rules.model = model;
  options.all_final = true;
  return check(code, options).finals.size();
}

const std::string forever = "shared int x; process P { while (true) { x = 1; } }";

} // namespace

TEST_CASE("each kind of violation is found") {
  const Rules sc = test::rules(Model::SC);
  CHECK(test::verdict("shared int x; process P { assert(x == 1); }", sc) == "unsafe assert");
  CHECK(test::verdict("shared int<0..1> x; process P { x = x + 2; }", sc) == "unsafe range");
  CHECK(test::verdict("shared int a[2], i = 2; process P { a[i] = 0; }", sc) == "unsafe index");
  CHECK(test::verdict("shared int x; process P { x = 1 / x; }", sc) == "unsafe division");
  CHECK(test::verdict("main { int t = 3; join t; }", sc) == "unsafe join");
  CHECK(test::verdict("process P { a: skip; } process Q { b: skip; } forbid P@a, Q@b;", sc) ==
        "unsafe forbid");
  CHECK(test::verdict("shared int x; process P { x = 1; } final x == 0;", sc) == "unsafe final");
  CHECK(test::verdict("thread int r; process P { assert(r == 1); }", sc) == "unsafe assert");
}

TEST_CASE("safe needs an exhaustive search") {
  CHECK(test::verdict("shared int x; process P { x = 1; fence; }", {}) == "safe");
  CHECK(test::verdict("shared int x; process P { while (true) { x = 1; fence; } }", {}) == "safe");
  Rules rules;
  rules.buffer = 3;
  CHECK(test::verdict(forever, rules) == "bounded");
  CHECK(test::verdict("shared int x; process P { x = 1; x = 2; }", rules) == "safe"); // never full
  rules.buffer.reset();
  rules.bound = {Bound::Kind::Rounds, 2};
  CHECK(test::verdict("shared int x; process P { x = 1; }", rules) == "bounded");
}

TEST_CASE("limits end in undecided") {
  const auto program = test::parse(forever);
  const ir::Code code(program);
  engine::ExplicitOptions options;
  const auto reason = [&] {
    const auto result = check(code, options);
    REQUIRE(std::holds_alternative<Undecided>(result.answer.verdict));
    return std::get<Undecided>(result.answer.verdict).reason;
  };
  options.limits.bytes = 2 << 20;
  CHECK(reason().find("memory limit") != std::string::npos);
  options.limits = {};
  options.limits.seconds = 0.05;
  CHECK(reason().find("time limit") != std::string::npos);
  options.limits = {};
  std::atomic<bool> stop = true;
  options.limits.interrupted = &stop;
  CHECK(reason().find("interrupted") != std::string::npos);
}

TEST_CASE("recursion, threads and integers beyond the limits are undecided, not safe") {
  CHECK(test::verdict("process P { call f; } procedure f { call f; }", {}) == "undecided");
  CHECK(
      test::verdict("shared int x; process P { x = 1; fence; while (true) { x = x * 2; fence; } }",
                    {}) == "undecided");
  CHECK(test::verdict("main { int i; while (i < 70) { spawn Q; i = i + 1; } } process Q { skip; }",
                      {}) == "undecided");
  CHECK(test::verdict("shared int x = *; process P { skip; }", {}) == "undecided");
  CHECK(test::verdict("shared int x; process P { x = *; }", {}) == "undecided");
}

TEST_CASE("a violation is found even where something else is cut off") {
  CHECK(test::verdict("shared int x; process P { call f; } procedure f { call f; } "
                      "process Q { x = 1; assert(x == 0); }",
                      {}) == "unsafe assert");
}

TEST_CASE("a final condition that goes beyond 64 bits is undecided") {
  CHECK(test::verdict("shared int x = 9223372036854775806; process P { skip; } final x + 2 > x;",
                      {}) == "undecided");
  CHECK(test::verdict("shared int x; process P { skip; } final 1 / x == 1;", {}) == "unsafe final");
}

TEST_CASE("a label belongs to its own statement") {
  const std::string head = "shared int x; process P(int<0..1> me) { ";
  CHECK(test::verdict(head + "if (me == 0) { a: goto b; } b: x = 1; } forbid P(1)@a;", {}) ==
        "safe");
  CHECK(test::verdict(head + "while (true) { if (me == 0) { a: break; } break; } } forbid P(1)@a;",
                      {}) == "safe");
  CHECK(test::verdict(head + "if (me == 0) { a: if (true) { } } x = 1; } forbid P(1)@a;", {}) ==
        "safe");
  CHECK(test::verdict(head + "if (false) { cs: skip; } skip; } forbid P@cs, P@cs;", {}) == "safe");
  CHECK(
      test::verdict("shared int x; process P { goto L; if (false) { L: x = 1; } assert(x == 0); }",
                    {}) == "unsafe assert");
}

TEST_CASE("final conditions mean the user's variables, not ours") {
  CHECK(
      test::verdict("shared int x; process P { if (x == 0) skip; int t_x = 5; } final P.t_x == 5;",
                    {}) == "safe");
}

TEST_CASE("a join of nobody obeys the bound") {
  Rules rules;
  rules.bound = {Bound::Kind::Age, 0};
  CHECK(test::verdict("shared int x; process A { join 9; } main { x = 1; spawn A; }", rules) ==
        "unsafe join");
}

TEST_CASE("local computation that explodes does not") {
  std::string choices;
  for (int i = 0; i < 30; ++i) choices += "if (*) skip; ";
  CHECK(test::verdict("process P { " + choices + "}", {}) == "safe");
  CHECK(test::verdict("thread int<0..999> r = *; process P(int<0..3> me) { skip; }", {}) == "safe");
  CHECK(test::verdict("shared int a[100000], x = 9223372036854775807; process P { skip; }", {}) ==
        "safe");
  CHECK(test::verdict("process P { int<9223372036854775806..9223372036854775807> r = *; }", {}) ==
        "safe");
  CHECK(test::verdict("process P { int<0..1000000000> r = *; }", {}) == "undecided");
  CHECK(test::verdict("process P { skip; } procedure unused { int r = *; }", {}) == "safe");
  std::string places = "P@a";
  for (int i = 0; i < 13; ++i) places += ", P@a";
  CHECK(test::verdict("process P(int<0..12> me) { a: skip; } forbid " + places + ";", {}) ==
        "safe");
}

TEST_CASE("runs are shortest and carry no idle ends") {
  const auto program = test::parse("shared int x; thread int r; "
                                   "process P { x = 1; r = 1; r = 2; } "
                                   "process Q { r = x; assert(r == 0); }");
  const ir::Code code(program);
  engine::ExplicitOptions options;
  const auto result = check(code, options);
  const auto& run = std::get<Unsafe>(result.answer.verdict).run;
  CHECK(run.steps.size() == 4); // store, flush, load, assert: nothing of r = 1; r = 2
}

TEST_CASE("every final valuation is listed, exactly") {
  const std::string sb = "shared int x, y; process P { int r; x = 1; r = y; } "
                         "process Q { int r; y = 1; r = x; }";
  CHECK(final_count(sb, Model::SC) == 3);
  CHECK(final_count(sb, Model::TSO) == 4);
  CHECK(final_count("shared int<0..4> x = *; process P { skip; }", Model::SC) == 5);
}

TEST_CASE("threads started on the way widen the states") {
  CHECK(test::verdict("shared int<0..5> x; main { int i; while (i < 5) { spawn Q; i = i + 1; } } "
                      "process Q { atomic { x = x + 1; } } final x == 5;",
                      {}) == "safe");
  CHECK(test::verdict("shared int<0..5> x; main { int i; while (i < 3) { spawn Q; i = i + 1; } } "
                      "process Q { x = x + 1; } final x == 3;",
                      {}) == "unsafe final");
}

TEST_CASE("a thread started inside a section waits for its end") {
  CHECK(
      test::verdict("shared int x; main { atomic { spawn Q; in: skip; } } process Q { at: skip; } "
                    "forbid main@in, Q@at;",
                    {}) == "unsafe forbid"); // at its first location from the start
  CHECK(test::verdict("shared int x; main { atomic { spawn Q; in: skip; } } "
                      "process Q { skip; at: skip; } forbid main@in, Q@at;",
                      {}) == "safe");
}
