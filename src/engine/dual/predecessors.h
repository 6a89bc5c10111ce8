#pragma once
// The rules of the search: minimal predecessors of a constraint by a transition, exactly.
//
// Section 5 of the design note, with `arw` and `fence` generalised to atomic steps that read and
// write any number of variables. Messages are absorbed (the thread gets to know them after the
// step, so before it they are not there) only where a step needs it: see README.md.

#include "engine/dual/constraint.h"
#include "engine/dual/invariants.h"

#include <algorithm>
#include <optional>

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

/// How a predecessor came about, for building the run.
struct How {
  bool reads_own = false;
  std::vector<std::uint32_t> absorbed; ///< by thread: how many of its newest messages
};

template <class Set> class Predecessors {
public:
  Predecessors(const lower::Automata& automata, bool lazy, bool use_own, bool use_last)
      : lazy_(lazy), variables_(automata.variables.size()), threads_(automata.threads.size()) {
    for (const lower::Variable& variable : automata.variables)
      full_.push_back(set_of<Set>(variable.all()));
    fill(own_, use_own ? own_values(automata) : Table{}, automata);
    fill(last_, use_last ? last_values(automata) : Table{}, automata);
    const auto speaks = speaks_for(automata);
    for (ThreadIndex t = 0; use_last && t < threads_; ++t)
      for (lower::VariableIndex x = 0; x < variables_; ++x)
        if (speaks[t][x]) speaks_.emplace_back(x, t);
    uses_own_ = use_own;
    how_.absorbed.resize(threads_);
    levels_.resize(threads_ + 1);
  }

  /// Calls emit(constraint, how) for each predecessor of `after` by the rule. The constraint is
  /// scratch space. While a thread holds the section, memory is propagated to nobody.
  template <class Emit>
  void find(const Constraint<Set>& after, const Rule<Set>& rule, bool is_in_section, Emit&& emit) {
    absorbs_ = lazy_ && !is_in_section;
    how_.reads_own = false;
    std::fill(how_.absorbed.begin(), how_.absorbed.end(), 0u);
    using Kind = lower::Op::Kind;
    switch (rule.kind) {
    case Kind::Nop:
      next_ = after;
      return finish(next_, rule, emit);
    case Kind::Read: return read(after, rule, emit);
    case Kind::Write: return write(after, rule, emit);
    case Kind::Atomic: return atomic(after, rule, emit);
    }
  }

  /// The same for one propagation to a thread: its newest message is absorbed, and perhaps the next
  /// ones of the same variable, which went to the same place. Calls emit(constraint, how many).
  template <class Emit>
  void find_propagation(const Constraint<Set>& after, ThreadIndex t, Emit&& emit) {
    const auto& messages = after.buffers[t].messages;
    for (std::size_t n = 1; n <= messages.size(); ++n) {
      if (messages[n - 1].variable != messages[0].variable) return;
      next_ = after;
      if (!absorb(next_, t, n)) return;
      if (narrow(next_)) emit(next_, n);
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
  void fill(std::vector<std::vector<Set>>& out, const Table& table,
            const lower::Automata& automata) const {
    for (std::size_t t = 0; t < table.size(); ++t) {
      auto& flat = out.emplace_back();
      for (lower::StateIndex s = 0; s < automata.threads[t].size(); ++s)
        for (const lower::ValueSet& values : table[t][s]) flat.push_back(set_of<Set>(values));
    }
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

  /// The `count` newest messages of a thread become demands on memory.
  bool absorb(Constraint<Set>& c, ThreadIndex t, std::size_t count) const {
    if (count == 0) return true;
    LoadBuffer<Set>& buffer = c.buffers[t];
    for (const OwnStore<Set>& own : buffer.own)
      if (own.older + count > buffer.messages.size()) return false; // it is newer than what goes
    for (std::size_t i = 0; i < count; ++i) {
      Set& memory = c.memory[buffer.messages[i].variable];
      memory = both(memory, buffer.messages[i].values);
      if (is_empty(memory)) return false;
    }
    buffer.messages.erase(buffer.messages.begin(),
                          buffer.messages.begin() + static_cast<std::ptrdiff_t>(count));
    return true;
  }

  template <class Emit> void finish(Constraint<Set>& c, const Rule<Set>& rule, Emit&& emit) {
    c.at[rule.thread] = rule.from;
    if (narrow_own(c, rule.thread) && narrow_memory(c)) emit(c, how_);
  }

  template <class Emit>
  void read(const Constraint<Set>& after, const Rule<Set>& rule, Emit&& emit) {
    const lower::VariableIndex x = rule.reads[0].variable;
    const Set& wanted = rule.reads[0].values;
    const ThreadIndex t = rule.thread;
    next_ = after;
    if (OwnStore<Set>* own = next_.buffers[t].find_own(x)) {
      own->values = both(own->values, wanted);
      how_.reads_own = true;
      if (!is_empty(own->values)) finish(next_, rule, emit);
      return;
    }
    // From memory: the oldest message is the one that is read, or one that is not in `after`.
    const auto& messages = after.buffers[t].messages;
    bool is_covered = false;
    if (!messages.empty() && messages.back().variable == x) {
      const Set overlap = both(messages.back().values, wanted);
      if (!is_empty(overlap)) {
        next_.buffers[t].messages.back().values = overlap;
        // A message that is not in `after` is above this one, unless an own store is in between.
        is_covered = is_inside(messages.back().values, wanted);
        for (OwnStore<Set>& own : next_.buffers[t].own)
          if (own.older == 0) {
            own.older = 1;
            is_covered = false;
          }
        finish(next_, rule, emit);
      }
    }
    if (!is_covered) {
      next_ = after;
      next_.buffers[t].messages.push_back({x, wanted});
      for (OwnStore<Set>& own : next_.buffers[t].own) ++own.older;
      finish(next_, rule, emit);
    }
    // From the own store: at the oldest end, which every other place is above.
    const Set possible = uses_own_ ? both(wanted, own_[t][rule.from * variables_ + x]) : wanted;
    if (is_empty(possible)) return;
    next_ = after;
    next_.buffers[t].insert_own({x, 0, possible});
    how_.reads_own = true;
    finish(next_, rule, emit);
  }

  template <class Emit>
  void write(const Constraint<Set>& after, const Rule<Set>& rule, Emit&& emit) {
    const auto [x, value] = rule.writes[0];
    const ThreadIndex t = rule.thread;
    Constraint<Set>& start = levels_[0];
    start = after;
    if (const OwnStore<Set>* own = start.buffers[t].find_own(x); own && !has(own->values, value))
      return;
    const auto& messages = start.buffers[t].messages;
    std::uint32_t count = static_cast<std::uint32_t>(messages.size());
    while (count > 0 && messages[count - 1].variable != x) --count;
    if (!absorbs_ && count > 0) return;
    how_.absorbed[t] = count;
    if (!has(start.memory[x], value) || !absorb(start, t, count)) return;
    others(0, start, rule, emit);
  }

  template <class Emit>
  void atomic(const Constraint<Set>& after, const Rule<Set>& rule, Emit&& emit) {
    const ThreadIndex t = rule.thread;
    if (!after.buffers[t].own.empty()) return;
    const auto count = static_cast<std::uint32_t>(after.buffers[t].messages.size());
    if (!absorbs_ && count > 0) return;
    Constraint<Set>& start = levels_[0];
    start = after;
    how_.absorbed[t] = count;
    for (const lower::Becomes& w : rule.writes)
      if (!has(start.memory[w.variable], w.value)) return;
    if (absorb(start, t, count)) others(0, start, rule, emit);
  }

  /// Every other thread gets to know what is written, or not: absorbs up to one of its messages on
  /// a written variable, or nothing. `c` has the choices of the threads before t.
  template <class Emit>
  void others(ThreadIndex t, Constraint<Set>& c, const Rule<Set>& rule, Emit&& emit) {
    const auto is_written = [&](const Message<Set>& message) {
      return std::any_of(rule.writes.begin(), rule.writes.end(), [&](const lower::Becomes& w) {
        return w.variable == message.variable;
      });
    };
    const auto has_choice = [&] {
      const auto& messages = c.buffers[t].messages;
      return absorbs_ && t != rule.thread &&
             std::any_of(messages.begin(), messages.end(), is_written);
    };
    while (t < threads_ && !has_choice()) ++t;
    if (t == threads_) return step_over(c, rule, emit);
    const std::size_t count = c.buffers[t].messages.size();
    for (std::size_t n = 0; n <= count; ++n) {
      if (n > 0 && !is_written(c.buffers[t].messages[n - 1])) continue;
      Constraint<Set>& chosen = levels_[t + 1];
      chosen = c;
      if (!absorb(chosen, t, n)) break;
      how_.absorbed[t] = static_cast<std::uint32_t>(n);
      others(t + 1, chosen, rule, emit);
    }
    how_.absorbed[t] = 0;
  }

  /// The step itself, everything absorbed that has to be.
  template <class Emit>
  void step_over(Constraint<Set>& c, const Rule<Set>& rule, Emit&& emit) {
    for (const lower::Becomes& w : rule.writes)
      if (!has(c.memory[w.variable], w.value)) return;
    if (!narrow_memory(c)) return; // between the step and the propagations
    for (const lower::Becomes& w : rule.writes) {
      if (!has(c.memory[w.variable], w.value)) return;
      c.memory[w.variable] = full_[w.variable];
      if (rule.kind == lower::Op::Kind::Write) c.buffers[rule.thread].erase_own(w.variable);
    }
    for (const Message<Set>& read : rule.reads) {
      Set& memory = c.memory[read.variable];
      memory = both(memory, read.values);
      if (is_empty(memory)) return;
    }
    finish(c, rule, emit);
  }

  bool lazy_;
  bool absorbs_ = true;
  bool uses_own_ = false;
  std::size_t variables_, threads_;
  std::vector<Set> full_;
  std::vector<std::vector<Set>> own_, last_; ///< by thread; then by position and variable
  std::vector<std::pair<lower::VariableIndex, ThreadIndex>> speaks_; ///< who alone writes what
  How how_;
  Constraint<Set> next_;
  std::vector<Constraint<Set>> levels_;
};

} // namespace weir::engine::dual
