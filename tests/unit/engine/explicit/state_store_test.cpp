#include "engine/explicit/state_store.h"

#include <doctest/doctest.h>

using namespace weir::engine;

TEST_CASE("a store keeps each state once, in order, with its parent") {
  StateStore store(2);
  for (Word i = 0; i < 100'000; ++i) {
    Word* words = store.propose(i == 0 ? no_state : i - 1);
    words[0] = i % 50'000; // each twice
    words[1] = 7;
    if (store.wants_flush()) store.flush();
  }
  store.flush();
  REQUIRE(store.size() == 50'000);
  CHECK(store.state(49'999)[0] == 49'999);
  CHECK(store.parent(0) == no_state);
  CHECK(store.parent(49'999) == 49'998);
  CHECK(store.bytes() < 50'000 * 100);
}

TEST_CASE("duplicates within one batch are one") {
  StateStore store(1);
  store.propose(no_state)[0] = 5;
  store.propose(no_state)[0] = 5;
  store.flush();
  CHECK(store.size() == 1);
}

TEST_CASE("widening keeps the states and finds them again") {
  StateStore store(1);
  for (Word i = 0; i < 1000; ++i) store.propose(no_state)[0] = i;
  store.flush();
  store.widen(3);
  CHECK(store.state(999)[0] == 999);
  CHECK(store.state(999)[2] == 0);
  Word* words = store.propose(no_state);
  words[0] = 999;
  words[1] = words[2] = 0;
  store.flush();
  CHECK(store.size() == 1000);
}
