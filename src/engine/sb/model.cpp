#include "engine/sb/model.h"

#include "base/invariant.h"

#include <algorithm>

namespace weir::engine::sb {

using lower::Automaton;
using lower::Op;
using lower::Transition;

Model::Model(const lower::Automata& given) : automata(given), threads_(given.threads.size()) {
  for (ThreadIndex p = 0; p < threads_.size(); ++p) set_up_members(p);
  find_values();
  for (ThreadIndex p = 0; p < threads_.size(); ++p) {
    find_pending(p);
    find_into(p);
    find_covering(p);
  }
}

void Model::set_up_members(ThreadIndex p) {
  const Automaton& automaton = automata.threads[p];
  Thread& thread = threads_[p];
  for (std::uint32_t i = 0; i < automaton.own_transitions; ++i) {
    const Transition& t = automaton.transitions[i];
    invariant(!automaton.holds_section[t.from], "a thread should stay inside its section");
    invariant(!automaton.holds_section[t.to] || t.op.kind == Op::Kind::Atomic,
              "a section should be entered by an Atomic");
  }
  for (StateIndex place = 0; place < automaton.size(); ++place) {
    std::vector<bool> members(automaton.states);
    bool initial = false;
    for (StateIndex s = 0; s < automaton.states; ++s) {
      members[s] = s == place || (place >= automaton.states && automaton.covers(place, s) &&
                                  !automaton.holds_section[s]);
      initial = initial || (members[s] && automaton.initial[s]);
    }
    thread.members.push_back(std::move(members));
    thread.initial.push_back(initial);
  }
}

bool Model::may_happen(const Thread& thread, const Transition& t,
                       const std::vector<ValueSet>& possible) const {
  return thread.reached[t.from] &&
         std::all_of(t.op.reads.begin(), t.op.reads.end(), [&](const lower::Among& read) {
           return (read.values & possible[read.variable]).any();
         });
}

/// States and values that occur if every read may see any value that is initial or written somewhere.
void Model::find_values() {
  std::vector<ValueSet> possible;
  for (const lower::Variable& variable : automata.variables) possible.push_back(variable.initial);
  for (ThreadIndex p = 0; p < threads_.size(); ++p) {
    const auto& initial = automata.threads[p].initial;
    threads_[p].reached.assign(initial.begin(), initial.begin() + automata.threads[p].states);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (ThreadIndex p = 0; p < threads_.size(); ++p)
      changed = spread_values(p, possible) || changed;
  }
  for (const ValueSet& values : possible) full.push_back(sets.id(values));
}

bool Model::spread_values(ThreadIndex p, std::vector<ValueSet>& possible) {
  Thread& thread = threads_[p];
  bool changed = false;
  for (std::uint32_t i = 0; i < automata.threads[p].own_transitions; ++i) {
    const Transition& t = automata.threads[p].transitions[i];
    if (!may_happen(thread, t, possible)) continue;
    changed = changed || !thread.reached[t.to];
    thread.reached[t.to] = true;
    for (const lower::Becomes& write : t.op.writes) {
      changed = changed || !possible[write.variable][write.value];
      possible[write.variable].set(write.value);
    }
  }
  return changed;
}

void Model::find_pending(ThreadIndex p) {
  const Automaton& automaton = automata.threads[p];
  Thread& thread = threads_[p];
  thread.pending.assign(automaton.states, std::vector<ValueSet>(full.size()));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < automaton.own_transitions; ++i)
      if (thread.reached[automaton.transitions[i].from])
        changed = spread_pending(thread, automaton.transitions[i]) || changed;
  }
}

bool Model::spread_pending(Thread& thread, const Transition& t) {
  if (t.op.kind == Op::Kind::Atomic) return false; // Nothing is pending after it.
  std::vector<ValueSet> after = thread.pending[t.from];
  if (t.op.kind == Op::Kind::Read) after[t.op.reads[0].variable] &= t.op.reads[0].values;
  if (t.op.kind == Op::Kind::Write) {
    after[t.op.writes[0].variable].reset();
    after[t.op.writes[0].variable].set(t.op.writes[0].value);
  }
  bool changed = false;
  for (VariableIndex x = 0; x < full.size(); ++x) {
    changed = changed || !lower::is_subset(after[x], thread.pending[t.to][x]);
    thread.pending[t.to][x] |= after[x];
  }
  return changed;
}

void Model::find_into(ThreadIndex p) {
  const Automaton& automaton = automata.threads[p];
  Thread& thread = threads_[p];
  std::vector<ValueSet> possible;
  for (const Sets::Id id : full) possible.push_back(sets[id]);
  thread.into.resize(automaton.size());
  for (StateIndex place = 0; place < automaton.size(); ++place)
    for (std::uint32_t i = 0; i < automaton.own_transitions; ++i) {
      const Transition& t = automaton.transitions[i];
      const auto& members = thread.members[place];
      if (!members[t.to] || !may_happen(thread, t, possible)) continue;
      const bool stays = place >= automaton.states && members[t.from] && t.op.writes.empty();
      if (!stays) thread.into[place].push_back(i);
    }
}

void Model::find_covering(ThreadIndex p) {
  const Automaton& automaton = automata.threads[p];
  Thread& thread = threads_[p];
  thread.covering.resize(automaton.size());
  for (StateIndex narrow = 0; narrow < automaton.size(); ++narrow)
    for (StateIndex wide = 0; wide < automaton.size(); ++wide) {
      bool covers = wide == narrow || wide >= automaton.states;
      for (StateIndex s = 0; s < automaton.states; ++s)
        covers = covers && (!thread.members[narrow][s] || thread.members[wide][s]);
      if (covers) thread.covering[narrow].push_back(wide);
    }
}

bool Model::has_states(ThreadIndex p, StateIndex place) const {
  const auto& members = threads_[p].members[place];
  return std::find(members.begin(), members.end(), true) != members.end();
}

bool Model::is_initial(const Constraint& constraint) const {
  for (ThreadIndex p = 0; p < threads_.size(); ++p)
    if (!is_initial(p, constraint.places[p]) || constraint.has_exact_own(p)) return false;
  // All messages are mapped to the only one there is.
  for (VariableIndex x = 0; x < full.size(); ++x) {
    ValueSet values = automata.variables[x].initial;
    for (Position i = 0; i < constraint.length; ++i) values &= sets[constraint.set(i, x)];
    if (values.none()) return false;
  }
  return true;
}

std::uint64_t Model::signature(const Constraint& constraint) const {
  constexpr std::uint64_t value_bits = 48, own_bits = 16;
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < constraint.sets.size(); ++k) {
    const std::size_t x = k % constraint.variables;
    if (constraint.sets[k] == full[x]) continue;
    const ValueSet excluded = sets[full[x]] & ~sets[constraint.sets[k]];
    for (std::size_t v = 0; v < automata.variables[x].size(); ++v)
      if (excluded[v]) bits |= std::uint64_t{1} << ((x * 5 + v) % value_bits);
  }
  for (std::size_t k = 0; k < constraint.owns.size(); ++k)
    if (constraint.owns[k].is_exact) bits |= std::uint64_t{1} << (value_bits + k % own_bits);
  return bits;
}

} // namespace weir::engine::sb
