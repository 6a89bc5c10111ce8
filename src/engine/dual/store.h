#pragma once
// The minimal constraints found so far: a bucket for each vector of positions, the work list, and
// each constraint's parent.
//
// Constraints are packed into an arena that never moves. Most comparisons are settled by 64 bits:
// "memory of x is not v", "t has a message on x that is not v", "t has an own store to x that is not
// v". What a constraint demands, one that it includes must demand too.

#include "engine/dual/constraint.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace weir::engine::dual {

using NodeIndex = std::uint32_t;
constexpr NodeIndex no_node = ~NodeIndex{0};

template <class Set> class Store {
public:
  Store(const lower::Automata& automata, bool signatures, bool removes, bool lightest_first)
      : automata_(automata), variables_(automata.variables.size()),
        threads_(automata.threads.size()), signatures_(signatures), removes_(removes),
        lightest_first_(lightest_first) {
    for (const lower::Variable& variable : automata.variables)
      full_.push_back(set_of<Set>(variable.all()));
    for (const lower::Automaton& thread : automata.threads) {
      auto& covering = covering_.emplace_back(thread.size());
      for (lower::StateIndex s = 0; s < thread.size(); ++s)
        for (lower::StateIndex g = thread.states; g < thread.size(); ++g)
          if (g != s && thread.covers(g, s)) covering[s].push_back(g);
    }
    table_.assign(64, {0, no_vector});
    wide_.resize(threads_);
    for (std::size_t i = 0, bit = 0; i < 1 + 2 * threads_; ++i)
      for (const lower::Variable& variable : automata.variables) {
        first_bit_.push_back(static_cast<int>(bit % 64));
        bit += variable.size();
      }
  }

  NodeIndex size() const { return static_cast<NodeIndex>(nodes_.size()); }
  bool is_alive(NodeIndex node) const { return nodes_[node].is_alive; }
  NodeIndex parent(NodeIndex node) const { return nodes_[node].parent; }
  bool is_full() const { return is_full_ || nodes_.size() + 1 >= no_node; }
  std::uint64_t bytes() const {
    return arena_.size() * chunk_units * sizeof(Set) + nodes_.capacity() * sizeof(Node) +
           nodes_.size() * (sizeof(Entry) + sizeof(NodeIndex)) +
           positions_.capacity() * sizeof(lower::StateIndex) + table_.capacity() * sizeof(Slot) +
           buckets_.capacity() * sizeof(buckets_[0]);
  }

  void unpack(NodeIndex node, Constraint<Set>& out) const {
    const Node& n = nodes_[node];
    const auto* at = &positions_[n.vector * threads_];
    out.at.assign(at, at + threads_);
    dual::unpack(record(n), variables_, threads_, out);
  }

  /// Stores the constraint unless one that is there includes it; forgets those it includes.
  std::optional<NodeIndex> insert(const Constraint<Set>& c, NodeIndex parent) {
    pack(c, packed_);
    const std::uint64_t signature = signatures_ ? signature_of(c) : 0;
    const std::uint32_t own_vector = vector_of(c.at);
    if (is_included(own_vector, signature)) return std::nullopt;
    if (!patterns_.empty() && is_included_widely(c.at, signature)) return std::nullopt;
    if (removes_) remove_included(own_vector, signature);
    return append(c, own_vector, signature, parent);
  }

  /// Whether a constraint that came later, with threads in groups, includes it.
  bool is_included_by_group(NodeIndex node) {
    if (patterns_.empty()) return false;
    Constraint<Set> c;
    unpack(node, c);
    pack(c, packed_);
    return is_included_widely(c.at, signatures_ ? signature_of(c) : 0);
  }

  /// The next constraint to look at: of the lightest, the oldest.
  std::optional<NodeIndex> pop() {
    for (; lightest_ < work_.size(); ++lightest_) {
      auto& [list, next] = work_[lightest_];
      while (next < list.size()) {
        const NodeIndex node = list[next++];
        if (nodes_[node].is_alive) return node;
      }
      list.clear();
      next = 0;
    }
    return std::nullopt;
  }

private:
  struct Node {
    std::uint64_t record; ///< where it is in the arena
    std::uint32_t vector;
    NodeIndex parent;
    bool is_alive;
  };
  struct Entry { ///< of a bucket
    std::uint64_t signature;
    NodeIndex node;
  };
  struct Slot { ///< of the table of vectors
    std::uint32_t hash;
    std::uint32_t vector;
  };
  struct Queue {
    std::vector<NodeIndex> list;
    std::size_t next = 0;
  };
  static constexpr std::uint32_t no_vector = ~std::uint32_t{0};
  static constexpr std::size_t chunk_units = std::size_t{1} << 15;

  const Set* record(const Node& node) const {
    return &arena_[node.record / chunk_units][node.record % chunk_units];
  }

  /// The values that a set leaves out, as bits of the signature from this one on.
  static std::uint64_t left_out(const lower::ValueSet& set, const lower::ValueSet& full, int bit) {
    return set == full ? 0 : std::uint64_t{1} << bit;
  }
  template <class Small> static std::uint64_t left_out(Small set, Small full, int bit) {
    return std::rotl(static_cast<std::uint64_t>(static_cast<Small>(full & ~set)), bit);
  }

  std::uint64_t signature_of(const Constraint<Set>& c) const {
    std::uint64_t result = 0;
    const int* bits = first_bit_.data();
    for (std::size_t x = 0; x < variables_; ++x) result |= left_out(c.memory[x], full_[x], bits[x]);
    for (const LoadBuffer<Set>& buffer : c.buffers) {
      bits += variables_;
      for (const Message<Set>& m : buffer.messages)
        result |= left_out(m.values, full_[m.variable], bits[m.variable]);
      bits += variables_;
      for (const OwnStore<Set>& o : buffer.own)
        result |= left_out(o.values, full_[o.variable], bits[o.variable]);
    }
    return result;
  }

  // ---- vectors of positions -------------------------------------------------------------------

  static std::uint32_t hash(const lower::StateIndex* at, std::size_t count) {
    std::uint64_t h = 0x9E3779B97F4A7C15u;
    for (std::size_t i = 0; i < count; ++i) {
      h = (h ^ at[i]) * 0xFF51AFD7ED558CCDu;
      h ^= h >> 29;
    }
    return static_cast<std::uint32_t>(h);
  }

  /// The slot of the table with this vector, or an empty one.
  std::size_t slot_of(const std::vector<lower::StateIndex>& at, std::uint32_t hashed) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = hashed & mask;
    while (table_[slot].vector != no_vector &&
           (table_[slot].hash != hashed ||
            !std::equal(at.begin(), at.end(), &positions_[table_[slot].vector * threads_])))
      slot = (slot + 1) & mask;
    return slot;
  }

  std::uint32_t vector_of(const std::vector<lower::StateIndex>& at) {
    const std::uint32_t hashed = hash(at.data(), threads_);
    const std::size_t slot = slot_of(at, hashed);
    if (table_[slot].vector != no_vector) return table_[slot].vector;
    const auto number = static_cast<std::uint32_t>(buckets_.size());
    buckets_.emplace_back();
    positions_.insert(positions_.end(), at.begin(), at.end());
    table_[slot] = {hashed, number};
    note_groups(at);
    if (buckets_.size() * 2 > table_.size()) grow();
    return number;
  }

  void grow() {
    std::vector<Slot> old(table_.size() * 2, {0, no_vector});
    old.swap(table_);
    const std::size_t mask = table_.size() - 1;
    for (const Slot& one : old) {
      if (one.vector == no_vector) continue;
      std::size_t slot = one.hash & mask;
      while (table_[slot].vector != no_vector) slot = (slot + 1) & mask;
      table_[slot] = one;
    }
  }

  /// Which threads are in groups, as bits. With more than 64 threads nobody asks.
  std::uint64_t groups_of(const std::vector<lower::StateIndex>& at) const {
    std::uint64_t result = 0;
    for (std::size_t t = 0; t < threads_ && threads_ <= 64; ++t)
      if (at[t] >= automata_.threads[t].states) result |= std::uint64_t{1} << t;
    return result;
  }

  /// Remembers which threads are in groups, so that only such generalisations are looked up.
  void note_groups(const std::vector<lower::StateIndex>& at) {
    if (const std::uint64_t groups = groups_of(at);
        groups != 0 && known_patterns_.insert(groups).second)
      patterns_.push_back(groups);
  }

  // ---- comparing ------------------------------------------------------------------------------

  bool is_included(std::uint32_t vector, std::uint64_t signature) const {
    for (const Entry& entry : buckets_[vector])
      if ((entry.signature & ~signature) == 0 &&
          includes(record(nodes_[entry.node]), packed_.data(), variables_, threads_))
        return true;
    return false;
  }

  /// The same in the buckets of vectors in which some threads are in groups around where they are.
  bool is_included_widely(const std::vector<lower::StateIndex>& at, std::uint64_t signature) {
    const std::uint64_t own = groups_of(at);
    for (const std::uint64_t pattern : patterns_) {
      if ((own & ~pattern) != 0) continue; // a state does not cover a group
      wide_ = at;
      if (is_included_from(0, pattern, at, signature)) return true;
    }
    return false;
  }

  bool is_included_from(std::size_t t, std::uint64_t pattern,
                        const std::vector<lower::StateIndex>& at, std::uint64_t signature) {
    for (; t < threads_; ++t) {
      if ((pattern >> t & 1) == 0) continue;
      for (const lower::StateIndex group : covering_[t][at[t]]) {
        wide_[t] = group;
        if (is_included_from(t + 1, pattern, at, signature)) return true;
      }
      wide_[t] = at[t];
      if (at[t] < automata_.threads[t].states) return false;
    }
    if (wide_ == at) return false; // looked at before
    const std::size_t slot = slot_of(wide_, hash(wide_.data(), threads_));
    return table_[slot].vector != no_vector && is_included(table_[slot].vector, signature);
  }

  void remove_included(std::uint32_t vector, std::uint64_t signature) {
    std::erase_if(buckets_[vector], [&](const Entry& entry) {
      Node& node = nodes_[entry.node];
      if ((signature & ~entry.signature) != 0 ||
          !includes(packed_.data(), record(node), variables_, threads_))
        return false;
      node.is_alive = false;
      return true;
    });
  }

  // ---- storing --------------------------------------------------------------------------------

  NodeIndex append(const Constraint<Set>& c, std::uint32_t vector, std::uint64_t signature,
                   NodeIndex parent) {
    const auto index = static_cast<NodeIndex>(nodes_.size());
    nodes_.push_back({store_packed(), vector, parent, true});
    buckets_[vector].push_back({signature, index});
    std::size_t weight = 0;
    for (const LoadBuffer<Set>& buffer : c.buffers) {
      weight += 2 * buffer.messages.size() + buffer.own.size();
      is_full_ = is_full_ || buffer.messages.size() > longest_buffer;
    }
    if (!lightest_first_) weight = 0;
    if (weight >= work_.size()) work_.resize(weight + 1);
    work_[weight].list.push_back(index);
    lightest_ = std::min(lightest_, weight);
    return index;
  }

  std::uint64_t store_packed() {
    if (packed_.size() > chunk_units) {
      is_full_ = true; // the search stops before it is read
      packed_.resize(chunk_units);
    }
    if (arena_.empty() || used_ + packed_.size() > chunk_units) {
      arena_.push_back(std::make_unique_for_overwrite<Set[]>(chunk_units));
      used_ = 0;
    }
    std::copy(packed_.begin(), packed_.end(), &arena_.back()[used_]);
    const std::uint64_t at = (arena_.size() - 1) * chunk_units + used_;
    used_ += packed_.size();
    return at;
  }

  static constexpr std::size_t longest_buffer = 10'000;

  const lower::Automata& automata_;
  std::size_t variables_, threads_;
  bool signatures_, removes_, lightest_first_;
  std::vector<Set> full_;
  std::vector<int> first_bit_; ///< of memory, then of each thread's messages and own stores
  std::vector<std::vector<std::vector<lower::StateIndex>>> covering_; ///< groups around a position
  std::vector<std::unique_ptr<Set[]>> arena_;
  std::size_t used_ = 0;
  std::vector<Node> nodes_;
  std::vector<lower::StateIndex> positions_; ///< of all vectors
  std::vector<std::vector<Entry>> buckets_;  ///< by vector
  std::vector<Slot> table_;                  ///< hash table of vectors
  std::vector<std::uint64_t> patterns_;      ///< which threads are in groups, in some vector
  std::unordered_set<std::uint64_t> known_patterns_; ///< the same
  bool is_full_ = false;
  std::vector<Queue> work_; ///< by weight
  std::size_t lightest_ = 0;
  std::vector<Set> packed_;
  std::vector<lower::StateIndex> wide_;
};

} // namespace weir::engine::dual
