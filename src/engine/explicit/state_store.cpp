#include "engine/explicit/state_store.h"

#include "base/invariant.h"

#include <algorithm>
#include <cstring>

namespace weir::engine {

StateStore::StateStore(std::size_t width) : width_(width), table_(1u << 12) {}

std::uint64_t StateStore::hash(const Word* words) const {
  std::uint64_t h = 0x9E3779B97F4A7C15u;
  for (std::size_t i = 0; i < width_; ++i) {
    h = (h ^ words[i]) * 0xFF51AFD7ED558CCDu;
    h ^= h >> 32;
  }
  return h * 0xC4CEB9FE1A85EC53u;
}

bool StateStore::equal(const Word* a, const Word* b) const {
  for (std::size_t i = 0; i < width_; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

std::uint64_t StateStore::bytes() const {
  return states_.size() * (std::size_t{1} << chunk_bits) * (width_ + 1) * sizeof(Word) +
         table_.size() * sizeof(std::uint64_t);
}

Word* StateStore::propose(StateIndex parent) {
  parents_of_candidates_.push_back(parent);
  candidates_.resize(candidates_.size() + width_);
  return &candidates_[candidates_.size() - width_];
}

void StateStore::append(const Word* words, StateIndex parent) {
  if ((size_ & chunk_mask) == 0) {
    states_.push_back(std::make_unique<Word[]>((std::size_t{1} << chunk_bits) * width_));
    parents_.push_back(std::make_unique<StateIndex[]>(std::size_t{1} << chunk_bits));
  }
  std::copy_n(words, width_, &states_.back()[(size_ & chunk_mask) * width_]);
  parents_.back()[size_ & chunk_mask] = parent;
  ++size_;
}

void StateStore::flush() {
  const std::size_t count = parents_of_candidates_.size();
  if ((size_ + count) * 5 > table_.size() * 3) rehash(table_.size() * 2);
  const std::size_t mask = table_.size() - 1;
  hashes_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    hashes_[i] = hash(&candidates_[i * width_]);
    __builtin_prefetch(&table_[hashes_[i] & mask]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t slot = table_[hashes_[i] & mask];
    if (slot != 0 && slot >> 32 == hashes_[i] >> 32)
      __builtin_prefetch(state(static_cast<StateIndex>(slot) - 1));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Word* words = &candidates_[i * width_];
    std::size_t at = hashes_[i] & mask;
    bool known = false;
    for (; table_[at] != 0; at = (at + 1) & mask)
      if (table_[at] >> 32 == hashes_[i] >> 32 &&
          equal(words, state(static_cast<StateIndex>(table_[at]) - 1))) {
        known = true;
        break;
      }
    if (known) continue;
    invariant(!is_full(), "the search should stop before its indices run out");
    append(words, parents_of_candidates_[i]);
    table_[at] = (hashes_[i] >> 32 << 32) | size_; // size_ is the index + 1
  }
  candidates_.clear();
  parents_of_candidates_.clear();
}

void StateStore::rehash(std::size_t slots) {
  while ((size_ + batch) * 5 > slots * 3) slots *= 2;
  // The old table goes first: at its largest the new one alone counts.
  table_ = {};
  table_.resize(slots);
  const std::size_t mask = slots - 1;
  for (StateIndex i = 0; i < size_; ++i) {
    const std::uint64_t h = hash(state(i));
    std::size_t at = h & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = (h >> 32 << 32) | (i + 1);
  }
}

void StateStore::widen(std::size_t width) {
  invariant(width > width_ && candidates_.empty(), "a store should only grow, between batches");
  for (auto& chunk : states_) {
    auto wide = std::make_unique<Word[]>((std::size_t{1} << chunk_bits) * width);
    for (std::size_t i = 0; i <= chunk_mask; ++i)
      std::copy_n(&chunk[i * width_], width_, &wide[i * width]);
    chunk = std::move(wide);
  }
  width_ = width;
  rehash(table_.size());
}

} // namespace weir::engine
