#include "engine/sb/sb.h"

#include "engine/sb/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <unordered_map>

namespace weir::engine {
namespace {

using namespace sb;
using NodeIndex = std::uint32_t;

/// A constraint that was kept, and where it came from.
struct Node {
  Constraint constraint;
  Step step;                       ///< to the parent
  std::optional<NodeIndex> parent; ///< none: a seed
  std::uint32_t seed = 0;
  std::uint32_t depth = 0;
  std::uint64_t signature = 0;
  bool is_live = true; ///< no other node includes it
};

struct HashPlaces {
  std::size_t operator()(const std::vector<StateIndex>& places) const {
    std::size_t hash = places.size();
    for (const StateIndex place : places) hash = (hash ^ place) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
  }
};

class Search {
public:
  Search(const lower::Automata& automata, const lower::SearchOptions& options)
      : options_(options), model_(automata), seeds_(find_seeds(model_)) {}

  lower::Reachability run() {
    for (std::uint32_t i = 0; i < seeds_.size(); ++i)
      if (const auto found = insert({seeds_[i].constraint, {}, {}, i})) return reached(*found);
    std::vector<Predecessor> before;
    while (const auto at = pop()) {
      if (const auto reason = limit_reached()) return lower::GaveUp{*reason};
      before.clear();
      find_predecessors(model_, nodes_[*at].constraint, before);
      transitions_ += before.size();
      for (Predecessor& each : before) {
        Node node{std::move(each.before), each.step, *at, nodes_[*at].seed, nodes_[*at].depth + 1};
        if (const auto found = insert(std::move(node))) return reached(*found);
      }
    }
    return lower::Unreachable{};
  }

  Statistics statistics() const { return {nodes_.size(), transitions_, depth_, bytes_, seconds()}; }

private:
  /// Keeps the node unless another one includes it. The node's index if it is initial.
  std::optional<NodeIndex> insert(Node node) {
    node.signature = model_.signature(node.constraint);
    if (is_included(node)) return std::nullopt;
    const auto index = static_cast<NodeIndex>(nodes_.size());
    auto& bucket = buckets_[node.constraint.places];
    drop_included(bucket, node);
    bucket.push_back(index);
    bytes_ += node.constraint.bytes() + sizeof(Node) - sizeof(Constraint) + 2 * sizeof(NodeIndex);
    depth_ = std::max<std::uint64_t>(depth_, node.depth);
    const std::size_t weight = node.constraint.length;
    if (weight >= waiting_.size()) waiting_.resize(weight + 1);
    waiting_[weight].push_back(index);
    nodes_.push_back(std::move(node));
    if (model_.is_initial(nodes_.back().constraint)) return index;
    return std::nullopt;
  }

  bool includes(const Node& wide, const Node& narrow) const {
    return (wide.signature & ~narrow.signature) == 0 &&
           sb::includes(model_.sets, wide.constraint, narrow.constraint);
  }

  bool is_included(const Node& node) const {
    std::vector<StateIndex> wide(node.constraint.places.size());
    return is_included(node, wide, 0);
  }

  /// Looks at the buckets of all places that cover the node's, thread by thread.
  bool is_included(const Node& node, std::vector<StateIndex>& wide, ThreadIndex p) const {
    if (p < wide.size()) {
      const auto& covering = model_.covering(p, node.constraint.places[p]);
      return std::any_of(covering.begin(), covering.end(), [&](StateIndex place) {
        wide[p] = place;
        return is_included(node, wide, p + 1);
      });
    }
    const auto bucket = buckets_.find(wide);
    if (bucket == buckets_.end()) return false;
    return std::any_of(bucket->second.begin(), bucket->second.end(),
                       [&](NodeIndex other) { return includes(nodes_[other], node); });
  }

  /// What came from dropped nodes stays: it is as good as ever.
  void drop_included(std::vector<NodeIndex>& bucket, const Node& node) {
    std::erase_if(bucket, [&](NodeIndex other) {
      if (!includes(node, nodes_[other])) return false;
      nodes_[other].is_live = false;
      return true;
    });
  }

  /// The next node to expand: one of those with fewest messages, the oldest first.
  std::optional<NodeIndex> pop() {
    for (auto& queue : waiting_)
      while (!queue.empty()) {
        const NodeIndex index = queue.front();
        queue.pop_front();
        if (nodes_[index].is_live) return index;
      }
    return std::nullopt;
  }

  lower::Reached reached(NodeIndex index) const {
    std::vector<Link> chain;
    for (NodeIndex at = index; nodes_[at].parent; at = *nodes_[at].parent)
      chain.push_back({&nodes_[at].constraint, nodes_[at].step});
    const Seed& seed = seeds_[nodes_[index].seed];
    return {seed.target, rebuild_run(model_, chain, seed)};
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

  std::optional<std::string> limit_reached() {
    const Limits& limits = options_.limits;
    if (limits.interrupted && *limits.interrupted) return "interrupted";
    if (limits.bytes && bytes_ > *limits.bytes)
      return fmt::format("the memory limit of {} MB is reached", *limits.bytes >> 20);
    if (++looks_ % 16 != 0) return std::nullopt; // the clock costs more than the rest
    if (limits.seconds && seconds() > *limits.seconds)
      return fmt::format("the time limit of {} s is reached", *limits.seconds);
    if (options_.progress) options_.progress(statistics());
    return std::nullopt;
  }

  const lower::SearchOptions& options_;
  Model model_;
  std::vector<Seed> seeds_;
  std::deque<Node> nodes_;
  std::unordered_map<std::vector<StateIndex>, std::vector<NodeIndex>, HashPlaces>
      buckets_;                                ///< live
  std::vector<std::deque<NodeIndex>> waiting_; ///< by number of messages
  std::uint64_t transitions_ = 0;
  std::uint64_t depth_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t looks_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

} // namespace

lower::Reachability check_single_buffer(const lower::Automata& automata,
                                        const lower::SearchOptions& options,
                                        Statistics& statistics) {
  Search search(automata, options);
  lower::Reachability answer = search.run();
  statistics = search.statistics();
  return answer;
}

} // namespace weir::engine
