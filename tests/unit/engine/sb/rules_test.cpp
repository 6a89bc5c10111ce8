// The rules against the meaning of constraints, written down once more: all small configurations, their
// steps, and which of them a constraint stands for.

#include "engine/sb/predecessors.h"

#include "support/settings.h"

#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace weir::engine::sb {
namespace {

using namespace lower;

constexpr unsigned threads = 2, variables = 2, values = 2;
constexpr int none = -1;

struct Configuration {
  std::vector<std::array<int, variables>> messages;
  std::array<int, threads> pointers{};
  std::array<std::array<int, variables>, threads>
      owns{}; ///< positions right of the pointer, or none

  int last() const { return static_cast<int>(messages.size()) - 1; }
  int seen(unsigned p, VariableIndex x) const {
    const int at = owns[p][x] == none ? pointers[p] : owns[p][x];
    return messages[static_cast<std::size_t>(at)][x];
  }
};

/// The message at the pointer's right becomes memory for p.
std::optional<Configuration> update(Configuration c, unsigned p) {
  if (c.pointers[p] == c.last()) return std::nullopt;
  ++c.pointers[p];
  for (int& own : c.owns[p])
    if (own == c.pointers[p]) own = none;
  return c;
}

std::optional<Configuration> step(Configuration c, unsigned p, const Op& op) {
  if (op.kind == Op::Kind::Atomic && c.pointers[p] != c.last()) return std::nullopt;
  for (const Among& read : op.reads)
    if (!read.values[static_cast<std::size_t>(c.seen(p, read.variable))]) return std::nullopt;
  if (op.writes.empty()) return c;
  c.messages.push_back(c.messages.back());
  for (const Becomes& write : op.writes)
    c.messages.back()[write.variable] = static_cast<int>(write.value);
  if (op.kind == Op::Kind::Write)
    c.owns[p][op.writes[0].variable] = c.last();
  else
    c.pointers[p] = c.last();
  return c;
}

/// Adds all configurations that differ from `c` in the own stores from number k on.
void choose_owns(Configuration c, unsigned k, std::vector<Configuration>& out) {
  if (k == threads * variables) return out.push_back(c);
  const unsigned p = k / variables, x = k % variables;
  c.owns[p][x] = none;
  choose_owns(c, k + 1, out);
  for (int i = c.pointers[p] + 1; i <= c.last(); ++i) {
    bool taken = false;
    for (unsigned other = 0; other < k; ++other)
      taken = taken || c.owns[other / variables][other % variables] == i;
    if (taken) continue;
    c.owns[p][x] = i;
    choose_owns(c, k + 1, out);
  }
}

std::vector<Configuration> all_configurations(int most_messages) {
  std::vector<Configuration> out;
  for (int n = 1; n <= most_messages; ++n)
    for (int bits = 0; bits < 1 << (2 * n); ++bits)
      for (int first = 0; first < n; ++first)
        for (int second = 0; second < n; ++second) {
          Configuration c;
          for (int i = 0; i < n; ++i)
            c.messages.push_back({bits >> (2 * i) & 1, bits >> (2 * i + 1) & 1});
          c.pointers = {first, second};
          choose_owns(c, 0, out);
        }
  return out;
}

struct Rules {
  Rules(const Op& op) : automata(make(op)), model(automata) {}

  /// Thread 0 may do `op` from state 0 to state 1; any store may be pending in state 0.
  static Automata make(const Op& op) {
    Automata out;
    ValueSet any;
    for (unsigned v = 0; v < values; ++v) any.set(v);
    for (unsigned x = 0; x < variables; ++x)
      out.variables.push_back({std::string(1, static_cast<char>('x' + x)), {"0", "1"}, any});
    Automaton thread{"t", 2, {}, {true, false}, {false, false}, {{0, 1, op}}, 0};
    for (unsigned x = 0; x < variables; ++x)
      for (unsigned v = 0; v < values; ++v)
        thread.transitions.push_back({0, 0, {Op::Kind::Write, {}, {{x, v}}}});
    thread.own_transitions = static_cast<std::uint32_t>(thread.transitions.size());
    out.threads = {thread, thread};
    return out;
  }

  std::vector<Constraint> predecessors(const Constraint& after) {
    std::vector<Predecessor> all;
    find_predecessors(model, after, all);
    std::vector<Constraint> out;
    for (const Predecessor& each : all)
      if (each.step.thread == 0 && each.step.transition == 0) out.push_back(each.before);
    return out;
  }

  bool is_inside(const Constraint& constraint, Position i, const Configuration& c, int k) const {
    const auto& message = c.messages[static_cast<std::size_t>(k)];
    for (unsigned x = 0; x < variables; ++x)
      if (!model.sets[constraint.set(i, x)][static_cast<std::size_t>(message[x])]) return false;
    return true;
  }

  /// Whether the constraint stands for the configuration, with messages before i mapped as in `map`
  /// and the others to those from `least` on.
  bool holds(const Constraint& constraint, const Configuration& c, std::vector<int>& map,
             Position i, int least) const {
    if (i == constraint.length) return least == c.last() && fits(constraint, c, map);
    for (int k = least; k <= c.last(); ++k) {
      map[i] = k;
      if (is_inside(constraint, i, c, k) && holds(constraint, c, map, i + 1, k)) return true;
    }
    return false;
  }
  bool holds(const Constraint& constraint, const Configuration& c) const {
    std::vector<int> map(constraint.length);
    return holds(constraint, c, map, 0, 0);
  }

  static bool fits(const Constraint& constraint, const Configuration& c,
                   const std::vector<int>& map) {
    for (unsigned p = 0; p < threads; ++p) {
      if (c.pointers[p] > map[constraint.pointers[p]]) return false;
      for (unsigned x = 0; x < variables; ++x) {
        const Own& own = constraint.own(p, x);
        const int at = map[own.position];
        if (own.is_exact ? c.owns[p][x] != at : c.owns[p][x] > at) return false;
      }
    }
    return true;
  }

  Automata automata;
  Model model;
};

class Chooser {
public:
  explicit Chooser(std::uint64_t seed) : random_(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  ValueSet some_values() {
    ValueSet set;
    const unsigned bits = below(2) == 0 ? 3 : 1 + below(2);
    for (unsigned v = 0; v < values; ++v) set[v] = bits >> v & 1;
    return set;
  }

  Op op() {
    const VariableIndex x = below(variables);
    const unsigned kind = below(10);
    if (kind < 4) return {Op::Kind::Read, {{x, ValueSet{1u << below(values)}}}, {}};
    if (kind < 7) return {Op::Kind::Write, {}, {{x, below(values)}}};
    Op out{Op::Kind::Atomic, {}, {}};
    for (VariableIndex y = 0; y < variables; ++y) {
      if (below(2)) out.reads.push_back({y, ValueSet{1u << below(values)}});
      if (kind > 7 && below(2)) out.writes.push_back({y, below(values)});
    }
    return out;
  }

  Constraint constraint(Model& model) {
    std::vector<Sets::Id> message(variables);
    const auto fill = [&] {
      for (Sets::Id& set : message) set = model.sets.id(some_values());
    };
    fill();
    Constraint out({1, 0}, message);
    for (unsigned more = below(3); more > 0; --more) {
      fill();
      out.insert(below(out.length), message);
    }
    std::vector<bool> taken(out.length);
    for (ThreadIndex p = 0; p < threads; ++p) {
      out.pointers[p] = below(out.length);
      for (VariableIndex x = 0; x < variables; ++x) {
        const Position at = out.pointers[p] + below(out.length - out.pointers[p]);
        const bool is_exact = below(3) == 0 && !taken[at];
        out.own(p, x) = {below(3) == 0 && !is_exact ? out.length - 1 : at, is_exact};
        if (is_exact) taken[at] = true;
      }
    }
    return out;
  }

private:
  std::mt19937_64 random_;
};

/// `c`, and `c` with one message twice: nobody can tell the difference (README.md).
std::vector<Configuration> stuttered(const Configuration& c) {
  std::vector<Configuration> out{c};
  for (int k = 0; k <= c.last(); ++k)
    for (int own_moves = 0; own_moves < 2; ++own_moves) {
      Configuration twice = c;
      twice.messages.insert(twice.messages.begin() + k, c.messages[static_cast<std::size_t>(k)]);
      for (int& pointer : twice.pointers) pointer += pointer > k;
      for (auto& owns : twice.owns)
        for (int& own : owns) own += own > k || (own == k && own_moves);
      out.push_back(std::move(twice));
    }
  return out;
}

/// Whether thread 0 can get from `c` into the constraint by flushes and `op`.
bool leads_into(const Rules& rules, const Constraint& after, const Op& op, const Configuration& c) {
  for (const Configuration& start : stuttered(c))
    for (std::optional<Configuration> now = start; now; now = update(*now, 0))
      if (const auto then = step(*now, 0, op); then && rules.holds(after, *then)) return true;
  return false;
}

std::string text(const Rules& rules, const Constraint& c) {
  std::string out;
  for (Position i = 0; i < c.length; ++i) {
    out += "[";
    for (VariableIndex x = 0; x < variables; ++x)
      out += rules.model.sets[c.set(i, x)].to_string().substr(most_values - values) + " ";
    for (ThreadIndex p = 0; p < threads; ++p) {
      if (c.pointers[p] == i) out += "p" + std::to_string(p) + " ";
      for (VariableIndex x = 0; x < variables; ++x)
        if (c.own(p, x).position == i)
          out += (c.own(p, x).is_exact ? "own" : "upto") + std::to_string(p) + "xy"[x] + " ";
    }
    out += "]";
  }
  return out;
}

} // namespace

TEST_CASE("predecessors are all that leads into a constraint and nothing else") {
  const std::uint64_t first = test::setting("WEIR_SEED", 1);
  const std::uint64_t count = test::setting("WEIR_PROGRAMS", 400);
  const auto all = all_configurations(3);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Chooser chooser(seed);
    const Op op = chooser.op();
    Rules rules(op);
    const Constraint after = chooser.constraint(rules.model);
    const auto before = rules.predecessors(after);
    unsigned missing = 0, wrong = 0;
    for (const Configuration& c : all) {
      bool is_inside = false;
      for (const Constraint& each : before) is_inside = is_inside || rules.holds(each, c);
      const auto then = step(c, 0, op);
      missing += then && rules.holds(after, *then) && !is_inside;
      wrong += is_inside && !leads_into(rules, after, op, c);
    }
    INFO("seed " << seed << "\n" << print(rules.automata) << text(rules, after));
    CHECK(missing == 0);
    CHECK(wrong == 0);
  }
}

TEST_CASE("what flushes into a constraint is in it") {
  const std::uint64_t count = test::setting("WEIR_PROGRAMS", 400) / 4;
  const auto all = all_configurations(3);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    Chooser chooser(seed);
    Rules rules({});
    const Constraint constraint = chooser.constraint(rules.model);
    unsigned missing = 0;
    for (const Configuration& c : all)
      for (unsigned p = 0; p < threads; ++p)
        if (const auto then = update(c, p); then && rules.holds(constraint, *then))
          missing += !rules.holds(constraint, c);
    INFO("seed " << seed << " " << text(rules, constraint));
    CHECK(missing == 0);
  }
}

TEST_CASE("what a constraint includes is in it") {
  const std::uint64_t first = test::setting("WEIR_SEED", 1);
  const std::uint64_t count = test::setting("WEIR_PROGRAMS", 400) * 25;
  const auto all = all_configurations(3);
  unsigned included = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Chooser chooser(seed);
    Rules rules({});
    const Constraint wide = chooser.constraint(rules.model);
    const Constraint narrow = chooser.constraint(rules.model);
    if (!includes(rules.model.sets, wide, narrow)) continue;
    ++included;
    const auto signature = rules.model.signature(wide);
    CHECK((signature & ~rules.model.signature(narrow)) == 0);
    unsigned missing = 0;
    for (const Configuration& c : all) missing += rules.holds(narrow, c) && !rules.holds(wide, c);
    INFO("seed " << seed << " " << text(rules, wide) << " " << text(rules, narrow));
    CHECK(missing == 0);
  }
  CHECK(included > count / 200);
}

} // namespace weir::engine::sb
