#include "semantics/machine.h"
#include "support/parse.h"
#include "support/reference.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {
/// Whether the reference semantics can reach a violation.
bool violated(const std::string& text, const Rules& rules) {
  const auto program = test::parse(text);
  const ir::Code code(program);
  const auto reached = test::explore(code, rules, {}, 200'000);
  REQUIRE(reached);
  return reached->violated;
}
bool violated(const std::string& text, Model model) { return violated(text, test::rules(model)); }

const std::string store_buffering =
    "shared int x, y; thread int r; process P { x = 1; r = y; } process Q { y = 1; r = x; }"
    "final !(P.r == 0 && Q.r == 0);";
} // namespace

TEST_CASE("the litmus tests that tell the models apart") {
  CHECK_FALSE(violated(store_buffering, Model::SC));
  CHECK(violated(store_buffering, Model::TSO));
  const std::string message_passing =
      "shared int x, y; thread int r, s; process P { x = 1; y = 1; } process Q { r = y; s = x; }"
      "final !(Q.r == 1 && Q.s == 0);";
  CHECK_FALSE(violated(message_passing, Model::TSO));
  CHECK(violated(message_passing, Model::PSO));
}

TEST_CASE("nobody else steps or flushes while a thread holds the section") {
  const std::string text =
      "shared int x; thread int r, s; process P { atomic { r = x; s = x; } } process Q { x = 1; }"
      "final P.r == P.s;";
  for (const Model model : {Model::SC, Model::TSO, Model::PSO}) CHECK_FALSE(violated(text, model));
}

TEST_CASE("join waits until the other thread's stores are in memory; spawn does not drain") {
  CHECK_FALSE(violated("shared int x; thread int r; main { int t; t = spawn P; join t; r = x; "
                       "assert(r == 1); } process P { x = 1; }",
                       Model::TSO));
  CHECK(violated("shared int x; main { x = 1; spawn P; } process P { int r = x; assert(r == 1); }",
                 Model::TSO));
  CHECK_FALSE(
      violated("shared int x; main { x = 1; spawn P; } process P { int r = x; assert(r == 1); }",
               Model::SC));
  CHECK(violated("main { int t = 7; join t; }", Model::SC)); // no such thread
}

TEST_CASE("a bound of no context switch is SC") {
  Rules rules;
  for (const auto kind : {Bound::Kind::Rounds, Bound::Kind::Age}) {
    rules.bound = {kind, 0};
    CHECK_FALSE(violated(store_buffering, rules));
  }
  rules.bound = {Bound::Kind::Age, 1};
  CHECK(violated(store_buffering, rules));
  rules.bound = {Bound::Kind::Rounds, 1};
  CHECK(violated(store_buffering, rules));
}

TEST_CASE("two threads of one process count as two places") {
  const std::string text = "process P(int<0..1> me) { cs: skip; } forbid P@cs, P@cs;";
  CHECK(violated(text, Model::SC));
  CHECK_FALSE(violated("process P { cs: skip; } forbid P@cs, P@cs;", Model::SC));
  CHECK_FALSE(
      violated("process P(int<0..1> me) { cs: skip; } forbid P(0)@cs, P(0)@cs;", Model::SC));
}

TEST_CASE("a thread that never started has its initial values in final conditions") {
  CHECK_FALSE(violated("shared int x; thread int r = 4; main { if (x == 1) spawn P; } "
                       "process P { r = 5; } final P.r == 4;",
                       Model::SC));
}

TEST_CASE("every initial memory is taken") {
  const auto program = test::parse("shared int<0..2> x = *, y = 1; shared bool f[2] = *; "
                                   "process P { skip; }");
  const ir::Code code(program);
  const Rules rules;
  const semantics::Machine machine(code, rules);
  CHECK(machine.initial_memories(100)->size() == 12);
  CHECK_FALSE(machine.initial_memories(11));
}

TEST_CASE("a store fence orders stores under PSO, each time") {
  const std::string text =
      "shared int<0..2> x, y; thread int<0..2> r, s; process P { x = 1; %y = 1; %x = 2; } "
      "process Q { r = y; s = x; } process R { r = x; s = y; } final ";
  const auto verdict_with = [&](std::string program, const std::string& condition, Model model) {
    for (std::size_t at; (at = program.find('%')) != std::string::npos;)
      program.replace(at, 1, "store_fence; ");
    return test::verdict(program + condition + ";", test::rules(model));
  };
  CHECK(verdict_with(text, "!(Q.r == 1 && Q.s == 0)", Model::PSO) == "safe");
  CHECK(verdict_with(text, "!(R.r == 2 && R.s == 0)", Model::PSO) == "safe");
  CHECK(verdict_with(text, "!(R.r == 1 && R.s == 0)", Model::PSO) == "unsafe final");
  std::string without = text;
  std::erase(without, '%');
  CHECK(verdict_with(without, "!(Q.r == 1 && Q.s == 0)", Model::PSO) == "unsafe final");
  CHECK(verdict_with(without, "!(Q.r == 1 && Q.s == 0)", Model::TSO) == "safe");
  // It is no full fence: the thread's own reads may still come first.
  CHECK(
      test::verdict("shared bool x, y; thread bool r; process P { x = true; store_fence; r = y; } "
                    "process Q { y = true; fence; r = x; } final P.r || Q.r;",
                    test::rules(Model::PSO)) == "unsafe final");
}
