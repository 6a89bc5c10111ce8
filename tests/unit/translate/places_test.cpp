#include "translate/places.h"

#include "support/parse.h"
#include "translate/watch.h"

#include <doctest/doctest.h>

namespace weir::translate {
namespace {

TEST_CASE("one counter for each place, the number of threads in the condition") {
  const auto program = test::parse("process P(int<0..1> me) { cs: skip; } forbid P@cs, P@cs;");
  const Places places(program);
  REQUIRE(places.counters().size() == 1);
  CHECK(places.counters()[0].name == "at_P_cs");
  const auto forbids = places.forbids_with(0);
  REQUIRE(forbids.size() == 1);
  REQUIRE(forbids[0].size() == 1);
  CHECK(forbids[0][0].threads == 2);
}

TEST_CASE("a named thread and any thread at the same place are different threads") {
  const auto program = test::parse("process P(int<0..1> me) { cs: skip; } forbid P(0)@cs, P@cs;");
  const Places places(program);
  CHECK(places.counters().size() == 2);
  const auto forbid = places.forbids_with(0)[0];
  REQUIRE(forbid.size() == 2);
  CHECK(forbid[0].threads == 1); // P(0)
  CHECK(forbid[1].threads == 2); // in all
}

TEST_CASE("watched places give the verdict of the forbid") {
  Rules sc;
  sc.model = Model::SC;
  for (const char* text :
       {"shared bool x; process P { cs: x = true; } process Q { here: skip; } forbid P@cs, Q@here;",
        "shared bool x; thread bool r; process P { x = true; cs: skip; x = false; }"
        "process Q { r = x; assume(!r); here: skip; } forbid P@cs, Q@here;",
        "process P(int<0..2> me) { cs: skip; } forbid P@cs, P@cs, P@cs;",
        "process P(int<0..1> me) { cs: skip; } forbid P@cs, P@cs, P@cs;",
        "shared bool x; process P { atomic { cs: x = true; } } process Q { x = true; l: do { skip; "
        "} "
        "while (*); } forbid P@cs, Q@l;",
        "process P(int<0..1> me) { if (me == 0) { cs: skip; } } forbid P(1)@cs, P(0)@cs;"}) {
    const auto program = test::parse(text);
    INFO(text);
    CHECK(test::verdict(watch_places(program), sc).substr(0, 4) ==
          test::verdict(program, sc).substr(0, 4));
  }
}

} // namespace
} // namespace weir::translate
