#include "semantics/thread.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;
using semantics::Demand;

namespace {
struct OneThread {
  explicit OneThread(const std::string& text, Model model = Model::TSO)
      : program(test::parse(text)), code(program), rules(test::rules(model)),
        thread(semantics::start_thread(code, {0}, {})) {}

  semantics::Effect step(ir::Value seen = 0) {
    auto next = semantics::moves(code, rules, thread, seen);
    REQUIRE(next.size() == 1);
    thread = next[0].after;
    return next[0].effect;
  }
  Demand::Kind demand() { return semantics::demand(code, rules, thread).kind; }

  ir::Program program;
  ir::Code code;
  Rules rules;
  semantics::Thread thread;
};
} // namespace

TEST_CASE("a store waits in the buffer under TSO and reaches memory at once under SC") {
  OneThread tso("shared int x; process P { x = 1; }");
  CHECK_FALSE(tso.step().write);
  CHECK(tso.thread.buffer.size() == 1);
  OneThread sc("shared int x; process P { x = 1; }", Model::SC);
  CHECK(sc.step().write);
  CHECK(sc.thread.buffer.empty());
}

TEST_CASE("a load sees the newest own pending store, else it asks memory") {
  OneThread t("shared int x, y; thread int r; process P { x = 1; x = 2; r = x; r = y; }");
  t.step();
  t.step();
  CHECK(t.demand() == Demand::Kind::Nothing);
  CHECK(t.step().access->kind == semantics::Access::Kind::ReadBuffer);
  CHECK(t.thread.variables[0] == 2);
  CHECK(t.demand() == Demand::Kind::Memory);
  t.step(7);
  CHECK(t.thread.variables[0] == 7);
}

TEST_CASE("TSO flushes in order, PSO in order for each variable") {
  const std::string text = "shared int x, y; process P { y = 1; x = 1; y = 2; }";
  OneThread tso(text), pso(text, Model::PSO);
  for (int i = 0; i < 3; ++i) tso.step(), pso.step();
  CHECK(semantics::flushable(tso.rules, tso.thread) == std::vector<ir::Cell>{{1}});
  CHECK(semantics::flushable(pso.rules, pso.thread) == std::vector<ir::Cell>{{0}, {1}});
  CHECK(semantics::take_oldest(pso.thread, {1}) == 1);
  CHECK(semantics::take_oldest(pso.thread, {1}) == 2);
}

TEST_CASE("fence, cas, arw and the ends of a section wait for an empty buffer") {
  for (const std::string op : {"fence;", "cas(x, 0, 1);", "arw(x, 0, 1);", "atomic { skip; }"}) {
    OneThread t("shared int x; process P { x = 1; " + op + " }");
    t.step();
    CHECK(t.demand() == Demand::Kind::Drain);
    semantics::take_oldest(t.thread, {0});
    CHECK(t.demand() != Demand::Kind::Drain);
  }
  OneThread t("shared int x; process P { atomic { x = 1; } }");
  t.step();
  t.step();
  CHECK(t.demand() == Demand::Kind::Drain);
}

TEST_CASE("cas tells whether it swapped; arw waits") {
  OneThread t("shared int x; thread bool b; process P { b = cas(x, 0, 5); b = cas(x, 0, 6); "
              "arw(x, 5, 7); }");
  CHECK(t.step(0).write->second == 5);
  CHECK(t.thread.variables[0] == 1);
  CHECK_FALSE(t.step(5).write);
  CHECK(t.thread.variables[0] == 0);
  CHECK(semantics::moves(t.code, t.rules, t.thread, 4).empty());
  CHECK(t.step(5).write->second == 7);
}

TEST_CASE("what a variable cannot hold, an index outside and a division by zero are faults") {
  using ir::Fault;
  const auto fault = [](const std::string& text, ir::Value seen = 0) {
    OneThread t(text);
    return t.step(seen).fault;
  };
  CHECK(fault("shared int<0..1> x; thread int r = 2; process P { x = r; }") == Fault::OutOfRange);
  CHECK(fault("shared int x; thread int<0..1> r; process P { r = x; }", 2) == Fault::OutOfRange);
  CHECK(fault("shared int a[2]; thread int r = 2; process P { a[r] = 0; }") ==
        Fault::IndexOutOfBounds);
  CHECK(fault("shared int a[2]; thread int r = 2; process P { r = a[r]; }") ==
        Fault::IndexOutOfBounds);
  CHECK(fault("thread int r; process P { r = 1 / r; }") == Fault::DivisionByZero);
  CHECK(fault("thread int r; process P { assert(r == 1); }") == Fault::AssertionFailed);
  CHECK_FALSE(fault("thread int r; process P { assert(r == 0 || 1 / r == 1); }"));
  CHECK(fault("shared int<0..1> x; thread int r = 5; process P { cas(x, 0, r); }", 0) ==
        Fault::OutOfRange);
  CHECK_FALSE(fault("shared int<0..1> x; thread int r = 5; process P { cas(x, 0, r); }", 1));
}

TEST_CASE("calls have their own locals and end with the thread variables changed") {
  OneThread t("thread int r; process P { call f(3); r = r + 10; } procedure f(int d) { r = d; }");
  t.step();
  CHECK(t.thread.stack.size() == 2);
  t.step();
  t.step();
  CHECK(t.thread.stack.size() == 1);
  t.step();
  CHECK(t.thread.variables[0] == 13);
  t.step();
  CHECK(t.thread.ended);
  CHECK(t.demand() == Demand::Kind::Never);
}

TEST_CASE("recursion beyond the stated depth is a limit, not a violation") {
  OneThread t("process P { call f; } procedure f { call f; }");
  t.rules.depth = 2;
  t.step();
  t.step();
  const auto effect = t.step();
  REQUIRE(effect.fault);
  CHECK(semantics::is_limit(*effect.fault));
}

TEST_CASE("rounds and ages are counted as context switches of the own thread") {
  OneThread t("shared int x; process P { x = 1; }");
  t.rules.bound = {Bound::Kind::Rounds, 1};
  CHECK(semantics::begin_round(t.rules, t.thread));
  t.step();
  CHECK(semantics::end_round(t.rules, t.thread)); // round 1 may still flush it
  CHECK(semantics::begin_round(t.rules, t.thread));
  CHECK_FALSE(semantics::end_round(t.rules, t.thread)); // the last round leaves nothing pending
  auto again = t.thread;
  CHECK_FALSE(semantics::begin_round(t.rules, again));

  OneThread aged("shared int x; process P { x = 1; }");
  aged.rules.bound = {Bound::Kind::Age, 1};
  aged.step();
  CHECK(semantics::end_round(aged.rules, aged.thread));
  CHECK_FALSE(semantics::end_round(aged.rules, aged.thread));
  aged.rules.bound.k = 0;
  OneThread fresh("shared int x; process P { x = 1; }");
  fresh.rules.bound = {Bound::Kind::Age, 0};
  fresh.step();
  CHECK_FALSE(semantics::end_round(fresh.rules, fresh.thread));
}
