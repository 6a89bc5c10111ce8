#include "engine/sb/targets.h"

#include <algorithm>

namespace weir::engine::sb {
namespace {

using lower::Automaton;
using lower::Target;
using lower::Transition;

/// The seeds of one target.
class Seeding {
public:
  Seeding(Model& model, std::uint32_t target, std::vector<Seed>& out)
      : model_(model), target_(model.automata.targets[target]), index_(target), places_(target_.at),
        out_(out) {}

  /// Chooses for each thread: its place without holding states, or one of the holding states.
  void choose(ThreadIndex p) {
    if (p == places_.size()) return holder_ ? add_entries(*holder_) : add({}, {}, places_);
    const Automaton& thread = model_.automata.threads[p];
    const StateIndex at = target_.at[p];
    const bool is_state = at < thread.states;
    if (is_state ? !thread.holds_section[at] : model_.has_states(p, at)) choose(p + 1);
    if (holder_) return; // Nobody enters a section while another thread is in one.
    holder_ = p;
    for (StateIndex s = 0; s < thread.states; ++s)
      if (thread.holds_section[s] && thread.covers(at, s)) {
        places_[p] = s;
        choose(p + 1);
      }
    places_[p] = at;
    holder_.reset();
  }

private:
  void add_entries(ThreadIndex p) {
    const Automaton& thread = model_.automata.threads[p];
    if (auto last = memory({})) {
      Seed seed{{places_, *last}, index_, {}};
      if (model_.is_initial(seed.constraint)) out_.push_back(std::move(seed));
    }
    for (const std::uint32_t i : model_.into(p, places_[p])) {
      std::vector<StateIndex> before = places_;
      before[p] = thread.transitions[i].from;
      add(thread.transitions[i].op, lower::Event{p, i}, std::move(before));
    }
  }

  /// The target with all its buffers empty, if memory is asked for or there is no section; else the
  /// time before the entry is that of message 0, and stores of the others may reach memory later.
  void add(const lower::Op& entry, std::optional<lower::Event> event,
           std::vector<StateIndex> places) {
    auto first = memory(entry);
    if (!first) return;
    Seed seed{{std::move(places), std::move(*first)}, index_, event};
    if (event && target_.memory.empty()) leave_stores_pending(seed.constraint, event->thread);
    out_.push_back(std::move(seed));
  }

  void leave_stores_pending(Constraint& constraint, ThreadIndex holder) {
    constraint.sets.insert(constraint.sets.end(), model_.full.begin(), model_.full.end());
    constraint.length = 2;
    for (ThreadIndex p = 0; p < places_.size(); ++p)
      for (VariableIndex x = 0; x < constraint.variables; ++x)
        constraint.own(p, x).position = p == holder ? 0 : 1;
  }

  /// Memory before `entry` such that it can happen and the target's sets hold after it.
  std::optional<std::vector<Sets::Id>> memory(const lower::Op& entry) {
    std::vector<ValueSet> values;
    for (const Sets::Id id : model_.full) values.push_back(model_.sets[id]);
    for (const lower::Among& asked : target_.memory) {
      const auto write = std::find_if(entry.writes.begin(), entry.writes.end(),
                                      [&](const auto& w) { return w.variable == asked.variable; });
      if (write == entry.writes.end())
        values[asked.variable] &= asked.values;
      else if (!asked.values[write->value])
        return std::nullopt;
    }
    for (const lower::Among& read : entry.reads) values[read.variable] &= read.values;
    std::vector<Sets::Id> ids;
    for (const ValueSet& set : values) {
      if (set.none()) return std::nullopt;
      ids.push_back(model_.sets.id(set));
    }
    return ids;
  }

  Model& model_;
  const Target& target_;
  std::uint32_t index_;
  std::vector<StateIndex> places_;
  std::optional<ThreadIndex> holder_;
  std::vector<Seed>& out_;
};

} // namespace

std::vector<Seed> find_seeds(Model& model) {
  std::vector<Seed> seeds;
  for (std::uint32_t i = 0; i < model.automata.targets.size(); ++i)
    Seeding(model, i, seeds).choose(0);
  return seeds;
}

} // namespace weir::engine::sb
