#pragma once
// Constraints that differ only by an exchange of threads are one: the least of its images stands for
// all of them.
//
// Of the automorphisms only transitions and targets are needed, not what is initial: the search goes
// backwards, and asks at the end whether any image is initial.

#include "engine/dual/constraint.h"
#include "lower/symmetry.h"

#include <algorithm>
#include <vector>

namespace weir::engine::dual {

/// The same automata with all values initial: what the search may take as equal.
inline lower::Automata without_initial_values(lower::Automata automata) {
  for (lower::Variable& variable : automata.variables) variable.initial = variable.all();
  return automata;
}

template <class Set> class Symmetry {
public:
  Symmetry(const lower::Automata& automata, bool is_used) {
    maps_.push_back(lower::identity(automata));
    if (is_used) maps_ = lower::automorphisms(without_initial_values(automata));
  }

  /// Of the group; 0 is the identity.
  std::size_t size() const { return maps_.size(); }
  const lower::Automorphism& operator[](std::size_t map) const { return maps_[map]; }

  /// The same automata with initial values for all images: what is always so in them is so in all
  /// images of a constraint.
  const lower::Automata& closed(const lower::Automata& automata) {
    if (maps_.size() == 1) return automata;
    closed_ = automata;
    for (const lower::Automorphism& map : maps_)
      for (lower::VariableIndex x = 0; x < automata.variables.size(); ++x)
        for (std::uint32_t v = 0; v < automata.variables[x].size(); ++v)
          if (automata.variables[x].initial[v])
            closed_.variables[map.variable[x]].initial.set(map.value[x][v]);
    return closed_;
  }

  /// Which map makes the positions least.
  std::size_t least(const std::vector<lower::StateIndex>& at) {
    if (maps_.size() == 1) return 0;
    std::size_t best = 0;
    best_ = at;
    other_.resize(at.size());
    for (std::size_t m = 1; m < maps_.size(); ++m) {
      for (std::size_t t = 0; t < at.size(); ++t)
        other_[maps_[m].thread[t]] = maps_[m].position[t][at[t]];
      if (other_ < best_) {
        best_.swap(other_);
        best = m;
      }
    }
    return best;
  }

  static void apply(const lower::Automorphism& map, const Constraint<Set>& c,
                    Constraint<Set>& out) {
    out.at.resize(c.at.size());
    out.memory.resize(c.memory.size());
    out.buffers.resize(c.buffers.size());
    for (lower::VariableIndex x = 0; x < c.memory.size(); ++x)
      out.memory[map.variable[x]] = image(map, x, c.memory[x]);
    for (ThreadIndex t = 0; t < c.at.size(); ++t) {
      out.at[map.thread[t]] = map.position[t][c.at[t]];
      LoadBuffer<Set>& buffer = out.buffers[map.thread[t]];
      buffer.messages.clear();
      buffer.own.clear();
      for (const Message<Set>& m : c.buffers[t].messages)
        buffer.messages.push_back({map.variable[m.variable], image(map, m.variable, m.values)});
      for (const OwnStore<Set>& o : c.buffers[t].own)
        buffer.insert_own({map.variable[o.variable], o.older, image(map, o.variable, o.values)});
    }
  }

private:
  static Set image(const lower::Automorphism& map, lower::VariableIndex x, const Set& values) {
    lower::ValueSet result;
    const auto& value = map.value[x];
    for (std::uint32_t v = 0; v < value.size(); ++v)
      if (has(values, v)) result.set(value[v]);
    return set_of<Set>(result);
  }

  std::vector<lower::Automorphism> maps_;
  lower::Automata closed_;
  std::vector<lower::StateIndex> best_, other_;
};

} // namespace weir::engine::dual
