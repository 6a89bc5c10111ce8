#include "ir/layout.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

TEST_CASE("shared memory is a row of cells with the user's names") {
  const auto program =
      test::parse("shared bool f; shared int<0..3> a[2][3]; shared int x; process P { skip; }");
  const ir::Layout layout(program);
  CHECK(layout.cell_count() == 8);
  CHECK(ir::cell_name(program, layout, {0}) == "f");
  CHECK(ir::cell_name(program, layout, {1}) == "a[0][0]");
  CHECK(ir::cell_name(program, layout, {6}) == "a[1][2]");
  CHECK(ir::cell_name(program, layout, {7}) == "x");
  CHECK(ir::value_text(program.shared[0].type, 1) == "true");
  CHECK(ir::value_text(program.shared[2].type, -4) == "-4");
}

TEST_CASE("thread variables and the locals of each procedure have slots of their own") {
  const auto program = test::parse("thread int r, s[2]; process P(int<0..0> me) { int t; }"
                                   "procedure f { bool u; }");
  const ir::Layout layout(program);
  CHECK(layout.thread_variables_size == 3);
  CHECK(layout.frame_size[0] == 2);
  CHECK(layout.frame_size[1] == 1);
}
