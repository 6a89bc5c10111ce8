#include "ir/code.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;
using namespace weir::ir;

TEST_CASE("loops and branches become instructions that know their successors") {
  const auto program =
      test::parse("shared int x; thread int r; process P { while (r < 2) { r = r + 1; } x = r; }");
  const Code code(program);
  const auto& list = code.routines[0].code;
  REQUIRE(list.size() == 4);
  const auto& test = std::get<Branch>(list[0].operation);
  CHECK(test.yes == 1);
  CHECK(test.no == 2);
  CHECK(list[1].next == 0);
  CHECK(std::holds_alternative<Store>(list[2].operation));
  CHECK(std::holds_alternative<Return>(list[3].operation));
}

TEST_CASE("constant conditions leave no test behind") {
  const auto program = test::parse("shared int x; process P { while (true) { x = 1; } }");
  const Code code(program);
  CHECK(code.routines[0].code[0].next == 0);
}

TEST_CASE("gotos that only go to each other stay as steps") {
  const auto program = test::parse("process P { L: goto L; } process Q { A: goto B; B: goto A; }"
                                   "process R { skip; A: goto B; B: goto A; }");
  const Code code(program);
  for (const Routine& routine : code.routines) {
    Location at = 0;
    for (int i = 0; i < 5; ++i) {
      REQUIRE(std::holds_alternative<Skip>(routine.code[at].operation));
      at = routine.code[at].next;
    }
  }
}

TEST_CASE("a labelled jump is a step: a thread can be there") {
  const auto program =
      test::parse("shared int x; process P(int<0..1> me) { if (me == 0) { a: goto b; } "
                  "c: if (true) { } b: x = 1; }");
  const Code code(program);
  const auto& labels = code.routines[0].labels;
  CHECK(labels[0] != labels[1]);
  CHECK(labels[1] != labels[2]);
  CHECK(labels[0] != labels[2]);
}

TEST_CASE("labelled code under a constant condition stays, for it may be jumped to") {
  const auto program = test::parse("shared int x; process P { goto L; if (false) { L: x = 1; } "
                                   "while (false) { M: x = 2; } }");
  const Code code(program);
  const auto& routine = code.routines[0];
  CHECK(std::get<Store>(routine.code[routine.labels[0]].operation).value.value == 1);
  CHECK(std::get<Store>(routine.code[routine.labels[1]].operation).value.value == 2);
}

TEST_CASE("a program that starts with a jump starts where it leads") {
  const auto program =
      test::parse("shared int x; process P { goto M; L: x = 1; return; M: x = 2; goto L; }");
  const Code code(program);
  const auto& list = code.routines[0].code;
  CHECK(std::holds_alternative<Skip>(list[0].operation));
  CHECK(std::get<Store>(list[list[0].next].operation).value.value == 2);
  CHECK(code.routines[0].labels.size() == 2);
}

TEST_CASE("thread variables that start anywhere are chosen first") {
  const auto program = test::parse("thread bool b = *, c[2] = *; process P { skip; }");
  const Code code(program);
  for (int i = 0; i < 3; ++i)
    CHECK(std::holds_alternative<Havoc>(code.routines[0].code[i].operation));
  CHECK(std::holds_alternative<Skip>(code.routines[0].code[3].operation));
}
