#include "lower/automorphism.h"

#include "support/automata_builder.h"

#include <doctest/doctest.h>

using namespace weir;
using namespace weir::lower;
using test::among;

namespace {

/// Of Peterson's: threads, flags and the values of turn change places.
Automorphism swap(const Automata& automata) {
  Automorphism result = identity(automata);
  result.thread = {1, 0};
  result.variable = {1, 0, 2};
  result.value[2] = {1, 0};
  return result;
}

} // namespace

TEST_CASE("the identity is an automorphism; composed with another it is the other") {
  const Automata automata = test::peterson();
  CHECK(is_automorphism(automata, identity(automata)));
  const Automorphism other = swap(automata);
  CHECK(composed(identity(automata), other) == other);
  CHECK(composed(other, identity(automata)) == other);
  CHECK(composed(other, other) == identity(automata));
}

TEST_CASE("Peterson's threads change places together with flags and turns, and not without") {
  const Automata automata = test::peterson();
  CHECK(is_automorphism(automata, swap(automata)));
  Automorphism wrong = swap(automata);
  wrong.value[2] = {0, 1};
  CHECK_FALSE(is_automorphism(automata, wrong));
  wrong = swap(automata);
  wrong.variable = {0, 1, 2};
  CHECK_FALSE(is_automorphism(automata, wrong));
  wrong = swap(automata);
  wrong.position[1] = {0, 1, 2, 4, 3};
  CHECK_FALSE(is_automorphism(automata, wrong));
}

TEST_CASE("each part of the automata is looked at") {
  Automata automata = test::peterson();
  SUBCASE("initial values") { automata.variables[2].initial = test::value_set({0}); }
  SUBCASE("initial states") { automata.threads[0].initial[1] = true; }
  SUBCASE("sections") { automata.threads[0].holds_section[3] = true; }
  SUBCASE("transitions") { automata.threads[0].transitions.pop_back(); }
  SUBCASE("kinds") { automata.threads[0].transitions[0].op.kind = Op::Kind::Atomic; }
  SUBCASE("states of targets") { automata.targets = {{{3, 2}, {}}}; }
  SUBCASE("memory of targets") { automata.targets[0].memory = {among(2, {0})}; }
  SUBCASE("groups") {
    for (Automaton& thread : automata.threads) {
      thread.groups = {{true, true, true, true, &thread == &automata.threads[0]}};
      thread.initial.push_back(true);
      thread.holds_section.push_back(false);
    }
  }
  CHECK(is_automorphism(automata, identity(automata)));
  CHECK_FALSE(is_automorphism(automata, swap(automata)));
}

TEST_CASE("what is not even a map of these automata is not an automorphism") {
  const Automata automata = test::peterson();
  Automorphism wrong = identity(automata);
  SUBCASE("nothing") { wrong = {}; }
  SUBCASE("a thread too few") { wrong.thread.pop_back(); }
  SUBCASE("two threads to one") { wrong.thread = {0, 0}; }
  SUBCASE("a thread that is not there") { wrong.thread = {0, 2}; }
  SUBCASE("no positions") { wrong.position.clear(); }
  SUBCASE("a position that is not there") { wrong.position[0][4] = 5; }
  SUBCASE("a variable twice") { wrong.variable = {0, 0, 2}; }
  SUBCASE("no values") { wrong.value.clear(); }
  SUBCASE("a value twice") { wrong.value[1] = {0, 0}; }
  CHECK_FALSE(is_automorphism(automata, wrong));
}

TEST_CASE("states do not become groups, nor variables others with more values") {
  test::AutomataBuilder b;
  b.variable(1, {0});
  b.variable(2, {0});
  b.thread(1);
  b.group({0});
  Automorphism wrong = identity(b.automata);
  SUBCASE("group") { wrong.position[0] = {1, 0}; }
  SUBCASE("variable") { wrong.variable = {1, 0}; }
  CHECK_FALSE(is_automorphism(b.automata, wrong));
}
