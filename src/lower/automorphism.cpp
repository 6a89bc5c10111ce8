#include "lower/automorphism.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace weir::lower {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of(const std::vector<Among>& sets) {
  std::uint64_t hash = sets.size();
  for (const Among& among : sets)
    hash = mixed(mixed(hash, among.variable), std::hash<ValueSet>{}(among.values));
  return hash;
}

std::uint64_t hash_of(const Transition& transition) {
  std::uint64_t hash = mixed(transition.from, static_cast<std::uint64_t>(transition.op.kind));
  hash = mixed(mixed(hash, transition.to), hash_of(transition.op.reads));
  for (const Becomes& write : transition.op.writes)
    hash = mixed(mixed(hash, write.variable), write.value);
  return hash;
}

std::uint64_t hash_of(const Target& target) {
  std::uint64_t hash = hash_of(target.memory);
  for (const StateIndex s : target.at) hash = mixed(hash, s);
  return hash;
}

/// Finds out whether something is in a list.
template <class T> class Lookup {
public:
  explicit Lookup(const std::vector<T>& list) : list_(list) {
    sorted_.reserve(list.size());
    for (const T& one : list)
      sorted_.emplace_back(hash_of(one), static_cast<std::uint32_t>(sorted_.size()));
    std::sort(sorted_.begin(), sorted_.end());
  }

  bool contains(const T& wanted) const {
    const std::uint64_t hash = hash_of(wanted);
    auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{hash, 0u});
    for (; found != sorted_.end() && found->first == hash; ++found)
      if (list_[found->second] == wanted) return true;
    return false;
  }

private:
  const std::vector<T>& list_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted_;
};

bool is_permutation_of(const std::vector<std::uint32_t>& map, std::size_t size) {
  if (map.size() != size) return false;
  std::vector<bool> seen(size);
  for (const std::uint32_t to : map) {
    if (to >= size || seen[to]) return false;
    seen[to] = true;
  }
  return true;
}

/// Whether it maps one to one what should be: threads and their states and groups, variables and
/// their values.
bool is_bijection(const Automata& automata, const Automorphism& map) {
  const auto& threads = automata.threads;
  const auto& variables = automata.variables;
  if (!is_permutation_of(map.thread, threads.size()) || map.position.size() != threads.size() ||
      !is_permutation_of(map.variable, variables.size()) || map.value.size() != variables.size())
    return false;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    const Automaton& from = threads[t];
    const Automaton& to = threads[map.thread[t]];
    if (from.states != to.states || from.size() != to.size() ||
        !is_permutation_of(map.position[t], from.size()))
      return false;
    for (StateIndex s = 0; s < from.states; ++s)
      if (map.position[t][s] >= from.states) return false;
  }
  for (std::size_t x = 0; x < variables.size(); ++x)
    if (variables[x].size() != variables[map.variable[x]].size() ||
        !is_permutation_of(map.value[x], variables[x].size()))
      return false;
  return true;
}

ValueSet image(const Automorphism& map, VariableIndex x, const ValueSet& values) {
  ValueSet result;
  const auto& to = map.value[x];
  for (std::size_t v = 0; v < to.size(); ++v)
    if (values[v]) result.set(to[v]);
  return result;
}

void map_sets(const Automorphism& map, const std::vector<Among>& from, std::vector<Among>& to) {
  to.clear();
  for (const Among& among : from)
    to.push_back({map.variable[among.variable], image(map, among.variable, among.values)});
  std::sort(to.begin(), to.end(),
            [](const Among& a, const Among& b) { return a.variable < b.variable; });
}

/// Into what is there already, to save allocations.
void map_transition(const Automorphism& map, ThreadIndex t, const Transition& from,
                    Transition& to) {
  to.from = map.position[t][from.from];
  to.to = map.position[t][from.to];
  to.op.kind = from.op.kind;
  map_sets(map, from.op.reads, to.op.reads);
  to.op.writes.clear();
  for (const Becomes& write : from.op.writes)
    to.op.writes.push_back({map.variable[write.variable], map.value[write.variable][write.value]});
  std::sort(to.op.writes.begin(), to.op.writes.end(),
            [](const Becomes& a, const Becomes& b) { return a.variable < b.variable; });
}

bool maps_groups(const Automorphism& map, ThreadIndex t, const Automaton& from,
                 const Automaton& to) {
  for (std::size_t g = 0; g < from.groups.size(); ++g) {
    const auto& members = to.groups[map.position[t][from.states + g] - to.states];
    for (StateIndex s = 0; s < from.states; ++s)
      if (from.groups[g][s] != members[map.position[t][s]]) return false;
  }
  return true;
}

// Different transitions (targets) have different images and there are finitely many, so if each
// image is there, each is an image: around a cycle of threads the numbers cannot only grow.
bool maps_thread(const Automata& automata, const Automorphism& map, ThreadIndex t) {
  const Automaton& from = automata.threads[t];
  const Automaton& to = automata.threads[map.thread[t]];
  for (StateIndex s = 0; s < from.size(); ++s) {
    const StateIndex there = map.position[t][s];
    if (from.initial[s] != to.initial[there]) return false;
    if (from.holds_section[s] != to.holds_section[there]) return false;
  }
  if (!maps_groups(map, t, from, to)) return false;
  const Lookup known(to.transitions);
  Transition there;
  for (const Transition& transition : from.transitions) {
    map_transition(map, t, transition, there);
    if (!known.contains(there)) return false;
  }
  return true;
}

bool maps_targets(const Automata& automata, const Automorphism& map) {
  const Lookup known(automata.targets);
  Target there;
  there.at.resize(automata.threads.size());
  for (const Target& target : automata.targets) {
    for (std::size_t t = 0; t < target.at.size(); ++t)
      there.at[map.thread[t]] = map.position[t][target.at[t]];
    map_sets(map, target.memory, there.memory);
    if (!known.contains(there)) return false;
  }
  return true;
}

} // namespace

Automorphism identity(const Automata& automata) {
  Automorphism result;
  const auto all = [](std::size_t n) {
    std::vector<std::uint32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
  };
  result.thread = all(automata.threads.size());
  for (const Automaton& thread : automata.threads) result.position.push_back(all(thread.size()));
  result.variable = all(automata.variables.size());
  for (const Variable& variable : automata.variables) result.value.push_back(all(variable.size()));
  return result;
}

Automorphism composed(const Automorphism& f, const Automorphism& g) {
  Automorphism result = f;
  for (std::size_t t = 0; t < f.thread.size(); ++t) {
    result.thread[t] = g.thread[f.thread[t]];
    for (StateIndex& s : result.position[t]) s = g.position[f.thread[t]][s];
  }
  for (std::size_t x = 0; x < f.variable.size(); ++x) {
    result.variable[x] = g.variable[f.variable[x]];
    for (std::uint32_t& v : result.value[x]) v = g.value[f.variable[x]][v];
  }
  return result;
}

bool is_automorphism(const Automata& automata, const Automorphism& candidate) {
  if (!is_bijection(automata, candidate)) return false;
  for (VariableIndex x = 0; x < automata.variables.size(); ++x)
    if (image(candidate, x, automata.variables[x].initial) !=
        automata.variables[candidate.variable[x]].initial)
      return false;
  for (ThreadIndex t = 0; t < automata.threads.size(); ++t)
    if (!maps_thread(automata, candidate, t)) return false;
  return maps_targets(automata, candidate);
}

} // namespace weir::lower
