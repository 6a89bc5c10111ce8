#include "lower/shrink.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace weir::lower {
namespace {

using Signature = std::vector<std::uint32_t>;

/// Numbers for signatures, in the order they come.
class Numbering {
public:
  std::uint32_t operator()(const Signature& signature) {
    return known_.emplace(signature, static_cast<std::uint32_t>(known_.size())).first->second;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(known_.size()); }

private:
  struct Hash {
    std::size_t operator()(const Signature& signature) const {
      std::size_t h = signature.size();
      for (const std::uint32_t part : signature) h = (h ^ part) * 0x9E3779B97F4A7C15u + (h >> 32);
      return h;
    }
  };
  std::unordered_map<Signature, std::uint32_t, Hash> known_;
};

class Shrinker {
public:
  Shrinker(const Unfolding& unfolding, const Apart& apart, bool merges, Watch& watch)
      : apart_(apart), merges_(merges), watch_(watch) {
    for (const UnfoldedVariable& variable : unfolding.variables) {
      ShrunkVariable& shrunk = result_.variables.emplace_back();
      shrunk.class_of.resize(variable.values.size());
      std::iota(shrunk.class_of.begin(), shrunk.class_of.end(), 0u);
      shrunk.classes = static_cast<std::uint32_t>(variable.values.size());
      shrunk.is_visible = true;
    }
    for (std::size_t t = 0; t < unfolding.threads.size(); ++t) {
      const UnfoldedThread& thread = unfolding.threads[t];
      ShrunkThread& shrunk = result_.threads.emplace_back();
      shrunk.states = static_cast<std::uint32_t>(thread.locations.size());
      shrunk.mark = apart.mark[t];
      shrunk.sort = apart.sort[t];
      shrunk.initial.assign(shrunk.states, false);
      shrunk.initial[0] = true;
      for (StateIndex s = 0; s < shrunk.states; ++s) shrunk.state_of.emplace_back(s);
      for (const UnfoldedStep& step : thread.steps) {
        ShrunkEdge& edge = shrunk.edges.emplace_back();
        edge.from = step.from, edge.to = step.to, edge.kind = step.kind;
        for (const auto& [variable, value] : step.reads)
          edge.reads.emplace_back(variable, std::vector{value});
        edge.writes = step.writes;
      }
    }
  }

  Shrunk run() {
    for (std::size_t before = ~std::size_t{0}; size() < before && !watch_.reason();) {
      before = size();
      for (ShrunkThread& thread : result_.threads) {
        simplify(thread);
        fuse_fences(thread);
        while (leave_out_local(thread)) simplify(thread);
        while (pull_back_local(thread)) simplify(thread);
        leave_out_unreachable(thread);
      }
      if (merges_) merge_alike();
    }
    for (ShrunkThread& thread : result_.threads) {
      put_in_order(thread);
      simplify(thread);
    }
    return std::move(result_);
  }

private:
  std::size_t size() const {
    std::size_t total = 0;
    for (const ShrunkThread& thread : result_.threads) total += thread.states + thread.edges.size();
    for (const ShrunkVariable& variable : result_.variables) total += variable.classes;
    return total;
  }

  // ---- edges ----------------------------------------------------------------------------------

  bool is_any(const std::pair<VariableIndex, std::vector<std::uint32_t>>& read) const {
    return read.second.size() == result_.variables[read.first].classes;
  }

  /// Steps that others cannot notice become local; equal ones are merged; loops that do nothing go.
  void simplify(ShrunkThread& thread) const {
    for (ShrunkEdge& edge : thread.edges) {
      std::erase_if(edge.writes,
                    [&](const auto& w) { return !result_.variables[w.first].is_visible; });
      std::erase_if(edge.reads, [&](const auto& r) {
        return !result_.variables[r.first].is_visible || is_any(r);
      });
      const bool is_empty = edge.kind == Op::Kind::Read ? edge.reads.empty() : edge.writes.empty();
      if ((edge.kind == Op::Kind::Read || edge.kind == Op::Kind::Write) && is_empty)
        edge.kind = Op::Kind::Nop;
    }
    std::erase_if(thread.edges, [](const ShrunkEdge& edge) {
      return edge.from == edge.to && edge.writes.empty();
    });
    merge_reads(thread);
  }

  /// Edges that differ only in the values of one variable they read are one.
  void merge_reads(ShrunkThread& thread) const {
    auto& edges = thread.edges;
    std::size_t most_reads = 1;
    for (const ShrunkEdge& edge : edges) most_reads = std::max(most_reads, edge.reads.size());
    for (std::size_t i = 0; i < most_reads; ++i) {
      // The values of the i-th read apart, so that edges that are to be one compare as equal.
      std::vector<std::pair<ShrunkEdge, std::vector<std::uint32_t>>> apart;
      apart.reserve(edges.size());
      for (ShrunkEdge& edge : edges) {
        auto& [kept, values] = apart.emplace_back(std::move(edge), std::vector<std::uint32_t>());
        if (i < kept.reads.size()) values.swap(kept.reads[i].second);
      }
      std::sort(apart.begin(), apart.end());
      edges.clear();
      for (auto& [edge, values] : apart) {
        const bool is_read = i < edge.reads.size();
        if (!edges.empty() && is_same_without(edges.back(), edge, i)) {
          if (is_read) join(edges.back().reads[i].second, values);
          continue;
        }
        if (is_read) edge.reads[i].second = std::move(values);
        edges.push_back(std::move(edge));
      }
    }
    // What was merged may now take any value.
    bool again = false;
    for (ShrunkEdge& edge : thread.edges)
      again = again || std::any_of(edge.reads.begin(), edge.reads.end(),
                                   [&](const auto& r) { return is_any(r); });
    if (again) simplify(thread);
  }

  /// Whether the edges are the same but for the values of the i-th read, which `bare` lacks.
  static bool is_same_without(ShrunkEdge& edge, const ShrunkEdge& bare, std::size_t i) {
    if (i >= edge.reads.size()) return edge == bare;
    std::vector<std::uint32_t> values;
    values.swap(edge.reads[i].second);
    const bool is_same = edge == bare;
    values.swap(edge.reads[i].second);
    return is_same;
  }

  static void join(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& more) {
    into.insert(into.end(), more.begin(), more.end());
    std::sort(into.begin(), into.end());
    into.erase(std::unique(into.begin(), into.end()), into.end());
  }

  // ---- local steps ----------------------------------------------------------------------------

  /// `x = v; fence` is a locked store: between the two nobody can do anything that could not be
  /// done before both.
  void fuse_fences(ShrunkThread& thread) const {
    std::vector<std::vector<std::size_t>> out = outgoing(thread);
    for (ShrunkEdge& edge : thread.edges) {
      if (edge.kind != Op::Kind::Write || thread.mark[edge.to] != 0 || out[edge.to].size() != 1)
        continue;
      const ShrunkEdge& next = thread.edges[out[edge.to][0]];
      if (next.kind != Op::Kind::Atomic || !next.reads.empty() || !next.writes.empty()) continue;
      edge.kind = Op::Kind::Atomic;
      edge.to = next.to;
    }
  }

  static std::vector<std::vector<std::size_t>> outgoing(const ShrunkThread& thread) {
    std::vector<std::vector<std::size_t>> out(thread.states);
    for (std::size_t e = 0; e < thread.edges.size(); ++e) out[thread.edges[e].from].push_back(e);
    return out;
  }

  /// States without a mark from which all steps are local: who comes there goes on at once.
  /// Returns whether there were any; neighbours are left for the next time.
  static bool leave_out_local(ShrunkThread& thread) {
    std::vector<std::set<StateIndex>> next(thread.states);
    std::vector<bool> is_local(thread.states, true), is_needed(thread.states);
    std::vector<std::uint32_t> incoming(thread.states);
    for (const ShrunkEdge& edge : thread.edges) {
      if (edge.kind != Op::Kind::Nop || thread.sort[edge.from] != thread.sort[edge.to])
        is_local[edge.from] = false;
      next[edge.from].insert(edge.to);
      ++incoming[edge.to];
    }
    bool found = false;
    std::vector<std::optional<std::set<StateIndex>>> replaced(thread.states);
    for (StateIndex s = 0; s < thread.states; ++s) {
      if (thread.mark[s] != 0 || !is_local[s] || next[s].empty() || is_needed[s]) continue;
      const std::size_t count = next[s].size();
      const std::size_t coming = std::max(incoming[s], 1u);
      if (count > 1 && count * coming > count + coming) continue;
      if (std::any_of(next[s].begin(), next[s].end(),
                      [&](StateIndex to) { return replaced[to].has_value(); }))
        continue;
      for (const StateIndex to : next[s]) is_needed[to] = true;
      replaced[s] = next[s];
      found = true;
    }
    if (found) redirect(thread, replaced);
    return found;
  }

  /// States without a mark that can only be come to by one local step: they are where that starts.
  /// Returns whether there were any; neighbours are left for the next time.
  static bool pull_back_local(ShrunkThread& thread) {
    std::vector<std::uint32_t> incoming(thread.states);
    for (const ShrunkEdge& edge : thread.edges) ++incoming[edge.to];
    std::vector<std::optional<StateIndex>> number(thread.states);
    for (StateIndex s = 0; s < thread.states; ++s) number[s] = s;
    std::vector<bool> is_busy(thread.states);
    bool found = false;
    for (ShrunkEdge& edge : thread.edges) {
      const auto [s, t] = std::pair(edge.from, edge.to);
      if (edge.kind != Op::Kind::Nop || s == t || incoming[t] != 1 || thread.mark[t] != 0 ||
          thread.initial[t] || thread.sort[s] != thread.sort[t] || is_busy[s] || is_busy[t])
        continue;
      is_busy[s] = is_busy[t] = found = true;
      number[t].reset();
      edge.to = s; // a loop that simplify() drops
      for (ShrunkEdge& other : thread.edges)
        if (other.from == t) other.from = s;
    }
    if (!found) return false;
    StateIndex count = 0;
    for (auto& one : number)
      if (one) one = count++;
    renumber(thread, number, count);
    return true;
  }

  static void redirect(ShrunkThread& thread,
                       const std::vector<std::optional<std::set<StateIndex>>>& replaced) {
    std::vector<ShrunkEdge> edges;
    for (ShrunkEdge& edge : thread.edges) {
      if (replaced[edge.from]) continue;
      if (!replaced[edge.to]) {
        edges.push_back(std::move(edge));
        continue;
      }
      for (const StateIndex to : *replaced[edge.to]) {
        edges.push_back(edge);
        edges.back().to = to;
      }
    }
    thread.edges = std::move(edges);
    for (StateIndex s = 0; s < thread.states; ++s)
      if (replaced[s] && thread.initial[s])
        for (const StateIndex to : *replaced[s]) thread.initial[to] = true;
    std::vector<std::optional<StateIndex>> kept(thread.states);
    StateIndex count = 0;
    for (StateIndex s = 0; s < thread.states; ++s)
      if (!replaced[s]) kept[s] = count++;
    renumber(thread, kept, count);
  }

  static void leave_out_unreachable(ShrunkThread& thread) {
    const auto out = outgoing(thread);
    std::vector<bool> reached = thread.initial;
    std::vector<StateIndex> work;
    for (StateIndex s = 0; s < thread.states; ++s)
      if (reached[s]) work.push_back(s);
    while (!work.empty()) {
      const StateIndex s = work.back();
      work.pop_back();
      for (const std::size_t e : out[s])
        if (const StateIndex to = thread.edges[e].to; !reached[to]) {
          reached[to] = true;
          work.push_back(to);
        }
    }
    std::vector<std::optional<StateIndex>> kept(thread.states);
    StateIndex count = 0;
    for (StateIndex s = 0; s < thread.states; ++s)
      if (reached[s]) kept[s] = count++;
    std::erase_if(thread.edges, [&](const ShrunkEdge& edge) { return !reached[edge.from]; });
    renumber(thread, kept, count);
  }

  /// Numbers states as they are come to, breadth first: for readers, and the same on every machine.
  static void put_in_order(ShrunkThread& thread) {
    const auto out = outgoing(thread);
    std::vector<std::optional<StateIndex>> number(thread.states);
    std::vector<StateIndex> order;
    const auto come_to = [&](StateIndex s) {
      if (number[s]) return;
      number[s] = static_cast<StateIndex>(order.size());
      order.push_back(s);
    };
    for (StateIndex s = 0; s < thread.states; ++s)
      if (thread.initial[s]) come_to(s);
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const std::size_t e : out[order[i]]) come_to(thread.edges[e].to);
    for (StateIndex s = 0; s < thread.states; ++s) come_to(s);
    renumber(thread, number, thread.states);
  }

  /// States get new numbers; several may get the same, some none.
  static void renumber(ShrunkThread& thread, const std::vector<std::optional<StateIndex>>& number,
                       std::uint32_t count) {
    ShrunkThread next;
    next.states = count;
    next.mark.resize(count);
    next.sort.resize(count);
    next.initial.resize(count);
    for (StateIndex s = 0; s < thread.states; ++s) {
      if (!number[s]) continue;
      next.mark[*number[s]] = thread.mark[s];
      next.sort[*number[s]] = thread.sort[s];
      if (thread.initial[s]) next.initial[*number[s]] = true;
    }
    for (ShrunkEdge& edge : thread.edges) {
      edge.from = *number[edge.from];
      edge.to = *number[edge.to];
    }
    next.edges = std::move(thread.edges);
    for (const auto& state : thread.state_of)
      next.state_of.push_back(state ? number[*state] : std::nullopt);
    thread = std::move(next);
  }

  // ---- states and values that are alike -------------------------------------------------------

  /// The coarsest partition of states and of values that is stable: from states of one block, the
  /// same steps on the same classes lead to the same blocks; values of one class are read by the
  /// same steps everywhere.
  void merge_alike() {
    block_.clear();
    blocks_.clear();
    std::size_t count = 0; // of classes of values
    for (const ShrunkThread& thread : result_.threads) {
      Numbering numbers;
      auto& blocks = block_.emplace_back();
      for (StateIndex s = 0; s < thread.states; ++s)
        blocks.push_back(numbers({thread.mark[s], thread.sort[s]}));
      blocks_.push_back(numbers.size());
    }
    class_.clear();
    for (std::size_t v = 0; v < result_.variables.size(); ++v) {
      auto& classes = class_.emplace_back(result_.variables[v].classes, 0u);
      if (apart_.pinned[v]) std::iota(classes.begin(), classes.end(), 0u);
      count += apart_.pinned[v] ? classes.size() : std::min<std::size_t>(classes.size(), 1);
    }
    // States to the end, then values once, and again: a change in values is rare and costs a look
    // at everything.
    for (std::size_t before = ~count; before != count;) {
      before = count;
      for (std::size_t t = 0; t < result_.threads.size(); ++t) split_states(t);
      count = split_values();
      if (watch_.reason()) return; // not stable yet, so not to be used
    }
    apply();
  }

  /// The step of an edge in terms of blocks and classes, without the values of its i-th read. The
  /// other reads then count value by value: a class of theirs may not be one yet.
  Signature signature(std::size_t t, const ShrunkEdge& edge, std::size_t without) const {
    Signature result{static_cast<std::uint32_t>(edge.kind), block_[t][edge.to]};
    for (std::size_t i = 0; i < edge.reads.size(); ++i) {
      const auto& [variable, values] = edge.reads[i];
      std::set<std::uint32_t> classes;
      if (i != without)
        for (const std::uint32_t value : values)
          classes.insert(without < edge.reads.size() ? value : class_[variable][value]);
      result.push_back(variable);
      result.push_back(static_cast<std::uint32_t>(classes.size()));
      result.insert(result.end(), classes.begin(), classes.end());
    }
    for (const auto& [variable, value] : edge.writes) {
      result.push_back(~variable);
      result.push_back(class_[variable][value]);
    }
    return result;
  }

  std::size_t split_values() {
    std::vector<std::vector<Signature>> readers(class_.size());
    for (std::size_t v = 0; v < class_.size(); ++v) {
      for (const std::uint32_t old : class_[v]) readers[v].push_back({old});
    }
    Numbering uses;
    for (std::size_t t = 0; t < result_.threads.size(); ++t)
      for (const ShrunkEdge& edge : result_.threads[t].edges)
        for (std::size_t i = 0; i < edge.reads.size() && !watch_.is_over(); ++i) {
          Signature use = signature(t, edge, i);
          use.push_back(static_cast<std::uint32_t>(t));
          use.push_back(edge.from);
          const std::uint32_t number = uses(use);
          for (const std::uint32_t value : edge.reads[i].second)
            readers[edge.reads[i].first][value].push_back(number);
        }
    std::size_t count = 0;
    for (std::size_t v = 0; v < class_.size(); ++v) {
      Numbering numbers;
      for (std::size_t value = 0; value < class_[v].size(); ++value) {
        Signature& one = readers[v][value];
        std::sort(one.begin() + 1, one.end());
        one.erase(std::unique(one.begin() + 1, one.end()), one.end());
        class_[v][value] = numbers(one);
      }
      count += numbers.size();
    }
    return count;
  }

  /// Splits the blocks of a thread until states of a block do the same. Only states with a successor
  /// in a block that was split are looked at again.
  void split_states(std::size_t t) {
    const ShrunkThread& thread = result_.threads[t];
    const auto out = outgoing(thread);
    std::vector<std::vector<StateIndex>> before(thread.states), members(blocks_[t]);
    for (const ShrunkEdge& edge : thread.edges) before[edge.to].push_back(edge.from);
    for (StateIndex s = 0; s < thread.states; ++s) members[block_[t][s]].push_back(s);
    Numbering kinds;
    const auto does = [&](StateIndex s) {
      Signature result;
      for (const std::size_t e : out[s])
        result.push_back(kinds(signature(t, thread.edges[e], ~std::size_t{0})));
      std::sort(result.begin(), result.end());
      result.erase(std::unique(result.begin(), result.end()), result.end());
      return result;
    };
    std::vector<bool> is_dirty(thread.states, true);
    std::vector<StateIndex> dirty(thread.states);
    std::iota(dirty.begin(), dirty.end(), 0u);
    while (!dirty.empty() && !watch_.reason()) {
      std::map<std::uint32_t, std::vector<StateIndex>> by_block;
      for (const StateIndex s : dirty) by_block[block_[t][s]].push_back(s);
      std::vector<StateIndex> moved;
      for (const auto& [block, suspects] : by_block) {
        if (watch_.is_over()) return;
        split_block(t, block, suspects, is_dirty, members, does, moved);
      }
      for (const StateIndex s : dirty) is_dirty[s] = false;
      dirty.clear();
      for (const StateIndex s : moved)
        for (const StateIndex earlier : before[s])
          if (!is_dirty[earlier]) {
            is_dirty[earlier] = true;
            dirty.push_back(earlier);
          }
    }
  }

  /// The suspects that do otherwise than the rest of their block leave it, to blocks of their own. If
  /// all are suspects, the first one stays.
  template <class Does>
  void split_block(std::size_t t, std::uint32_t block, const std::vector<StateIndex>& suspects,
                   const std::vector<bool>& is_dirty, std::vector<std::vector<StateIndex>>& members,
                   Does&& does, std::vector<StateIndex>& moved) {
    if (members[block].size() == 1) return;
    const auto rest = std::find_if(members[block].begin(), members[block].end(),
                                   [&](StateIndex s) { return !is_dirty[s]; });
    const Signature stays = does(rest == members[block].end() ? suspects.front() : *rest);
    std::map<Signature, std::uint32_t> others;
    const std::size_t first_moved = moved.size();
    for (const StateIndex s : suspects) {
      const Signature one = does(s);
      if (one == stays) continue;
      const auto [found, is_new] = others.emplace(one, blocks_[t]);
      if (is_new) {
        ++blocks_[t];
        members.emplace_back();
      }
      moved.push_back(s);
      members[found->second].push_back(s);
    }
    if (moved.size() == first_moved) return;
    for (const auto& [signature, number] : others)
      for (const StateIndex s : members[number]) block_[t][s] = number;
    std::erase_if(members[block], [&](StateIndex s) { return block_[t][s] != block; });
  }

  void apply() {
    for (std::size_t v = 0; v < class_.size(); ++v) {
      ShrunkVariable& variable = result_.variables[v];
      for (std::uint32_t& klass : variable.class_of) klass = class_[v][klass];
      variable.classes =
          class_[v].empty() ? 0 : *std::max_element(class_[v].begin(), class_[v].end()) + 1;
      variable.is_visible = variable.classes > 1;
    }
    for (std::size_t t = 0; t < result_.threads.size(); ++t) {
      ShrunkThread& thread = result_.threads[t];
      for (ShrunkEdge& edge : thread.edges) {
        for (auto& [variable, values] : edge.reads) {
          for (std::uint32_t& value : values) value = class_[variable][value];
          std::sort(values.begin(), values.end());
          values.erase(std::unique(values.begin(), values.end()), values.end());
        }
        for (auto& [variable, value] : edge.writes) value = class_[variable][value];
      }
      std::vector<std::optional<StateIndex>> number(block_[t].begin(), block_[t].end());
      const std::uint32_t count =
          number.empty() ? 0 : *std::max_element(block_[t].begin(), block_[t].end()) + 1;
      renumber(thread, number, count);
      simplify(thread);
    }
  }

  const Apart& apart_;
  bool merges_;
  Watch& watch_;
  Shrunk result_;
  std::vector<std::vector<std::uint32_t>> block_; ///< by thread and state
  std::vector<std::uint32_t> blocks_;             ///< by thread: how many
  std::vector<std::vector<std::uint32_t>> class_; ///< by variable and value
};

} // namespace

Shrunk shrink(const Unfolding& unfolding, const Apart& apart, bool merges, Watch& watch) {
  return Shrinker(unfolding, apart, merges, watch).run();
}

} // namespace weir::lower
