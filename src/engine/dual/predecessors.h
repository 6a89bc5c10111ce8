#pragma once
// The rules of the search: minimal predecessors of a constraint, exactly. README.md says why.

#include "engine/dual/constraint.h"
#include "engine/dual/invariants.h"

#include <utility>

namespace weir::engine::dual {

/// A transition with sets in the engine's own form.
template <class Set> struct Rule {
  ThreadIndex thread = 0;
  std::uint32_t transition = 0; ///< index in its automaton
  lower::StateIndex from = 0;
  lower::Op::Kind kind = lower::Op::Kind::Nop;
  std::vector<Message<Set>> reads{};
  std::vector<lower::Becomes> writes{};
};

template <class Set> class Predecessors {
public:
  Predecessors(const lower::Automata& automata, bool use_own, bool use_last)
      : variables_(automata.variables.size()), threads_(automata.threads.size()),
        uses_own_(use_own) {
    for (const lower::Variable& variable : automata.variables)
      full_.push_back(set_of<Set>(variable.all()));
    if (use_own) own_ = flat(own_values(automata));
    if (use_last) last_ = flat(last_values(automata));
    const auto speaks = speaks_for(automata);
    for (ThreadIndex t = 0; use_last && t < threads_; ++t)
      for (lower::VariableIndex x = 0; x < variables_; ++x)
        if (speaks[t][x]) speaks_.emplace_back(x, t);
  }

  /// Calls emit(constraint, reads own store) for each predecessor of `after` by the rule. The
  /// constraint is scratch space.
  template <class Emit>
  void find(const Constraint<Set>& after, const Rule<Set>& rule, Emit&& emit) {
    using Kind = lower::Op::Kind;
    switch (rule.kind) {
    case Kind::Nop: next_ = after; return finish(rule, false, emit);
    case Kind::Read: return read(after, rule, emit);
    case Kind::Write: return write(after, rule, emit);
    case Kind::Atomic: return atomic(after, rule, emit);
    }
  }

  /// The same for one propagation to a thread: calls emit(constraint). The newest message came from
  /// memory, and perhaps the next ones of the same variable, which went to the same place. An own
  /// store that is newer is in the way.
  template <class Emit>
  void find_propagation(const Constraint<Set>& after, ThreadIndex t, Emit&& emit) {
    const auto& messages = after.buffers[t].messages;
    for (std::size_t n = 1; n <= messages.size(); ++n) {
      const auto [x, values] = messages[n - 1];
      if (x != messages[0].variable) return;
      for (const OwnStore<Set>& own : after.buffers[t].own)
        if (own.older + n > messages.size()) return;
      if (n == 1) demanded_ = after.memory[x];
      demanded_ = both(demanded_, values);
      if (is_empty(demanded_)) return;
      next_ = after;
      next_.memory[x] = demanded_;
      auto& left = next_.buffers[t].messages;
      left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(n));
      if (narrow_memory(next_)) emit(next_);
    }
  }

  /// Narrows to what is always so; false if nothing is left.
  bool narrow(Constraint<Set>& c) const {
    for (ThreadIndex t = 0; t < threads_; ++t)
      if (!narrow_own(c, t)) return false;
    return narrow_memory(c);
  }

  const Set& full(lower::VariableIndex x) const { return full_[x]; }

private:
  std::vector<std::vector<Set>> flat(const Table& table) const {
    std::vector<std::vector<Set>> result;
    for (const auto& thread : table) {
      auto& sets = result.emplace_back();
      for (const auto& position : thread)
        for (const lower::ValueSet& values : position) sets.push_back(set_of<Set>(values));
    }
    return result;
  }

  bool narrow_own(Constraint<Set>& c, ThreadIndex t) const {
    if (!uses_own_) return true;
    for (OwnStore<Set>& own : c.buffers[t].own) {
      own.values = both(own.values, own_[t][c.at[t] * variables_ + own.variable]);
      if (is_empty(own.values)) return false;
    }
    return true;
  }

  bool narrow_memory(Constraint<Set>& c) const {
    for (const auto& [x, writer] : speaks_) {
      Set& memory = c.memory[x];
      memory = both(memory, last_[writer][c.at[writer] * variables_ + x]);
      if (OwnStore<Set>* own = c.buffers[writer].find_own(x)) {
        memory = both(memory, own->values);
        own->values = memory;
      }
      if (is_empty(memory)) return false;
    }
    return true;
  }

  template <class Emit> void finish(const Rule<Set>& rule, bool reads_own, Emit&& emit) {
    next_.at[rule.thread] = rule.from;
    if (narrow_own(next_, rule.thread) && narrow_memory(next_)) emit(next_, reads_own);
  }

  template <class Emit>
  void read(const Constraint<Set>& after, const Rule<Set>& rule, Emit&& emit) {
    const auto& [x, wanted] = rule.reads[0];
    next_ = after;
    if (OwnStore<Set>* own = next_.buffers[rule.thread].find_own(x)) {
      own->values = both(own->values, wanted);
      if (!is_empty(own->values)) finish(rule, true, emit);
      return;
    }
    read_memory(after, rule, emit);
    // From the own store: at the oldest end, which every other place is above.
    const Set possible =
        uses_own_ ? both(wanted, own_[rule.thread][rule.from * variables_ + x]) : wanted;
    if (is_empty(possible)) return;
    next_ = after;
    next_.buffers[rule.thread].insert_own({x, 0, possible});
    finish(rule, true, emit);
  }

  /// The oldest message is the one that was read, or one that `after` does not mention.
  template <class Emit>
  void read_memory(const Constraint<Set>& after, const Rule<Set>& rule, Emit&& emit) {
    const auto& [x, wanted] = rule.reads[0];
    const auto& messages = after.buffers[rule.thread].messages;
    LoadBuffer<Set>& before = next_.buffers[rule.thread];
    if (!messages.empty() && messages.back().variable == x) {
      const Set overlap = both(messages.back().values, wanted);
      // What `after` does not mention is above this, unless an own store is in between.
      bool is_covered = is_inside(messages.back().values, wanted);
      if (!is_empty(overlap)) {
        before.messages.back().values = overlap;
        for (OwnStore<Set>& own : before.own)
          if (own.older == 0) {
            own.older = 1;
            is_covered = false;
          }
        finish(rule, false, emit);
      }
      if (is_covered) return;
      next_ = after;
    }
    before.messages.push_back({x, wanted});
    for (OwnStore<Set>& own : before.own) ++own.older;
    finish(rule, false, emit);
  }

  /// Memory has the value, the own store is the newest of all, and nothing was propagated since.
  template <class Emit>
  void write(const Constraint<Set>& after, const Rule<Set>& rule, Emit&& emit) {
    const auto [x, value] = rule.writes[0];
    if (!has(after.memory[x], value)) return;
    for (const Message<Set>& message : after.buffers[rule.thread].messages)
      if (message.variable == x) return;
    next_ = after;
    LoadBuffer<Set>& before = next_.buffers[rule.thread];
    if (const OwnStore<Set>* own = before.find_own(x)) {
      if (!has(own->values, value)) return;
      before.erase_own(x);
    }
    next_.memory[x] = full_[x];
    finish(rule, false, emit);
  }

  template <class Emit>
  void atomic(const Constraint<Set>& after, const Rule<Set>& rule, Emit&& emit) {
    const LoadBuffer<Set>& buffer = after.buffers[rule.thread];
    if (!buffer.own.empty() || !buffer.messages.empty()) return;
    for (const lower::Becomes& w : rule.writes)
      if (!has(after.memory[w.variable], w.value)) return;
    next_ = after;
    for (const lower::Becomes& w : rule.writes) next_.memory[w.variable] = full_[w.variable];
    for (const Message<Set>& r : rule.reads) {
      next_.memory[r.variable] = both(next_.memory[r.variable], r.values);
      if (is_empty(next_.memory[r.variable])) return;
    }
    finish(rule, false, emit);
  }

  std::size_t variables_, threads_;
  bool uses_own_;
  std::vector<Set> full_;
  std::vector<std::vector<Set>> own_, last_; ///< by thread; then by position and variable
  std::vector<std::pair<lower::VariableIndex, ThreadIndex>> speaks_; ///< who alone writes what
  Constraint<Set> next_;
  Set demanded_{};
};

} // namespace weir::engine::dual
