#include "fence/places.h"

#include "support/fences.h"
#include "support/parse.h"

#include <doctest/doctest.h>

namespace weir::test {
namespace {

using Kind = fence::Placement::Kind;

/// The text with a fence at each place.
std::string all(const std::string& text, const fence::Placement& placement) {
  const ir::Program program = parse(text);
  return with_fences(program, gaps(program, placement));
}

std::string all(const std::string& text, Kind kind) {
  fence::Placement placement;
  placement.kind = kind;
  return all(text, placement);
}

} // namespace

TEST_CASE("after writes: each store of the source is followed by one place") {
  CHECK(all("shared int<0..2> x, y; process P { x = 1; int<0..2> r = y; y = x + 1; r = 0; }",
            Kind::AfterWrites) == "shared int<0..2> x, y; process P { x = 1; fence; int<0..2> r = "
                                  "y; y = x + 1; fence; r = 0; }");
}

TEST_CASE("after writes: braces where a statement stands alone") {
  CHECK(
      all("shared bool x, y; process P { if (x) y = true; else if (y) x = false; while (x) y = x; "
          "}",
          Kind::AfterWrites) ==
      "shared bool x, y; process P { if (x) { y = true; fence; } else if (y) { x = false; fence; } "
      "while (x) { y = x; fence; } }");
}

TEST_CASE("locked instructions are no writes that a fence could help") {
  CHECK(all("shared int<0..2> x; process P { cas(x, 0, 1); arw(x, 1, 2); }", Kind::AfterWrites) ==
        "shared int<0..2> x; process P { cas(x, 0, 1); arw(x, 1, 2); }");
}

TEST_CASE("before reads: also where a loop tests again") {
  CHECK(all("shared bool x, y; process P { x = true; while (y) { x = false; skip; } y = true; }",
            Kind::BeforeReads) == "shared bool x, y; process P { x = true; fence; while (y) { x = "
                                  "false; skip; fence; } y = true; }");
  CHECK(all("shared bool x, y; thread bool r; process P { do { x = r; } while (y); r = x; }",
            Kind::BeforeReads) == "shared bool x, y; thread bool r; process P { do { x = r; fence; "
                                  "} while (y); fence; r = x; }");
}

TEST_CASE("before reads: through jumps and local computation only what comes next counts") {
  CHECK(all("shared bool x; thread bool r, s; process P { l: s = true; if (s) { r = x; goto l; } }",
            Kind::BeforeReads) == "shared bool x; thread bool r, s; process P { l: s = true; if "
                                  "(s) { fence; r = x; goto l; } }");
}

TEST_CASE("anywhere: each gap between statements once") {
  CHECK(all("shared bool x; process P { skip; if (x) { skip; } }", Kind::Anywhere) ==
        "shared bool x; process P { fence; skip; fence; if (x) { fence; skip; fence; } fence; }");
}

TEST_CASE("nothing comes after a jump") {
  CHECK(all("shared bool x; process P { while (true) { x = true; break; } l: x = false; goto l; }",
            Kind::Anywhere) == "shared bool x; process P { fence; while (true) { fence; x = true; "
                               "fence; break; } fence; l: x "
                               "= false; fence; goto l; }");
}

TEST_CASE("a place before a labelled statement is before the label") {
  const std::string text = "shared bool x; process P { if (x) l: { x = true; skip; } }";
  const ir::Program program = parse(text);
  CHECK(with_fences(program, {gaps(program, {Kind::Anywhere, {}, {}})[1]}) ==
        "shared bool x; process P { if (x) { fence; l: { x = true; skip; } } }");
}

TEST_CASE("labels stand for the places beside their statement, or inside it") {
  const std::string text =
      "shared bool x; process P { skip; a: x = true; b: while (x) { x = false; } skip; }";
  CHECK(all(text, {Kind::AtLabels, {"a"}, {}}) ==
        "shared bool x; process P { skip; fence; a: x = true; fence; b: while (x) { x = false; } "
        "skip; }");
  CHECK(all(text, {Kind::AtLabels, {"P@b"}, {}}) ==
        "shared bool x; process P { skip; a: x = true; b: while (x) { fence; x = false; fence; } "
        "skip; }");
  CHECK(all(text, {Kind::AfterWrites, {}, {"b"}}) ==
        "shared bool x; process P { skip; a: x = true; fence; b: while (x) { x = false; } skip; }");
  const auto unknown = fence::places(parse(text), {Kind::AtLabels, {"c"}, {}});
  REQUIRE(std::holds_alternative<fence::UnknownLabel>(unknown));
  CHECK(std::get<fence::UnknownLabel>(unknown).name == "c");
}

TEST_CASE("the label of a block stands for the places inside it") {
  const std::string text = "shared bool x; process P { a: { skip; x = true; } b: { } x = false; }";
  CHECK(all(text, {Kind::AtLabels, {"a"}, {}}) ==
        "shared bool x; process P { a: { skip; fence; x = true; fence; } b: { } x = false; }");
  CHECK(all(text, {Kind::AfterWrites, {}, {"a"}}) ==
        "shared bool x; process P { a: { skip; x = true; } b: { } x = false; fence; }");
}

TEST_CASE("a store can become a locked instruction if it reads nothing") {
  const ir::Program program = parse("shared int<0..2> x, y; process P { x = 1; y = x; }");
  const auto after = gaps(program, {});
  REQUIRE(after.size() == 2);
  CHECK(fence::can_exchange(program, after[0]));
  CHECK_FALSE(fence::can_exchange(program, after[1]));
}

TEST_CASE("fences that are there are places too") {
  const ir::Program program = parse("shared bool x; process P { x = true; fence; l: fence; }");
  const auto fences = fence::existing_fences(program);
  CHECK(fences.size() == 2);
  const ir::Program bare = fence::without_fences(program, fences);
  CHECK(bare == parse("shared bool x; process P { x = true; skip; l: skip; }"));
}

} // namespace weir::test
