#pragma once
// Finds an element that subsumes a given one.

#include "certify/certificate.h"

#include <optional>
#include <unordered_map>

namespace weir::certify {

using ElementIndex = std::size_t;

/// The elements by their positions.
class Index {
public:
  explicit Index(const lower::Automata& automata) : automata_(automata) {}
  /// Keeps a reference to the elements. Once only.
  void build(const std::vector<Element>& elements);
  /// An element other than `except` that subsumes the given one.
  std::optional<ElementIndex> find(const Element& narrow,
                                   std::optional<ElementIndex> except = std::nullopt) const;

private:
  struct Hash {
    std::size_t operator()(const std::vector<lower::StateIndex>& at) const {
      std::size_t hash = 0;
      for (const lower::StateIndex s : at) hash = (hash ^ s) * 0x9e3779b97f4a7c15U + (hash >> 29);
      return hash;
    }
  };
  struct Entry {
    std::uint64_t marks;
    ElementIndex element;
  };
  std::uint64_t marks(const Element& element) const;

  const lower::Automata& automata_;
  const std::vector<Element>* elements_ = nullptr;
  std::unordered_map<std::vector<lower::StateIndex>, std::vector<Entry>, Hash> buckets_;
  /// By thread and position: positions of elements that cover it.
  std::vector<std::vector<std::vector<lower::StateIndex>>> wider_;
};

} // namespace weir::certify
