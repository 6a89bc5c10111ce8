#include "certify/index.h"

#include "certify/eager.h"

namespace weir::certify {

using lower::Automaton;
using lower::StateIndex;
using lower::VariableIndex;

/// What an element speaks of, as bits: one that subsumes another has no bit that the other has not.
std::uint64_t Index::marks(const Element& element) const {
  std::uint64_t bits = 0;
  const auto variables = element.memory.size();
  const auto mark = [&](std::size_t what) { bits |= std::uint64_t{1} << what % 64; };
  for (VariableIndex x = 0; x < variables; ++x)
    if (element.memory[x] != automata_.variables[x].all()) mark(x);
  for (ThreadIndex p = 0; p < element.buffers.size(); ++p) {
    const auto base = (1 + 2 * p) * variables;
    for (const auto& message : element.buffers[p].messages) mark(base + message.variable);
    for (const Own& own : element.buffers[p].own) mark(base + variables + own.variable);
  }
  return bits;
}

void Index::build(const std::vector<Element>& elements) {
  elements_ = &elements;
  for (ElementIndex i = 0; i < elements.size(); ++i)
    buckets_[elements[i].at].push_back({marks(elements[i]), i});
  for (ThreadIndex p = 0; p < automata_.threads.size(); ++p) {
    const Automaton& thread = automata_.threads[p];
    std::vector<bool> used(thread.size());
    for (const Element& element : elements) used[element.at[p]] = true;
    auto& wider = wider_.emplace_back(thread.size());
    for (StateIndex s = 0; s < thread.size(); ++s) {
      if (used[s]) wider[s].push_back(s);
      for (StateIndex g = thread.states; g < thread.size(); ++g)
        if (g != s && used[g] && thread.covers(g, s)) wider[s].push_back(g);
    }
  }
}

std::optional<ElementIndex> Index::find(const Element& narrow,
                                        std::optional<ElementIndex> except) const {
  const auto spoken_of = marks(narrow);
  const auto threads = narrow.at.size();
  std::vector<StateIndex> at(threads);
  std::vector<std::size_t> choice(threads, 0); // Counts through all ways to be at wider positions.
  for (ThreadIndex p = 0; p < threads; ++p)
    if (wider_[p][narrow.at[p]].empty()) return std::nullopt;
  while (true) {
    for (ThreadIndex p = 0; p < threads; ++p) at[p] = wider_[p][narrow.at[p]][choice[p]];
    if (const auto bucket = buckets_.find(at); bucket != buckets_.end())
      for (const Entry& entry : bucket->second)
        if (entry.element != except && (entry.marks & ~spoken_of) == 0 &&
            subsumes(automata_, (*elements_)[entry.element], narrow))
          return entry.element;
    ThreadIndex p = 0;
    while (p < threads && ++choice[p] == wider_[p][narrow.at[p]].size()) choice[p++] = 0;
    if (p == threads) return std::nullopt;
  }
}

} // namespace weir::certify
