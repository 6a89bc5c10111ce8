#include "engine/explicit/thread_table.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;
using engine::ThreadTable;

TEST_CASE("equal thread states have one number, and decoding gives the thread back") {
  const auto program =
      test::parse("shared int x; process P(int<0..0> me) { x = -5; skip; x = me; }");
  const ir::Code code(program);
  const Rules rules;
  ThreadTable table(code, rules, {false, false});
  const auto start = semantics::start_thread(code, {0}, {0});
  const auto id = table.intern(start);
  CHECK(table.intern(start) == id);
  CHECK(table.thread(id) == start);
  const auto after = semantics::moves(code, rules, start, 0)[0].after;
  CHECK(table.thread(table.intern(after)) == after);
}

TEST_CASE("local computation belongs to the step before it") {
  const auto program = test::parse("shared int x, y; thread int r; "
                                   "process P { x = 1; r = 2; r = r + 1; y = r; }");
  const ir::Code code(program);
  const Rules rules;
  ThreadTable table(code, rules, {false, false});
  const auto id = table.intern(semantics::start_thread(code, {0}, {}));
  const auto [first, last] = table.outcomes(id, 0);
  REQUIRE(last - first == 1);
  const auto next = table.thread(table.outcome(first).next);
  CHECK(next.stack[0].at == 3); // at y = r
  CHECK(next.variables[0] == 3);
  CHECK(table.details(id, 0)[0].choices.size() == 3);
}

TEST_CASE("a local loop that goes on by choice is cut after one choice") {
  const auto program = test::parse("process P { while (*) { skip; } }");
  const ir::Code code(program);
  const Rules rules;
  const ThreadTable table(code, rules, {false, false});
  const auto settled = table.settle(semantics::start_thread(code, {0}, {}));
  CHECK(settled.size() == 2);
}

TEST_CASE("a watched label is always stopped at") {
  const auto program = test::parse("shared int x; process P { x = 1; skip; cs: skip; x = 0; } "
                                   "forbid P@cs, P@cs;");
  const ir::Code code(program);
  const Rules rules;
  ThreadTable table(code, rules, {false, false});
  const auto id = table.intern(semantics::start_thread(code, {0}, {}));
  const auto next = table.outcome(table.outcomes(id, 0).first).next;
  CHECK(table[next].places != 0);
}
