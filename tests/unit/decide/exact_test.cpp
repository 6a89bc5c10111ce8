#include "decide/exact.h"
#include "report/steps.h"
#include "semantics/replay.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {

/// "safe", "unsafe KIND" or "undecided REASON"; a run that does not replay fails the test.
std::string verdict(const std::string& text, decide::Exact engine = decide::Exact::Dual) {
  const auto program = test::parse(text);
  const ir::Code code(program);
  decide::ExactOptions options;
  options.engine = engine;
  const auto found = decide::check_exact(code, options);
  if (const auto* unsafe = std::get_if<Unsafe>(&found.answer.verdict)) {
    const semantics::Machine machine(code, options.rules);
    CHECK(std::holds_alternative<semantics::Playback>(semantics::replay(machine, unsafe->run)));
    return "unsafe " + report::violation_kind(unsafe->run.violation);
  }
  if (const auto* undecided = std::get_if<Undecided>(&found.answer.verdict))
    return "undecided " + undecided->reason;
  return "safe";
}

/// By both engines.
void check(const std::string& text, const std::string& expected) {
  CHECK(verdict(text) == expected);
  CHECK(verdict(text, decide::Exact::SingleBuffer) == expected);
}

} // namespace

TEST_CASE("store buffering") {
  check("shared bool x, y; thread bool r; process P { x = true; r = y; } "
        "process Q { y = true; r = x; } final P.r || Q.r;",
        "unsafe final");
  check("shared bool x, y; thread bool r; process P { x = true; fence; r = y; } "
        "process Q { y = true; fence; r = x; } final P.r || Q.r;",
        "safe");
}

TEST_CASE("buffers that grow for ever are no obstacle") {
  check("shared int<0..3> x, y; process P { while (true) { x = 1; y = 1; } } "
        "process Q { int<0..3> a; int<0..3> b; a = y; b = x; assert(b >= a); }",
        "safe");
}

// Section 9 of the design note: random programs do not find what these find.

TEST_CASE("own-split: an own store may be older than what is read after it") {
  check("shared int<0..2> x, y, u, z; "
        "process P { x = 1; y = 1; assume(x == 1); assume(u == 0); assume(z == 1); here: skip; } "
        "process Q { u = 1; fence; assume(x == 0); assume(x == 1); z = 1; z = 2; fence; "
        "assume(y == 0); here: skip; } forbid P@here, Q@here;",
        "unsafe forbid");
}

TEST_CASE("set-overlap: two reads that want different but overlapping values") {
  check("shared int<0..2> x, y, z; "
        "process P { int<0..2> r; z = 1; r = x; assume(r <= 1); r = x; assume(r >= 1); y = 1; "
        "here: skip; } "
        "process Q { x = 2; fence; assume(z == 0); assume(y == 1); x = 1; here: skip; } "
        "forbid P@here, Q@here;",
        "unsafe forbid");
}

TEST_CASE("set-overlap, when both values are gone before the first is read") {
  // Propagation as a step of its own makes the one above too easy.
  check("shared int<0..3> x, y, z; "
        "process P { int<0..3> r; z = 1; r = x; assume(r <= 1); r = x; assume(r == 1 || r == 2); "
        "y = 1; here: skip; } "
        "process Q { x = 2; x = 3; fence; assume(z == 0); assume(y == 1); x = 1; here: skip; } "
        "forbid P@here, Q@here;",
        "unsafe forbid");
}

TEST_CASE("two initials: a variable starts with one value, whatever it is") {
  check("shared int<0..1> x = *; process P { assume(x == 0); here: skip; } "
        "process Q { assume(x == 1); here: skip; } forbid P@here, Q@here;",
        "safe");
}

TEST_CASE("a spawn does not wait for the spawner's stores, but comes after what it has read") {
  check("shared bool x, y; process W { bool a; a = x; assert(a); } main { x = true; spawn W; }",
        "unsafe assert");
  check("shared bool x, y; process W { bool a; a = x; assert(a); } "
        "main { x = true; fence; spawn W; }",
        "safe");
  check("shared bool x; process Q { x = true; } process W { bool a; a = x; assert(a); } "
        "main { spawn Q; assume(x); spawn W; }",
        "safe");
}

TEST_CASE("a thread that was never spawned does nothing") {
  check("shared bool x; process W { x = true; } main { if (x) spawn W; assert(!x); }", "safe");
  check("shared bool x, y; process W { x = true; } "
        "main { assert(!x); if (*) { spawn W; } else { assert(!x); } }",
        "safe");
}

TEST_CASE("what is spawned may depend on a choice") {
  const std::string text = "shared int<0..2> x; process W(int<1..2> v) { x = v; } "
                           "main { int<0..2> c; int t; if (*) { c = 1; } else { c = 2; } "
                           "t = spawn W(c); join t; assert(x == c); }";
  check(text, "safe");
  check(text + " final x == 1;", "unsafe final");
}

TEST_CASE("a forbidden label inside a section is reached only while nobody else moves") {
  check("shared bool x; process P { atomic { x = true; here: x = false; } } "
        "process Q { if (x) { there: skip; } } forbid P@here, Q@there;",
        "safe");
  check("shared bool x; process P { atomic { x = true; here: x = false; } } "
        "process Q { skip; there: skip; } forbid P@here, Q@there;",
        "unsafe forbid");
  // A store of another thread may be pending meanwhile.
  check("shared bool x; process P { atomic { assume(!x); here: skip; } } "
        "process Q { x = true; there: skip; } forbid P@here, Q@there;",
        "unsafe forbid");
  // Whoever is not named is anywhere, but not half way through a section.
  check("shared bool x; process P { atomic { x = true; here: x = false; } } "
        "process Q { assert(!x); } process R { assume(false); here: skip; } "
        "forbid P@here, R@here;",
        "safe");
}

TEST_CASE("values that a section reads together are told apart together") {
  check("shared int<0..1> x, y; process P { atomic { assert(x == y); } } "
        "process Q { atomic { x = 1; y = 1; } }",
        "safe");
  check("shared int<0..1> x, y; process P { atomic { assert(x == y); } } "
        "process Q { x = 1; y = 1; }",
        "unsafe assert");
}

TEST_CASE("a join counts also of a thread that a property could name") {
  check("process P { here: skip; } main { int t; t = spawn P; join t; assert(false); } "
        "forbid P@here, P@here;",
        "unsafe assert");
}

TEST_CASE("stores that nobody reads are no obstacle to a run") {
  check(
      "shared int<0..1> z, x; process P { int<0..90> i; while (i < 90) { if (*) z = 0; else z = 1; "
      "i = i + 1; } x = 1; } process Q { assert(x == 0); }",
      "unsafe assert");
}

TEST_CASE("what the exact engines do not follow is refused") {
  const std::string at_label = "process P { here: skip; } forbid main@there, P@here; ";
  CHECK(verdict(at_label + "main { atomic { spawn P; there: skip; } }")
            .find("spawns a thread inside an atomic section") != std::string::npos);
  // Whoever joins is found out before or after the one who spawns.
  CHECK(verdict(
            "shared int<0..1> x, y; process P { int i = 0; if (y == 1) { if (y == 0) x = 1; } "
            "while (i < 30) i = i + 1; spawn R(0); x = 1; } process Q { assume(x == 1); join 4; } "
            "process Z { y = 1; } process R(int<0..0> a) { skip; }")
            .find("joined by another one than spawned it") != std::string::npos);
}

TEST_CASE("sixteen spawned threads are as many targets, not two to the sixteenth") {
  CHECK(verdict("shared int<0..3> x; process P { x = 1; assert(x == 1); } "
                "main { int i = 0; x = 1; while (i < 16) { spawn P; i = i + 1; } }") == "safe");
}

TEST_CASE("values out of range, bad indices and divisions by zero are violations") {
  check("shared int<0..1> x; process P { x = x + 1; } process Q { x = x + 1; }", "unsafe range");
  check("shared int<0..2> i; shared bool a[2]; process P { a[i] = true; } process Q { i = 2; }",
        "unsafe index");
  check("shared int<0..1> d = 1; thread int r; process P { r = 4 / d; } process Q { d = 0; }",
        "unsafe division");
}

TEST_CASE("a limit is said, not rounded") {
  CHECK(verdict("shared int x; process P { while (true) x = x + 1; } "
                "process Q { assert(x >= 0); }")
            .find("undecided test.cp:1:40: the data is not finite") == 0);
  CHECK(verdict("shared bool x; procedure f { if (*) call f; x = true; } "
                "process P { call f; } process Q { assert(!x || x); }") ==
        "undecided calls went deeper than 64 (--depth); no violation before that");
}
