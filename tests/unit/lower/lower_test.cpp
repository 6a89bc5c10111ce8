#include "lower/lower.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {

/// The automata of a program as text, or why there are none.
std::string automata(const std::string& text) {
  const auto program = test::parse(text);
  const ir::Code code(program);
  const auto lowered = lower::lower(code, {});
  if (const auto* refusal = std::get_if<lower::Refusal>(&lowered)) return refusal->reason;
  return lower::print(std::get<lower::Lowered>(lowered).automata);
}

} // namespace

TEST_CASE("a program becomes one automaton per thread, over the values it uses") {
  CHECK(automata("shared int x, y; thread int r; process P { x = 5; r = y; assert(r != 7); } "
                 "process Q { y = 7; r = x; assert(r == 0); }") ==
        "variable x of 0,5: initially {0}\n"
        "variable y of 0,7: initially {0}\n"
        "thread P: 4 states\n"
        "  0: initial\n"
        "  4: initial group 0 1 2 3\n" // wherever it is
        "  0 -> 1: write x:=5\n"
        "  1 -> 2: read y=={7}\n"
        "  1 -> 3: read y=={0}\n"
        "  0 -> 4: write x:=5\n"
        "thread Q: 4 states\n"
        "  0: initial\n"
        "  4: initial group 0 1 2 3\n"
        "  0 -> 1: write y:=7\n"
        "  1 -> 2: read x=={5}\n"
        "  1 -> 3: read x=={0}\n"
        "  0 -> 4: write y:=7\n"
        "target 2 4\n"
        "target 4 2\n");
}

TEST_CASE("what nobody notices is left out") {
  // A value that is read but not used, a store that nobody reads, local steps.
  const auto text = automata("shared bool x, y; thread bool r; thread int<0..3> n; "
                             "process P { n = 1; r = x; n = n + 1; y = true; here: skip; } "
                             "process Q { x = true; here: skip; } forbid P@here, Q@here;");
  CHECK(text == "thread P: 1 states\n  0: initial\nthread Q: 1 states\n  0: initial\ntarget 0 0\n");
}

TEST_CASE("a store and a fence after it are one step") {
  const auto text = automata("shared bool x, y; thread bool r; process P { x = true; fence; r = y; "
                             "assert(!r); } process Q { y = true; r = x; assert(!r); }");
  CHECK(text.find("0 -> 1: atomic x:=true") != std::string::npos);
  CHECK(text.find("write x") == std::string::npos);
}

TEST_CASE("values that nobody tells apart are one") {
  const auto text =
      automata("shared int<0..9> x; thread int<0..9> r; process P { x = 3; x = 7; x = 9; } "
               "process Q { r = x; assert(r < 8); }");
  CHECK(text.find("variable x of 0,9: initially {0}\n") == 0);
}

TEST_CASE("sections are single steps, and a label inside one is a state of its own") {
  const auto text =
      automata("shared int<0..1> x, y; process P { atomic { x = 1; here: y = 1; x = 0; } } "
               "process Q { x = 1; there: skip; assert(y == 0); } forbid P@here, Q@there;");
  CHECK(text.find("in-section") != std::string::npos);
  CHECK(text.find(": atomic y:=1") != std::string::npos); // x is as it was, or nobody looks
}

TEST_CASE("cas succeeds or fails in one step that needs an empty buffer") {
  const auto text = automata("shared int<0..2> x; process P { if (cas(x, 0, 1)) assert(false); } "
                             "process Q { x = 2; }");
  CHECK(text.find("atomic x=={0}") != std::string::npos);
}

TEST_CASE("a spawned thread begins after its spawn; a join waits for its end") {
  const auto text = automata("shared bool x; thread bool r; process P { x = true; } "
                             "main { int t; t = spawn P; join t; r = x; assert(r); }");
  CHECK(text.find("read begun P#1=={0}") != std::string::npos);
  CHECK(text.find("atomic begun P#1=={0} begun P#1:=1") != std::string::npos);
  CHECK(text.find("read ended P#1=={1}") != std::string::npos);
  CHECK(text.find("atomic ended P#1:=1") != std::string::npos);
}

TEST_CASE("final conditions are targets with memory") {
  const auto text = automata("shared int<0..2> x; process P { x = 1; } process Q { x = 2; } "
                             "final x != 1;");
  CHECK(text.find("x=={1}") != std::string::npos);
}

TEST_CASE("data that is not finite is refused with the variable that grows") {
  CHECK(automata("shared int x; process P { while (true) x = x + 1; } process Q { assert(x < 9); }")
            .find("'x' takes more than") != std::string::npos);
  CHECK(automata("shared bool x; process P { int n; while (true) { n = n + 1; x = n > 3; } }")
            .find("'n' takes ") != std::string::npos);
}

TEST_CASE("two spawners are refused") {
  CHECK(automata("shared bool x; process W { x = true; } process P { spawn W; } "
                 "process Q { spawn W; assert(!x); }")
            .find("more than one thread spawns") != std::string::npos);
}

TEST_CASE("unbounded recursion cuts the automata off") {
  const auto program = test::parse("shared bool x; procedure f { if (*) call f; x = true; } "
                                   "process P { call f; } process Q { assert(!x || x); }");
  const ir::Code code(program);
  const auto lowered = lower::lower(code, {});
  REQUIRE(std::holds_alternative<lower::Lowered>(lowered));
  CHECK(std::get<lower::Lowered>(lowered).cut.find("--depth") != std::string::npos);
}
