#include "engine/sb/sb.h"

#include "support/automata_reference.h"
#include "support/random_automata.h"
#include "support/settings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <sstream>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::lower;

namespace {

// Automata as text. Variables "x y:01": values 0, 1, 2; initially 0, or those named. A thread is a
// list of "op" (one after the other) or "from to op"; its states are numbered from 0. Ops: `nop`,
// `r x 01` (reads 0 or 1), `w x 1`, and atomically `a` (a fence), `a x=01 y:=1`.

VariableIndex variable(const Automata& automata, const std::string& name) {
  for (VariableIndex x = 0; x < automata.variables.size(); ++x)
    if (automata.variables[x].name == name) return x;
  FAIL("no variable " << name);
  return 0;
}

ValueSet values(const std::string& digits) {
  ValueSet set;
  for (const char digit : digits) set.set(static_cast<std::size_t>(digit - '0'));
  return set;
}

std::vector<Variable> variables(const std::string& text) {
  std::vector<Variable> out;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const auto colon = word.find(':');
    const std::string initial = colon == std::string::npos ? "0" : word.substr(colon + 1);
    out.push_back({word.substr(0, colon), {"0", "1", "2"}, values(initial)});
  }
  return out;
}

Op operation(const Automata& automata, std::istringstream& in) {
  std::string word, name, value;
  in >> word;
  if (word == "nop") return {};
  if (word == "r" || word == "w") {
    in >> name >> value;
    const VariableIndex x = variable(automata, name);
    if (word == "r") return {Op::Kind::Read, {{x, values(value)}}, {}};
    return {Op::Kind::Write, {}, {{x, static_cast<std::uint32_t>(value[0] - '0')}}};
  }
  REQUIRE(word == "a");
  Op op{Op::Kind::Atomic, {}, {}};
  while (in >> word) {
    const auto equals = word.find('=');
    const VariableIndex x = variable(automata, word.substr(0, word.find_first_of(":=")));
    const std::string what = word.substr(equals + 1);
    if (word[equals - 1] == ':')
      op.writes.push_back({x, static_cast<std::uint32_t>(what[0] - '0')});
    else
      op.reads.push_back({x, values(what)});
  }
  return op;
}

Automaton thread(const Automata& automata, const std::string& text) {
  Automaton out;
  std::istringstream lines(text);
  StateIndex next = 0;
  for (std::string line; std::getline(lines, line, ';');) {
    std::istringstream in(line);
    Transition t{next, next + 1, {}};
    in >> std::ws;
    if (std::isdigit(in.peek())) in >> t.from >> t.to;
    t.op = operation(automata, in);
    next = t.to;
    out.states = std::max({out.states, t.from + 1, t.to + 1});
    out.transitions.push_back(std::move(t));
  }
  out.own_transitions = static_cast<std::uint32_t>(out.transitions.size());
  out.initial.assign(out.states, false);
  out.initial[0] = true;
  out.holds_section.assign(out.states, false);
  return out;
}

/// The target is the last state of each thread.
Automata automata(const std::string& variable_text, const std::vector<std::string>& threads) {
  Automata out;
  out.variables = variables(variable_text);
  out.targets.emplace_back();
  for (const std::string& text : threads) {
    out.threads.push_back(thread(out, text));
    out.targets[0].at.push_back(out.threads.back().states - 1);
  }
  return out;
}

struct Asked {
  Reachability answer;
  Statistics statistics;
};

Asked ask(const Automata& a, std::uint64_t most_stored, double seconds) {
  std::atomic<bool> interrupted = false;
  SearchOptions options;
  options.limits.seconds = seconds;
  options.limits.interrupted = &interrupted;
  options.progress = [&](const Statistics& s) { interrupted = s.states > most_stored; };
  Asked asked;
  asked.answer = engine::check_single_buffer(a, options, asked.statistics);
  return asked;
}

std::string answer(const Automata& a) {
  const Asked asked = ask(a, 1'000'000, 60);
  if (std::getenv("WEIR_SHOW"))
    MESSAGE(asked.statistics.states << " constraints, " << asked.statistics.transitions
                                    << " predecessors, " << asked.statistics.seconds << " s");
  if (const auto* reached = std::get_if<Reached>(&asked.answer)) {
    CHECK(test::replay(a, *reached) == "");
    return "reached";
  }
  if (const auto* gave_up = std::get_if<GaveUp>(&asked.answer)) return gave_up->reason;
  return "unreachable";
}

/// Checks the answer also against all runs.
void check(const Automata& a, const std::string& expected) {
  INFO(print(a));
  CHECK(answer(a) == expected);
  const auto explored = test::reaches_target(a, 6, 1'000'000);
  REQUIRE(explored);
  CHECK(explored->reached == (expected == "reached"));
}

} // namespace

TEST_CASE("store buffering: both loads may pass the stores, unless there are fences") {
  check(automata("x y", {"w x 1; r y 0", "w y 1; r x 0"}), "reached");
  check(automata("x y", {"w x 1; a; r y 0", "w y 1; r x 0"}), "reached");
  check(automata("x y", {"w x 1; a; r y 0", "w y 1; a; r x 0"}), "unreachable");
  check(automata("x y", {"a x:=1; r y 0", "a y:=1; r x 0"}), "unreachable");
  check(automata("x y", {"a x:=1; r y 0", "w y 1; r x 0"}), "reached");
}

TEST_CASE("message passing: stores reach memory in order, and loads are not reordered") {
  check(automata("x y", {"w x 1; w y 1", "r y 1; r x 0"}), "unreachable");
  check(automata("x y", {"w x 1; w y 1", "r x 0; r y 1"}), "reached");
  check(automata("x y", {"w x 1", "w y 1", "r x 1; r y 0", "r y 1; r x 0"}), "unreachable");
}

TEST_CASE("a thread sees its newest pending store, others see what has reached memory") {
  check(automata("x", {"w x 1; r x 0", "nop"}), "unreachable");
  check(automata("x", {"w x 1; w x 2; r x 1", "nop"}), "unreachable");
  check(automata("x", {"w x 1; r x 2", "w x 2"}), "reached");
  check(automata("x", {"w x 1; r x 2; r x 1", "w x 2"}), "unreachable");
  check(automata("x y", {"w x 1; r x 1; r y 0", "w y 1; r y 1; r x 0"}), "reached");
  check(automata("x y", {"w x 1; w y 1; r x 1; r y 1", "r x 0; r y 0; r x 0"}), "reached");
  check(automata("x y", {"w x 1; w y 1; a", "r y 1; r x 0"}), "unreachable");
}

TEST_CASE("an own store may lie anywhere among the others' messages") {
  // own-split: reached only if the store to x reaches memory between two reads of q.
  check(automata("x y z u", {"w x 1; w y 1; r x 1; r u 0; r z 1",
                             "w u 1; a; r x 0; r x 1; w z 1; w z 2; a; r y 0"}),
        "reached");
}

TEST_CASE(
    "a pending store stays pending over reads and idle steps, in whatever order they are listed") {
  check(automata("x y", {"w x 1; r x 1; r x 1; r y 0", "w y 1; r y 1; r y 1; r x 0"}), "reached");
  check(automata("x y", {"2 3 r x 1; 1 2 nop; 0 1 w x 1; 3 4 r y 0",
                         "2 3 r y 1; 1 2 nop; 0 1 w y 1; 3 4 r x 0"}),
        "reached");
  check(automata("x y z", {"w y 2; w y 2; r z 0", "w z 2; w z 1; r y 01"}), "reached");
}

TEST_CASE(
    "what a thread saw may have been gone when another saw what comes later in its constraint") {
  // p's read is the first of all, though p's store and q's come long after what q sees.
  check(automata("x y", {"r y 0; w x 1", "w x 2; r y 1", "r x 1; r x 2", "w y 1; w y 2; a; r x 0"}),
        "reached");
}

TEST_CASE("two reads of overlapping sets may see one value or two") {
  // set-overlap
  check(automata("x y z", {"w z 1; r x 01; r x 12; w y 1", "w x 2; a; r z 0; r y 1; w x 1"}),
        "reached");
}

TEST_CASE("there is one initial value, whichever it is") {
  check(automata("x:01", {"r x 0", "r x 1"}), "unreachable");
  check(automata("x:01 y:12", {"r x 1; r y 2", "r x 1; r y 12"}), "reached");
  check(automata("x:01", {"r x 0; r x 1; r x 0", "w x 1"}), "unreachable");
}

TEST_CASE("a fence waits for every own store, an Atomic also reads and writes at once") {
  check(automata("x y", {"w x 1; w y 1; a; r x 0", "w x 0"}), "reached");
  check(automata("x", {"a x=0 x:=1", "a x=0 x:=1"}), "unreachable");
  check(automata("x", {"a x=0 x:=1", "a x=01 x:=2"}), "reached");
  check(automata("x y", {"a x=0 y=0 x:=1 y:=1", "r x 1; r y 0"}), "unreachable");
  check(automata("x y", {"a x:=1 y:=1", "r y 1; r x 1; r y 0"}), "unreachable");
  check(automata("x y", {"a x=0 y=0 x:=1", "a x=0 y=0 y:=1"}), "unreachable");
  check(automata("x y", {"w y 1; a x=0 y=1 x:=2", "r x 2; a y=0"}), "unreachable");
  check(automata("x y", {"w y 1; a x=0", "a x=0 x:=1; r y 0; a y=1"}), "unreachable");
  check(automata("x y", {"w y 1; a x=1", "a x=0 x:=1; r y 0; a y=1"}), "reached");
}

TEST_CASE("a loop may fill the buffer as far as it likes") {
  Automata a =
      automata("x y z", {"0 0 w x 1; 0 0 w x 2; 0 1 w y 1; 1 2 r z 1",
                         "r y 0; w z 1; a; r x 0; r x 1; r x 2; r x 1; r x 2; r x 1; r y 1"});
  CHECK(answer(a) == "reached");
  a = automata("x y", {"0 0 w x 1; 0 0 w x 2; 0 1 w y 1", "r y 1; r x 1; r x 2"});
  CHECK(answer(a) == "unreachable");
}

namespace {

/// Two threads with flags x, y and a turn z; they are inside at state `inside`.
Automata exclusion(const std::string& first, const std::string& second, StateIndex inside) {
  Automata a = automata("x y z", {first, second});
  a.targets[0].at = {inside, inside};
  return a;
}

} // namespace

TEST_CASE("Dekker's flags alone: exclusive with fences only") {
  const auto text = [](std::string mine, std::string other, std::string fence) {
    return "0 1 w " + mine + " 1; 1 2 " + fence + "; 2 3 r " + other + " 0; 2 4 r " + other +
           " 1; 4 0 w " + mine + " 0; 3 0 w " + mine + " 0";
  };
  check(exclusion(text("x", "y", "nop"), text("y", "x", "nop"), 3), "reached");
  check(exclusion(text("x", "y", "a"), text("y", "x", "nop"), 3), "reached");
  CHECK(answer(exclusion(text("x", "y", "a"), text("y", "x", "a"), 3)) == "unreachable");
}

TEST_CASE("Peterson's algorithm: exclusive with fences only") {
  const auto text = [](std::string mine, std::string other, std::string me, std::string fence) {
    const std::string they = me == "0" ? "1" : "0";
    return "0 1 w " + mine + " 1; 1 2 w z " + they + "; 2 3 " + fence + "; 3 4 r " + other +
           " 1; 3 5 r " + other + " 0; 4 3 r z " + they + "; 4 5 r z " + me + "; 5 0 w " + mine +
           " 0";
  };
  CHECK(answer(exclusion(text("x", "y", "0", "nop"), text("y", "x", "1", "nop"), 5)) == "reached");
  CHECK(answer(exclusion(text("x", "y", "0", "a"), text("y", "x", "1", "nop"), 5)) == "reached");
  CHECK(answer(exclusion(text("x", "y", "0", "a"), text("y", "x", "1", "a"), 5)) == "unreachable");
}

TEST_CASE("targets with memory: what is there once all stores have reached memory") {
  Automata a = automata("x y", {"w x 1; w y 1", "w x 2"});
  a.targets[0].memory = {{0, values("1")}, {1, values("1")}};
  check(a, "reached");
  a.targets[0].memory = {{0, values("0")}};
  check(a, "unreachable");
  a.targets[0].memory = {{1, values("0")}};
  check(a, "unreachable");
  a = automata("x y", {"w x 1; r y 0", "w y 1; r x 0"});
  a.targets[0].memory = {{0, values("1")}, {1, values("1")}};
  check(a, "reached");
  a.targets[0].memory = {{0, values("1")}, {1, values("0")}};
  check(a, "unreachable");
}

TEST_CASE("groups: anywhere in states that are never left") {
  Automata a = automata("x y", {"r x 1; w y 1; w y 2", "w x 1; a; r y 0"});
  test::add_group(a.threads[0], {false, true, false, false});
  a.targets[0].at[0] = a.threads[0].states;
  check(a, "reached");
  // The other thread sees what a thread writes inside its group.
  a = automata("x y", {"r x 1; w y 1; w y 2", "w x 1; a; r y 2"});
  test::add_group(a.threads[0], {false, true, false, false});
  a.targets[0].at[0] = a.threads[0].states;
  check(a, "reached");
  a = automata("x y", {"r x 1; w y 1; w y 2", "r y 1; w x 1"});
  test::add_group(a.threads[0], {false, true, false, false});
  a.targets[0].at[0] = a.threads[0].states;
  check(a, "unreachable");
  a.targets[0].at = {a.threads[0].states, 0};
  check(a, "unreachable");
  test::add_group(a.threads[0], {true, true, true, true});
  a.targets[0].at = {a.threads[0].states + 1, 0};
  check(a, "reached");
}

TEST_CASE("groups: a target at a small group says nothing about one at a larger") {
  Automata a = automata("x", {"0 1 nop; 1 2 r x 2", "w x 1"});
  test::add_group(a.threads[0], {false, false, true});
  test::add_group(a.threads[0], {false, true, true});
  a.targets = {{{a.threads[0].states, 1}, {}}, {{a.threads[0].states + 1, 1}, {}}};
  check(a, "reached");
  a.targets.pop_back();
  check(a, "unreachable");
  a = automata("x", {"nop; a x:=1", "r x 1"});
  test::add_group(a.threads[0], {false, true, false});
  a.targets[0].at[0] = a.threads[0].states;
  check(a, "reached");
}

TEST_CASE("nothing happens while a thread is inside a section") {
  const auto inside = [](const std::string& first, const std::string& second) {
    Automata a = automata("x y", {first, second});
    a.threads[0].holds_section.back() = true;
    return a;
  };
  // The other thread's store is still pending when the section is entered, and stays so.
  check(inside("a x=0", "w x 1; r y 0"), "reached");
  check(inside("a x=0 x:=2", "w x 1; r y 0"), "reached");
  check(inside("a x=0", "w x 1; a"), "unreachable");
  check(inside("a x:=1", "r x 1"), "unreachable");
  check(inside("w y 1; a x=1", "w x 1; r y 0; r y 1"), "reached");
  check(inside("w y 1; a x=0", "w x 1; r y 0; r y 1; r x 0"), "unreachable");
  check(inside("w x 1; a x=1", "r x 0; w x 2; r x 2"), "reached");
  // Memory is what the entry leaves there, if no store is pending.
  Automata a = inside("a x=0 x:=2", "w y 1; r x 0");
  a.targets[0].memory = {{0, values("2")}, {1, values("1")}};
  check(a, "reached");
  a.targets[0].memory = {{0, values("2")}, {1, values("0")}};
  check(a, "unreachable");
  a.targets[0].memory = {{0, values("0")}};
  check(a, "unreachable");
  // Two threads cannot both be inside.
  a = inside("a", "a");
  a.threads[1].holds_section.back() = true;
  check(a, "unreachable");
}

TEST_CASE("threads without variables, and variables without threads") {
  check(automata("", {"nop; a", "a"}), "reached");
  Automata a = automata("x:01", {});
  a.targets[0].memory = {{0, values("1")}};
  check(a, "reached");
  a.targets[0].memory = {{0, values("2")}};
  check(a, "unreachable");
}

TEST_CASE("any of several targets will do") {
  Automata a = automata("x", {"r x 1; r x 2", "w x 1"});
  a.targets.push_back({{1, 1}, {}});
  check(a, "reached");
  a.targets.clear();
  check(a, "unreachable");
}

TEST_CASE("limits end the search with a reason") {
  const Automata a = automata("x y", {"w x 1; a; r y 0", "w y 1; a; r x 0"});
  std::atomic<bool> interrupted = true;
  SearchOptions options;
  Statistics statistics;
  options.limits.interrupted = &interrupted;
  auto answer = engine::check_single_buffer(a, options, statistics);
  CHECK(std::get<GaveUp>(answer).reason == "interrupted");
  CHECK(statistics.states == 1);
  options.limits = {{}, 100, nullptr};
  answer = engine::check_single_buffer(a, options, statistics);
  CHECK(std::get<GaveUp>(answer).reason == "the memory limit of 0 MB is reached");
}

namespace {

/// How often what was answered, for a look at whether the random automata are worth anything.
struct Tally {
  unsigned reached = 0, unreachable = 0, gave_up = 0, compared = 0;
};

void agree(const Automata& a, Tally& tally) {
  const Asked asked = ask(a, 3000, 0.5);
  if (const auto* reached = std::get_if<Reached>(&asked.answer)) {
    ++tally.reached;
    CHECK(test::replay(a, *reached) == "");
  }
  if (std::holds_alternative<GaveUp>(asked.answer)) {
    ++tally.gave_up;
    return;
  }
  const auto explored = test::reaches_target(a, 4, 20'000);
  if (!explored) return;
  ++tally.compared;
  if (std::holds_alternative<Unreachable>(asked.answer)) {
    ++tally.unreachable;
    CHECK_FALSE(explored->reached);
  } else if (explored->is_complete)
    CHECK(explored->reached);
}

} // namespace

namespace {

template <class Make> Tally agree_on_many(Make make) {
  const std::uint64_t first = test::setting("WEIR_SEED", 1);
  const std::uint64_t count = test::setting("WEIR_PROGRAMS", 400);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Automata a = make(seed);
    INFO("seed " << seed << "\n" << print(a));
    agree(a, tally);
  }
  if (std::getenv("WEIR_SHOW"))
    MESSAGE(tally.reached << " reached, " << tally.unreachable << " unreachable, " << tally.gave_up
                          << " given up, " << tally.compared << " compared with all runs");
  CHECK(tally.gave_up < count / 10);
  return tally;
}

} // namespace

TEST_CASE("random automata: the answer is that of all runs") {
  const Tally tally = agree_on_many([](std::uint64_t seed) { return test::random_automata(seed); });
  CHECK(tally.reached > tally.compared / 10);
  CHECK(tally.unreachable > tally.compared / 10);
}

TEST_CASE("random runs and near misses: the answer is that of all runs") {
  const Tally tally =
      agree_on_many([](std::uint64_t seed) { return test::automata_of_random_run(seed); });
  CHECK(tally.reached > tally.compared / 2);
  CHECK(tally.unreachable > 0);
}
