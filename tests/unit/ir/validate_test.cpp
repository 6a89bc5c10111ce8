#include "base/invariant.h"
#include "ir/validate.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;
using namespace weir::ir;

namespace {
Program good() {
  return test::parse("shared int<0..1> x; thread bool b; process P { L: x = 1; b = x == 1; "
                     "while (b) { x = 0; } goto L; } final x == 1;");
}
} // namespace

TEST_CASE("a program from the front end has no flaw") { CHECK_FALSE(find_flaw(good())); }

TEST_CASE("each broken promise is found") {
  Program p = good();
  SUBCASE("a local that does not exist") {
    std::get<Load>(p.procedures[0].body[1].action).into = {{99}, {}};
  }
  SUBCASE("a shared variable that does not exist") {
    std::get<Store>(p.procedures[0].body[0].action).to = {{9}, {}};
  }
  SUBCASE("a value of the other type") {
    std::get<Store>(p.procedures[0].body[0].action).value = Expr::boolean(true);
  }
  SUBCASE("a scalar with an index") {
    std::get<Store>(p.procedures[0].body[0].action).to.path.push_back(Expr::constant(0));
  }
  SUBCASE("shared memory read in an expression") {
    Expr shared = Expr::constant(0);
    shared.op = Op::Shared;
    std::get<Store>(p.procedures[0].body[0].action).value = shared;
  }
  SUBCASE("'*' as a value") { std::get<Store>(p.procedures[0].body[0].action).value = Expr::any(); }
  SUBCASE("a label in two places") { p.procedures[0].body[1].labels = {LabelId{0}}; }
  SUBCASE("a label nowhere") { p.procedures[0].labels.push_back("M"); }
  SUBCASE("a goto to nowhere") { std::get<Goto>(p.procedures[0].body.back().action).target = {7}; }
  SUBCASE("a cell without an initial value") { p.shared[0].initial.clear(); }
  SUBCASE("an initial value outside the range") { p.shared[0].initial[0] = 5; }
  SUBCASE("a thread without arguments") { p.threads[0].arguments.push_back(1); }
  SUBCASE("a thread's local in a final condition without the thread") {
    p.finals[0].condition = Expr::of_local({0}, Type::boolean());
  }
  CHECK(find_flaw(p));
  CHECK_THROWS_AS(validated(p), InternalError);
}
