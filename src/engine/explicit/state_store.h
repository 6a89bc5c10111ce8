#pragma once
// A set of states that remembers the order of insertion and each state's parent.
//
// A state is `width` words; it lives in an arena that never moves, so that pointers stay good while
// the set grows. The table holds 32 bits of hash beside each index: most look-ups that miss touch
// no state. Insertion goes in batches, with prefetching, because the table does not fit any cache.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace weir::engine {

using Word = std::uint32_t;
using StateIndex = std::uint32_t;
constexpr StateIndex no_state = ~StateIndex{0};

class StateStore {
public:
  explicit StateStore(std::size_t width);

  std::size_t width() const { return width_; }
  StateIndex size() const { return size_; }
  const Word* state(StateIndex i) const {
    return &states_[i >> chunk_bits][(i & chunk_mask) * width_];
  }
  StateIndex parent(StateIndex i) const { return parents_[i >> chunk_bits][i & chunk_mask]; }
  std::uint64_t bytes() const;
  bool is_full() const { return size_ >= most_states; }

  /// Room for `width` words that become a candidate; inserted by the next flush.
  Word* propose(StateIndex parent);
  bool wants_flush() const { return parents_of_candidates_.size() >= batch; }
  /// Inserts the candidates that are new, in the order they were proposed.
  void flush();

  /// Gives every state more words, which are 0.
  void widen(std::size_t width);

private:
  static constexpr unsigned chunk_bits = 14;
  static constexpr StateIndex chunk_mask = (StateIndex{1} << chunk_bits) - 1;
  static constexpr std::size_t batch = 192;
  static constexpr StateIndex most_states = no_state - 1;

  std::uint64_t hash(const Word* words) const;
  void rehash(std::size_t slots);
  void append(const Word* words, StateIndex parent);
  bool equal(const Word* a, const Word* b) const;

  std::size_t width_;
  StateIndex size_ = 0;
  std::vector<std::unique_ptr<Word[]>> states_;
  std::vector<std::unique_ptr<StateIndex[]>> parents_;
  std::vector<std::uint64_t> table_; ///< upper half: hash; lower half: index + 1, or 0
  std::vector<Word> candidates_;
  std::vector<StateIndex> parents_of_candidates_;
  std::vector<std::uint64_t> hashes_;
};

} // namespace weir::engine
