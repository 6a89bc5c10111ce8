#include "engine/dual/dual.h"

#include "base/invariant.h"
#include "engine/dual/predecessors.h"
#include "engine/dual/schedule.h"
#include "engine/dual/store.h"
#include "engine/dual/symmetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>

namespace weir::engine {

using namespace lower;

namespace dual {
namespace {

template <class Set> class Search {
public:
  Search(const Automata& automata, const DualOptions& options, Symmetry<Set> symmetry)
      : automata_(automata), options_(options), symmetry_(std::move(symmetry)),
        rules_(symmetry_.closed(automata), options.own_values, options.last_values),
        store_(automata, options.signatures, options.removes, options.lightest_first),
        started_(std::chrono::steady_clock::now()) {
    for (const Variable& variable : automata.variables)
      initial_.push_back(set_of<Set>(variable.initial));
    for (ThreadIndex t = 0; t < automata.threads.size(); ++t) {
      const Automaton& thread = automata.threads[t];
      auto& into = into_.emplace_back(thread.size());
      for (std::uint32_t i = 0; i < thread.transitions.size(); ++i)
        into[thread.transitions[i].to].push_back(rule(t, i, thread.transitions[i]));
    }
  }

  /// Called again, it goes on where it gave up.
  DualAnswer run(NodeIndex most) {
    most_ = most;
    DualAnswer answer;
    try {
      answer.reachability = search();
      if (options_.wants_certificate && std::holds_alternative<Unreachable>(answer.reachability))
        write_certificate(answer.certificate);
    } catch (const std::bad_alloc&) {
      answer.reachability = GaveUp{"the machine has no more memory"};
    }
    answer.statistics = statistics();
    return answer;
  }

private:
  static Rule<Set> rule(ThreadIndex t, std::uint32_t i, const Transition& transition) {
    Rule<Set> result{t, i, transition.from, transition.op.kind};
    for (const Among& read : transition.op.reads)
      result.reads.push_back({read.variable, set_of<Set>(read.values)});
    result.writes = transition.op.writes;
    return result;
  }

  Reachability search() {
    if (next_target_ < automata_.targets.size())
      if (const auto reason = add_targets()) return GaveUp{*reason};
    Constraint<Set> after;
    while (!found_) {
      if (const auto reason = limit_reached()) return GaveUp{*reason};
      const auto node = store_.pop();
      if (!node) return Unreachable{};
      store_.unpack(*node, after);
      expand(after, *node);
    }
    return run_found();
  }

  /// None if it contradicts what is always so.
  std::optional<Constraint<Set>> constraint_of(const Target& target) const {
    Constraint<Set> c;
    c.at = target.at;
    for (VariableIndex x = 0; x < automata_.variables.size(); ++x)
      c.memory.push_back(rules_.full(x));
    for (const Among& among : target.memory)
      c.memory[among.variable] = both(c.memory[among.variable], set_of<Set>(among.values));
    c.buffers.resize(automata_.threads.size());
    if (std::any_of(c.memory.begin(), c.memory.end(), [](const Set& s) { return is_empty(s); }) ||
        !rules_.narrow(c))
      return std::nullopt;
    return c;
  }

  /// A limit that was met meanwhile, if one was.
  std::optional<std::string> add_targets() {
    for (; next_target_ < automata_.targets.size() && !found_; ++next_target_) {
      if (auto reason = limit_reached()) return reason;
      if (const auto c = constraint_of(automata_.targets[next_target_])) insert(*c, no_node);
    }
    return std::nullopt;
  }

  void insert(const Constraint<Set>& c, NodeIndex parent) {
    ++looked_at_;
    const std::size_t map = symmetry_.least(c.at);
    if (map != 0) Symmetry<Set>::apply(symmetry_[map], c, least_);
    const Constraint<Set>& stored = map == 0 ? c : least_;
    const auto node = store_.insert(stored, parent);
    if (!node) return;
    if (symmetry_.size() > 1) map_.push_back(static_cast<std::uint16_t>(map));
    for (std::size_t m = 0; m < symmetry_.size() && !found_; ++m)
      if (is_initial_image(stored, m)) found_.emplace(*node, m);
  }

  bool is_initial_image(const Constraint<Set>& c, std::size_t map) {
    if (map == 0) return is_initial(c);
    for (ThreadIndex t = 0; t < c.at.size(); ++t) // most are not: look before making it
      if (!automata_.threads[t].initial[c.at[t]]) return false;
    Symmetry<Set>::apply(symmetry_[map], c, image_);
    return is_initial(image_);
  }

  /// How many threads hold the section, and one of them.
  std::pair<std::size_t, ThreadIndex> holders(const std::vector<StateIndex>& at) const {
    std::pair<std::size_t, ThreadIndex> result{0, 0};
    for (ThreadIndex t = 0; t < at.size(); ++t)
      if (automata_.threads[t].holds_section[at[t]]) result = {result.first + 1, t};
    return result;
  }

  /// Calls visit(predecessor, step) for all predecessors; stops when it returns true.
  template <class Visit> void for_each_predecessor(const Constraint<Set>& after, Visit&& visit) {
    const auto [holding, holder] = holders(after.at);
    if (holding > 1) return;
    bool done = false;
    for (ThreadIndex t = 0; t < after.at.size() && !done; ++t) {
      for (const Rule<Set>& rule : into_[t][after.at[t]]) {
        // While a thread is in a section the others do nothing and get to know nothing; but one
        // that is behind, with stores pending, may still do here what under TSO it has done before.
        if (holding == 1 && t != holder && rule.kind == Op::Kind::Atomic) continue;
        rules_.find(after, rule, [&](const Constraint<Set>& before, bool reads_own) {
          done = done || visit(before, PathStep{t, rule.transition, reads_own});
        });
        if (done) return;
      }
      if (holding > 0 || after.buffers[t].messages.empty()) continue;
      const VariableIndex x = after.buffers[t].messages.front().variable;
      rules_.find_propagation(after, t, [&](const Constraint<Set>& before) {
        done = done || visit(before, PathStep{t, PathStep::none, false, x});
      });
    }
  }

  void expand(const Constraint<Set>& after, NodeIndex node) {
    for_each_predecessor(after, [&](const Constraint<Set>& before, const PathStep&) {
      insert(before, node);
      return found_.has_value();
    });
  }

  bool is_initial(const Constraint<Set>& c) const {
    for (ThreadIndex t = 0; t < c.at.size(); ++t) {
      const LoadBuffer<Set>& buffer = c.buffers[t];
      if (!automata_.threads[t].initial[c.at[t]] || !buffer.own.empty() || !buffer.messages.empty())
        return false;
    }
    for (VariableIndex x = 0; x < c.memory.size(); ++x)
      if (is_empty(both(c.memory[x], initial_[x]))) return false;
    return true;
  }

  // ---- the way from a constraint to its target ------------------------------------------------

  /// The target that the constraint is of.
  std::uint32_t target_of(const Constraint<Set>& wanted) {
    for (std::uint32_t i = 0; i < automata_.targets.size(); ++i)
      if (const auto c = constraint_of(automata_.targets[i]); c && is_same(*c, wanted)) return i;
    invariant(false, "a path should end in a target");
    return 0;
  }

  bool is_same(const Constraint<Set>& a, const Constraint<Set>& b) {
    pack(a, packed_[0]);
    pack(b, packed_[1]);
    return a.at == b.at && packed_[0] == packed_[1];
  }

  /// The path forwards, from an initial configuration to a target. Each constraint is stored as its
  /// least image; `frame` maps what is stored to where the path is.
  Reached run_found() {
    auto [node, map] = *found_;
    lower::Automorphism frame = symmetry_[map];
    Constraint<Set> stored, before, after;
    store_.unpack(node, stored);
    Symmetry<Set>::apply(frame, stored, before);
    Path path;
    for (VariableIndex x = 0; x < before.memory.size(); ++x) {
      std::uint32_t value = 0;
      while (!has(both(before.memory[x], initial_[x]), value)) ++value;
      path.initial.push_back(value);
    }
    for (; store_.parent(node) != no_node; node = store_.parent(node)) {
      if (symmetry_.size() > 1) frame = lower::composed(symmetry_[map_[node]], frame);
      store_.unpack(store_.parent(node), stored);
      Symmetry<Set>::apply(frame, stored, after);
      path.steps.push_back(step_between(before, after));
      before = after;
    }
    return {target_of(before), schedule(automata_, path)};
  }

  /// Which predecessor it was is not stored but found again.
  PathStep step_between(const Constraint<Set>& before, const Constraint<Set>& after) {
    std::optional<PathStep> result;
    for_each_predecessor(after, [&](const Constraint<Set>& c, const PathStep& step) {
      if (is_same(c, before)) result = step;
      return result.has_value();
    });
    invariant(result.has_value(), "a constraint should be a predecessor of its parent");
    return *result;
  }

  // ---- the certificate ------------------------------------------------------------------------

  /// The live constraints: minimal, and closed under the rules.
  void write_certificate(std::vector<certify::Element>& out) {
    Constraint<Set> after;
    for (NodeIndex node = 0; node < store_.size(); ++node) {
      if (!store_.is_alive(node) || store_.is_included_by_group(node)) continue;
      store_.unpack(node, after);
      certify::Element& element = out.emplace_back();
      element.at = after.at;
      for (const Set& values : after.memory) element.memory.push_back(values_of(values));
      for (const LoadBuffer<Set>& buffer : after.buffers) {
        certify::Buffer& copy = element.buffers.emplace_back();
        for (const Message<Set>& m : buffer.messages)
          copy.messages.push_back({m.variable, values_of(m.values)});
        for (const OwnStore<Set>& o : buffer.own)
          copy.own.push_back({o.variable, values_of(o.values), o.older});
      }
    }
  }

  // ---- limits ---------------------------------------------------------------------------------

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

  Statistics statistics() const {
    return {
        store_.size(), looked_at_, 0, store_.bytes(), seconds(), {}, Statistics::Unit::Constraints};
  }

  std::optional<std::string> limit_reached() {
    if (most_ != 0 && store_.size() > most_) return "more constraints than were to be tried";
    if (store_.is_full()) return "a store buffer or the search grew beyond what can be numbered";
    if (looks_++ % 16 != 0) return std::nullopt; // an expansion may take milliseconds
    const Limits& limits = options_.search.limits;
    if (limits.interrupted && *limits.interrupted) return "interrupted";
    if (limits.bytes && store_.bytes() > *limits.bytes)
      return fmt::format("the memory limit of {} MB is reached", *limits.bytes >> 20);
    if (limits.seconds && seconds() > *limits.seconds)
      return fmt::format("the time limit of {} s is reached", *limits.seconds);
    if (looks_ % 1024 == 1 && options_.search.progress) options_.search.progress(statistics());
    return std::nullopt;
  }

  const Automata& automata_;
  const DualOptions& options_;
  NodeIndex most_ = 0; ///< gives up after so many constraints, if it is not 0
  std::size_t next_target_ = 0;
  Symmetry<Set> symmetry_;
  Predecessors<Set> rules_;
  Store<Set> store_;
  std::vector<Set> initial_;
  std::vector<std::vector<std::vector<Rule<Set>>>> into_; ///< by thread and position
  std::vector<std::uint16_t> map_; ///< by node: which map made it the least; none without symmetry
  std::optional<std::pair<NodeIndex, std::size_t>> found_; ///< and which image of it is initial
  Constraint<Set> least_, image_;
  std::vector<Set> packed_[2];
  std::uint64_t looked_at_ = 0, looks_ = 0;
  std::chrono::steady_clock::time_point started_;
};

template <class Set> DualAnswer run(const Automata& automata, const DualOptions& options) {
  Search<Set> plain(automata, options, Symmetry<Set>(automata, false));
  if (options.wants_certificate || !options.symmetry) return plain.run(0);
  if (options.without_symmetry != 0) {
    DualAnswer answer = plain.run(options.without_symmetry);
    if (answer.statistics.states <= options.without_symmetry) return answer;
  }
  Symmetry<Set> symmetry(automata, true);
  if (symmetry.size() == 1) return plain.run(0);
  return Search<Set>(automata, options, std::move(symmetry)).run(0);
}

} // namespace
} // namespace dual

DualAnswer check_dual(const Automata& automata, const DualOptions& options) {
  std::uint32_t most = 0;
  for (const Variable& variable : automata.variables) most = std::max(most, variable.size());
  if (most <= 16) return dual::run<std::uint16_t>(automata, options);
  if (most <= 64) return dual::run<std::uint64_t>(automata, options);
  return dual::run<ValueSet>(automata, options);
}

} // namespace weir::engine
