#include "fence/hitting_sets.h"

#include <doctest/doctest.h>

namespace weir::test {

using Set = std::vector<std::size_t>;

TEST_CASE("without clauses the empty set is smallest") {
  fence::HittingSets sets(3);
  CHECK(sets.smallest() == Set{});
  sets.must_not_contain({});
  CHECK_FALSE(sets.smallest());
}

TEST_CASE("smallest sets come first, and all of them") {
  fence::HittingSets sets(4);
  sets.must_meet({0, 1});
  sets.must_meet({0, 2});
  sets.must_meet({0, 3});
  CHECK(sets.smallest() == Set{0});
  sets.must_not_contain({0});
  CHECK(sets.smallest() == Set{1, 2, 3});
  sets.must_not_contain({1, 2, 3});
  CHECK_FALSE(sets.smallest());
}

TEST_CASE("an empty clause leaves nothing") {
  fence::HittingSets sets(2);
  sets.must_meet({});
  CHECK_FALSE(sets.smallest());
}

TEST_CASE("no elements at all") {
  fence::HittingSets sets(0);
  CHECK(sets.smallest() == Set{});
  sets.must_not_contain({});
  CHECK_FALSE(sets.smallest());
}

} // namespace weir::test
