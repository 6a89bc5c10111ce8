#include "lower/symmetry.h"

#include "support/automata_builder.h"
#include "support/settings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace weir;
using namespace weir::lower;
using test::among;
using test::AutomataBuilder;
using test::Values;

namespace {

/// The automorphisms found, after what is promised of them was checked.
std::vector<Automorphism> found(const Automata& automata) {
  const auto group = automorphisms(automata);
  REQUIRE_FALSE(group.empty());
  CHECK(group.front() == identity(automata));
  std::set<std::vector<ThreadIndex>> permutations;
  for (const Automorphism& f : group) {
    CHECK(is_automorphism(automata, f));
    CHECK(permutations.insert(f.thread).second);
    bool has_inverse = false;
    for (const Automorphism& g : group) {
      const Automorphism product = composed(f, g);
      CHECK(std::find(group.begin(), group.end(), product) != group.end());
      has_inverse = has_inverse || product == group.front();
    }
    CHECK(has_inverse);
  }
  CHECK(automorphisms(automata) == group);
  return group;
}

/// Each thread raises its flag, enters if it sees no other, in any order of looking; the last to
/// write its number goes first. Variables: the flags, then last.
Automata crowd(std::uint32_t threads) {
  AutomataBuilder b;
  Values everyone(threads);
  std::iota(everyone.begin(), everyone.end(), 0u);
  for (std::uint32_t t = 0; t < threads; ++t) b.variable(2, {0});
  const VariableIndex last = b.variable(threads, everyone);
  std::vector<StateIndex> anywhere(threads);
  for (std::uint32_t me = 0; me < threads; ++me) {
    b.thread(5);
    b.write(0, 1, me, 1);
    b.write(1, 2, last, me);
    for (std::uint32_t other = 0; other < threads; ++other)
      if (other != me) b.read(2, 3, other, {1});
    Values others = everyone;
    others.erase(others.begin() + me);
    b.read(3, 4, last, others);
    b.write(4, 0, me, 0);
    anywhere[me] = b.group({0, 1, 2, 3, 4});
  }
  for (std::uint32_t s = 0; s < threads; ++s)
    for (std::uint32_t t = 0; t < s; ++t) {
      std::vector<StateIndex> at = anywhere;
      at[s] = at[t] = 4;
      b.target(at);
    }
  return std::move(b.automata);
}

template <class Random> std::vector<std::uint32_t> shuffled(std::size_t n, Random& random) {
  std::vector<std::uint32_t> result(n);
  std::iota(result.begin(), result.end(), 0u);
  std::shuffle(result.begin(), result.end(), random);
  return result;
}

/// A map of these automata to others.
template <class Random> Automorphism renaming(const Automata& automata, Random& random) {
  Automorphism result;
  result.thread = shuffled(automata.threads.size(), random);
  for (const Automaton& thread : automata.threads) {
    auto positions = shuffled(thread.states, random);
    for (const std::uint32_t g : shuffled(thread.groups.size(), random))
      positions.push_back(thread.states + g);
    result.position.push_back(positions);
  }
  result.variable = shuffled(automata.variables.size(), random);
  for (const Variable& variable : automata.variables)
    result.value.push_back(shuffled(variable.size(), random));
  return result;
}

std::vector<Among> renamed(const std::vector<Among>& sets, const Automorphism& map) {
  std::vector<Among> result;
  for (const Among& set : sets) {
    Among to{map.variable[set.variable], {}};
    for (std::uint32_t v = 0; v < map.value[set.variable].size(); ++v)
      if (set.values[v]) to.values.set(map.value[set.variable][v]);
    result.push_back(to);
  }
  std::sort(result.begin(), result.end(),
            [](const Among& a, const Among& b) { return a.variable < b.variable; });
  return result;
}

Automaton renamed(const Automaton& from, const std::vector<StateIndex>& position,
                  const Automorphism& map) {
  Automaton to = from;
  for (StateIndex s = 0; s < from.size(); ++s) {
    to.initial[position[s]] = from.initial[s];
    to.holds_section[position[s]] = from.holds_section[s];
    if (s >= from.states)
      for (StateIndex m = 0; m < from.states; ++m)
        to.groups[position[s] - from.states][position[m]] = from.groups[s - from.states][m];
  }
  for (Transition& t : to.transitions) {
    t.from = position[t.from];
    t.to = position[t.to];
    t.op.reads = renamed(t.op.reads, map);
    for (Becomes& write : t.op.writes)
      write = {map.variable[write.variable], map.value[write.variable][write.value]};
    std::sort(t.op.writes.begin(), t.op.writes.end(),
              [](const Becomes& a, const Becomes& b) { return a.variable < b.variable; });
  }
  return to;
}

Automata renamed(const Automata& from, const Automorphism& map) {
  Automata to = from;
  for (VariableIndex x = 0; x < from.variables.size(); ++x)
    to.variables[map.variable[x]].values = from.variables[x].values; // As many.
  std::vector<Among> initial;
  for (VariableIndex x = 0; x < from.variables.size(); ++x)
    initial.push_back({x, from.variables[x].initial});
  for (const auto& [x, values] : renamed(initial, map)) to.variables[x].initial = values;
  for (ThreadIndex t = 0; t < from.threads.size(); ++t)
    to.threads[map.thread[t]] = renamed(from.threads[t], map.position[t], map);
  for (Target& target : to.targets) {
    const std::vector<StateIndex> at = target.at;
    for (ThreadIndex t = 0; t < at.size(); ++t) target.at[map.thread[t]] = map.position[t][at[t]];
    target.memory = renamed(target.memory, map);
  }
  return to;
}

/// All there is to automata but names, and the order in which transitions and targets are listed.
std::set<Values> facts(const Automata& automata) {
  std::set<Values> result;
  const auto add = [&](Values fact, const std::vector<Among>& sets) {
    for (const auto& [x, values] : sets)
      for (std::uint32_t v = 0; v < automata.variables[x].size(); ++v)
        if (values[v]) fact.insert(fact.end(), {x, v});
    result.insert(fact);
  };
  for (VariableIndex x = 0; x < automata.variables.size(); ++x)
    add({0, automata.variables[x].size()}, {{x, automata.variables[x].initial}});
  for (ThreadIndex t = 0; t < automata.threads.size(); ++t) {
    const Automaton& thread = automata.threads[t];
    for (StateIndex s = 0; s < thread.size(); ++s) {
      add({1, t, s, thread.initial[s], thread.holds_section[s]}, {});
      for (StateIndex m = 0; m < thread.states; ++m) add({2, t, s, m, thread.covers(s, m)}, {});
    }
    for (const auto& [from, to, op] : thread.transitions) {
      Values fact{3, t, from, to, static_cast<std::uint32_t>(op.kind)};
      for (const Becomes& write : op.writes) fact.insert(fact.end(), {write.variable, write.value});
      fact.push_back(~0u);
      add(fact, op.reads);
    }
  }
  for (const Target& target : automata.targets) {
    Values fact{4};
    fact.insert(fact.end(), target.at.begin(), target.at.end());
    add(fact, target.memory);
  }
  return result;
}

/// Two threads of three states with two variables of two values: anything, or something and its
/// image, so that they may be able to change places.
template <class Random> Automata random_pair(Random& random) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  AutomataBuilder b;
  const std::uint32_t initial = below(3);
  for (int x = 0; x < 2; ++x) b.variable(2, initial == 2 ? Values{0, 1} : Values{initial});
  b.thread(3);
  for (std::uint32_t i = 0, n = below(5); i < n; ++i) {
    const StateIndex from = below(3), to = below(3);
    const VariableIndex x = below(2);
    if (below(2))
      b.read(from, to, x, below(3) ? Values{below(2)} : Values{0, 1});
    else
      b.write(from, to, x, below(2));
  }
  b.automata.threads.push_back(b.automata.threads[0]);
  const Automorphism map = renaming(b.automata, random);
  b.automata.threads[1] = renamed(b.automata.threads[0], map.position[0], map);
  b.target({below(3), below(3)});
  if (below(2)) b.target({b.automata.targets[0].at[1], b.automata.targets[0].at[0]});
  if (below(3) == 0) b.target({below(3), below(3)}, {among(below(2), {below(2)})});
  return std::move(b.automata);
}

/// Whether an automorphism that is its own inverse swaps the threads, by trying all maps.
bool can_swap(const Automata& automata) {
  const auto wanted = facts(automata);
  Automorphism map = identity(automata);
  map.thread = {1, 0};
  do do
      do
        for (unsigned values = 0; values < 4; ++values) {
          map.value[0] = values & 1 ? Values{1, 0} : Values{0, 1};
          map.value[1] = values & 2 ? Values{1, 0} : Values{0, 1};
          if (composed(map, map) != identity(automata)) continue;
          const bool is_one = facts(renamed(automata, map)) == wanted;
          CHECK(is_automorphism(automata, map) == is_one);
          if (is_one) return true;
        }
      while (std::next_permutation(map.variable.begin(), map.variable.end()));
    while (std::next_permutation(map.position[1].begin(), map.position[1].end()));
  while (std::next_permutation(map.position[0].begin(), map.position[0].end()));
  return false;
}

} // namespace

TEST_CASE("in Peterson's algorithm flags and turns change places with the threads") {
  const Automata automata = test::peterson();
  const auto group = found(automata);
  REQUIRE(group.size() == 2);
  CHECK(group[1].thread == std::vector<ThreadIndex>{1, 0});
  CHECK(group[1].variable == std::vector<VariableIndex>{1, 0, 2});
  CHECK(group[1].value == std::vector<Values>{{0, 1}, {0, 1}, {1, 0}});
  CHECK(group[1].position == std::vector<std::vector<StateIndex>>(2, {0, 1, 2, 3, 4}));
}

TEST_CASE("initial values and states can keep threads apart") {
  CHECK(found(test::peterson({0})).size() == 1);
  Automata automata = test::peterson();
  automata.threads[1].initial = {false, true, false, false, false};
  CHECK(found(automata).size() == 1);
}

TEST_CASE("a thread inside an atomic section is not like one outside") {
  Automata automata = test::peterson();
  automata.threads[1].holds_section[3] = true;
  CHECK(found(automata).size() == 1);
  automata.threads[0].holds_section[3] = true;
  CHECK(found(automata).size() == 2);
}

TEST_CASE("threads that look alike stay apart if targets name one of them") {
  Automata automata = test::peterson();
  automata.targets = {{{3, 2}, {}}};
  CHECK(found(automata).size() == 1);
  automata.targets.push_back({{2, 3}, {}});
  CHECK(found(automata).size() == 2);
}

TEST_CASE("threads that do different things stay apart") {
  Automata automata = test::peterson();
  SUBCASE("one more transition") {
    automata.threads[0].transitions.push_back({3, 3, {}});
    ++automata.threads[0].own_transitions;
  }
  SUBCASE("another value") { automata.threads[0].transitions[1].op.writes[0].value = 0; }
  SUBCASE("another variable") { automata.threads[0].transitions[2].op.reads[0].variable = 0; }
  SUBCASE("another state") { automata.threads[0].transitions[3].to = 4; }
  SUBCASE("a larger set") { automata.threads[0].transitions[2].op.reads[0].values.set(1); }
  CHECK(found(automata).size() == 1);
}

TEST_CASE("threads of a crowd change places in every way") {
  CHECK(found(crowd(2)).size() == 2);
  CHECK(found(crowd(3)).size() == 6);
  CHECK(found(crowd(4)).size() == 24);
  CHECK(automorphisms(crowd(6)).size() == 720);
  CHECK(automorphisms(crowd(7)).size() == 1); // Too many to try.
}

TEST_CASE("threads in a ring turn round, but do not change places otherwise") {
  AutomataBuilder b;
  for (int t = 0; t < 5; ++t) b.variable(2, {0});
  for (std::uint32_t t = 0; t < 5; ++t) {
    b.thread(2);
    b.read(0, 1, t, {0});
    b.write(1, 0, (t + 1) % 5, 1);
  }
  const auto group = found(b.automata);
  REQUIRE(group.size() == 5);
  CHECK(group[1].thread == std::vector<ThreadIndex>{1, 2, 3, 4, 0});
  CHECK(group[1].variable == std::vector<VariableIndex>{1, 2, 3, 4, 0});
}

TEST_CASE("of a crowd in which one is special, the others change places") {
  Automata automata = crowd(3);
  automata.variables[1].initial = test::value_set({0, 1});
  const auto group = found(automata);
  REQUIRE(group.size() == 2);
  CHECK(group[1].thread == std::vector<ThreadIndex>{2, 1, 0});
}

TEST_CASE("groups are found by their members and not by their numbers") {
  AutomataBuilder b;
  b.variable(2, {0});
  for (int t = 0; t < 2; ++t) {
    b.thread(3);
    b.write(0, 1, 0, 1);
    b.read(1, 2, 0, {0});
    if (t == 0)
      b.group({2}), b.group({1, 2});
    else
      b.group({1, 2}), b.group({2});
  }
  SUBCASE("and so do targets name them") {
    b.target({3, 4}); // Both {2}.
    const auto group = found(b.automata);
    REQUIRE(group.size() == 2);
    CHECK(group[1].position == std::vector<std::vector<StateIndex>>(2, {0, 1, 2, 4, 3}));
  }
  SUBCASE("also if the target names different ones") {
    b.target({3, 3});
    CHECK(found(b.automata).size() == 1);
  }
}

TEST_CASE("the memory of targets is mapped too") {
  Automata automata = test::peterson();
  automata.targets = {{{4, 4}, {among(0, {1})}}};
  CHECK(found(automata).size() == 1);
  automata.targets.push_back({{4, 4}, {among(1, {1})}});
  CHECK(found(automata).size() == 2);
  for (Target& target : automata.targets) target.memory.push_back(among(2, {0}));
  CHECK(found(automata).size() == 1);
  automata.targets[1].memory[1] = among(2, {1});
  CHECK(found(automata).size() == 2);
}

TEST_CASE("atomic sections with several reads and writes are mapped in one piece") {
  AutomataBuilder b;
  for (int x = 0; x < 2; ++x) b.variable(2, {0});
  for (std::uint32_t t = 0; t < 2; ++t) {
    b.thread(2);
    b.step(0, 1, {Op::Kind::Atomic, {among(0, {t}), among(1, {1 - t})}, {{0, 1 - t}, {1, t}}});
  }
  b.target({1, 1});
  const auto group = found(b.automata);
  REQUIRE(group.size() == 2);
  CHECK(group[1].variable == std::vector<VariableIndex>{1, 0});
}

TEST_CASE("values that can change places by themselves are left where they are") {
  AutomataBuilder b;
  b.variable(3, {0});
  b.variable(3, {0});
  for (std::uint32_t t = 0; t < 2; ++t) {
    b.thread(2);
    for (std::uint32_t v = 1; v < 3; ++v) {
      b.write(0, 1, t, v);
      b.read(1, 0, 1 - t, {v});
    }
  }
  b.target({1, 1});
  const auto group = found(b.automata);
  REQUIRE(group.size() == 2);
  CHECK(group[1].value == std::vector<Values>{{0, 1, 2}, {0, 1, 2}});

  b.automata.threads[0].transitions.pop_back(); // Now only the values could change places.
  --b.automata.threads[0].own_transitions;
  CHECK(found(b.automata).size() == 1);
}

TEST_CASE("threads whose exchange must be done four times to be undone do not change places") {
  // x goes 0 -> 1 -> 2 -> 3 -> 0; one thread writes after even values, the other after odd ones.
  AutomataBuilder b;
  b.variable(4, {0, 1, 2, 3});
  for (std::uint32_t t = 0; t < 2; ++t) {
    b.thread(1);
    for (std::uint32_t v = t; v < 4; v += 2)
      b.step(0, 0, {Op::Kind::Atomic, {among(0, {v})}, {{0, (v + 1) % 4}}});
  }
  Automorphism turn = identity(b.automata);
  turn.thread = {1, 0};
  turn.value[0] = {1, 2, 3, 0};
  CHECK(is_automorphism(b.automata, turn));
  CHECK(found(b.automata).size() == 1);
}

TEST_CASE("one thread, or none, or nothing to do") {
  CHECK(found({}).size() == 1);
  AutomataBuilder b;
  b.thread(1);
  CHECK(found(b.automata).size() == 1);
  b.thread(1);
  CHECK(found(b.automata).size() == 2);
}

TEST_CASE("symmetric automata are so under other names") {
  std::mt19937 random(static_cast<std::uint32_t>(test::setting("WEIR_SEED", 1)));
  for (std::uint64_t i = 0; i < test::setting("WEIR_PROGRAMS", 20); ++i) {
    CAPTURE(i);
    const Automata few = test::peterson(), many = crowd(2 + static_cast<std::uint32_t>(i % 3));
    CHECK(found(renamed(few, renaming(few, random))).size() == 2);
    const std::size_t all = std::vector{2u, 6u, 24u}[i % 3];
    CHECK(found(renamed(many, renaming(many, random))).size() == all);
  }
}

TEST_CASE("two threads are found to change places just if trying all maps finds it") {
  std::mt19937 random(static_cast<std::uint32_t>(test::setting("WEIR_SEED", 1)));
  unsigned swapped = 0;
  const std::uint64_t programs = test::setting("WEIR_PROGRAMS", 200);
  for (std::uint64_t i = 0; i < programs; ++i) {
    CAPTURE(i);
    const Automata automata = random_pair(random);
    CAPTURE(print(automata));
    const bool expected = can_swap(automata);
    CHECK(found(automata).size() == (expected ? 2 : 1));
    swapped += expected;
  }
  CHECK(swapped > programs / 10);
  CHECK(swapped < programs * 9 / 10);
}

TEST_CASE("large automata are answered too, if only with the identity") {
  for (const std::uint32_t states : {3000u, 60'000u}) {
    AutomataBuilder b;
    b.variable(2, {0});
    for (int t = 0; t < 2; ++t) {
      b.thread(states);
      for (StateIndex s = 0; s + 1 < states; ++s) b.write(s, s + 1, 0, s % 2);
    }
    const auto group = automorphisms(b.automata);
    CHECK(group.front() == identity(b.automata));
    if (states == 3000) CHECK(group.size() == 2);
    CHECK(is_automorphism(b.automata, group.back()));
  }
}
