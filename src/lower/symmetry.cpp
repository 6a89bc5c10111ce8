#include "lower/symmetry.h"

#include "lower/colouring.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

// Automorphisms are found by colour refinement on two copies of the automata as a graph. Where that
// does not say where a node goes, one is chosen. What comes out is checked by the definition before
// it is believed.

namespace weir::lower {
namespace {

// When finding them is too hard.
constexpr std::size_t most_threads = 6;
constexpr std::size_t most_edges = 100'000;    ///< of the graph
constexpr std::uint64_t most_work = 1'000'000; ///< edges looked at, over all refinements
constexpr unsigned most_choices = 200;         ///< for one permutation of the threads

// ---- the graph ----------------------------------------------------------------------------------

/// Which threads could change places as far as their numbers of things tell: for each, the first
/// that looks like it.
std::vector<std::uint32_t> lookalikes(const Automata& automata) {
  using Numbers = std::array<std::size_t, 9>;
  std::vector<Numbers> numbers;
  for (const Automaton& thread : automata.threads) {
    Numbers& n =
        numbers.emplace_back(Numbers{thread.states, thread.size(), thread.own_transitions});
    for (const Transition& t : thread.transitions) ++n[3 + static_cast<std::size_t>(t.op.kind)];
    for (StateIndex s = 0; s < thread.size(); ++s) {
      n[7] += thread.initial[s];
      n[8] += thread.holds_section[s];
    }
  }
  std::vector<std::uint32_t> first;
  for (const Numbers& n : numbers)
    first.push_back(
        static_cast<std::uint32_t>(std::find(numbers.begin(), numbers.end(), n) - numbers.begin()));
  return first;
}

/// How two nodes are joined, where their sorts do not tell.
enum class Role : std::uint32_t { Part, From, To, Reads, Writes };

/// The automata as a graph: its automorphisms, as far as they concern threads, positions, variables
/// and values, are those of the automata. (If a transition or target is listed twice, they respect
/// that too.) Nodes are threads, positions, variables and values, then transitions and targets.
struct Graph : ColouredGraph {
  std::uint32_t threads = 0;
  std::uint32_t things = 0;                  ///< how many nodes are not transitions or targets
  std::vector<std::uint32_t> first_position; ///< by thread: the node
  std::uint32_t first_variable = 0;          ///< the node
  std::vector<std::uint32_t> first_value;    ///< by variable: the node
  std::vector<std::uint32_t> local;          ///< by thing: its number in its thread or variable
};

class GraphMaker {
public:
  GraphMaker(const Automata& automata, const std::vector<std::uint32_t>& lookalike)
      : automata_(automata) {
    graph_.threads = static_cast<std::uint32_t>(automata.threads.size());
    for (const std::uint32_t tag : lookalike) node(Sort::Thread, tag);
    for (ThreadIndex t = 0; t < graph_.threads; ++t) add_positions(t);
    graph_.first_variable = graph_.nodes();
    for (const Variable& variable : automata.variables) node(Sort::Variable, variable.size());
    for (VariableIndex x = 0; x < automata.variables.size(); ++x) add_values(x);
    graph_.things = graph_.nodes();
    number_things();
    for (ThreadIndex t = 0; t < graph_.threads && !is_big(); ++t)
      for (const Transition& transition : automata.threads[t].transitions) add(t, transition);
    for (const Target& target : automata.targets)
      if (!is_big()) add(target);
  }

  /// None if it is too big.
  std::optional<Graph> result() {
    if (is_big()) return std::nullopt;
    auto& first = graph_.first;
    first.assign(graph_.nodes() + 2, 0);
    for (const auto& [a, b, role] : edges_) ++first[a + 2], ++first[b + 2];
    std::partial_sum(first.begin(), first.end(), first.begin());
    graph_.edges.resize(2 * edges_.size());
    for (const auto& [a, b, role] : edges_) {
      graph_.edges[first[a + 1]++] = {b, role};
      graph_.edges[first[b + 1]++] = {a, role};
    }
    return std::move(graph_);
  }

private:
  enum class Sort : std::uint32_t { Thread, State, Group, Variable, Value, Transition, Target };
  struct Joined {
    std::uint32_t a, b, role;
  };

  bool is_big() const { return edges_.size() > most_edges; }

  std::uint32_t node(Sort sort, std::uint32_t detail) {
    graph_.colour.push_back(static_cast<std::uint32_t>(sort) * 1024 + detail);
    return graph_.nodes() - 1;
  }
  void join(std::uint32_t a, std::uint32_t b, Role role) {
    edges_.push_back({a, b, static_cast<std::uint32_t>(role)});
  }

  void add_positions(ThreadIndex t) {
    const Automaton& thread = automata_.threads[t];
    const std::uint32_t base = graph_.nodes();
    graph_.first_position.push_back(base);
    for (StateIndex s = 0; s < thread.size(); ++s) {
      const unsigned flags = (thread.initial[s] ? 1u : 0u) + (thread.holds_section[s] ? 2u : 0u);
      join(node(s < thread.states ? Sort::State : Sort::Group, flags), t, Role::Part);
    }
    for (std::uint32_t g = 0; g < thread.groups.size(); ++g)
      for (StateIndex s = 0; s < thread.states; ++s)
        if (thread.groups[g][s]) join(base + thread.states + g, base + s, Role::Part);
  }

  void add_values(VariableIndex x) {
    const Variable& variable = automata_.variables[x];
    graph_.first_value.push_back(graph_.nodes());
    for (std::uint32_t v = 0; v < variable.size(); ++v)
      join(node(Sort::Value, variable.initial[v]), graph_.first_variable + x, Role::Part);
  }

  void number_things() {
    auto& local = graph_.local;
    const auto count = [&](std::size_t n) {
      for (std::uint32_t i = 0; i < n; ++i) local.push_back(i);
    };
    count(automata_.threads.size());
    for (const Automaton& thread : automata_.threads) count(thread.size());
    count(automata_.variables.size());
    for (const Variable& variable : automata_.variables) count(variable.size());
  }

  void join_values(std::uint32_t from, const Among& among, Role role) {
    const std::uint32_t size = automata_.variables[among.variable].size();
    for (std::uint32_t v = 0; v < size; ++v)
      if (among.values[v]) join(from, graph_.first_value[among.variable] + v, role);
  }

  void add(ThreadIndex t, const Transition& transition) {
    const Op& op = transition.op;
    const std::uint32_t from = node(Sort::Transition, static_cast<std::uint32_t>(op.kind));
    join(from, graph_.first_position[t] + transition.from, Role::From);
    join(from, graph_.first_position[t] + transition.to, Role::To);
    for (const Among& read : op.reads) join_values(from, read, Role::Reads);
    for (const Becomes& write : op.writes)
      join(from, graph_.first_value[write.variable] + write.value, Role::Writes);
  }

  void add(const Target& target) {
    const std::uint32_t from = node(Sort::Target, 0);
    for (ThreadIndex t = 0; t < graph_.threads; ++t)
      join(from, graph_.first_position[t] + target.at[t], Role::Part);
    for (const Among& memory : target.memory) join_values(from, memory, Role::Reads);
  }

  const Automata& automata_;
  Graph graph_;
  std::vector<Joined> edges_;
};

// ---- the group ----------------------------------------------------------------------------------

/// Automorphisms closed under composition, one for each permutation of the threads among them.
class Group {
public:
  explicit Group(Automorphism identity) : members_{std::move(identity)} {}

  const std::vector<Automorphism>& members() const { return members_; }

  /// Whether some permutation of the threads that begins like this is not among them.
  bool lacks(const std::vector<ThreadIndex>& beginning) const {
    const std::size_t possible = factorial(members_.front().thread.size() - beginning.size());
    std::size_t present = 0;
    for (const Automorphism& member : members_)
      present += std::equal(beginning.begin(), beginning.end(), member.thread.begin());
    return present < possible;
  }

  /// Adds it and what follows; or nothing, if then one permutation of the threads had two.
  bool add(const Automorphism& generator) {
    auto generators = generators_;
    generators.push_back(generator);
    auto members = members_;
    std::vector<std::uint32_t> where(factorial(generator.thread.size()), none); // by rank
    for (std::uint32_t i = 0; i < members.size(); ++i) where[rank(members[i].thread)] = i;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const Automorphism& next : generators) {
        Automorphism product = composed(members[i], next);
        std::uint32_t& same = where[rank(product.thread)];
        if (same != none && members[same] != product) return false;
        if (same != none) continue;
        same = static_cast<std::uint32_t>(members.size());
        members.push_back(std::move(product));
      }
    members_ = std::move(members);
    generators_ = std::move(generators);
    return true;
  }

private:
  static constexpr std::uint32_t none = ~0u;

  static std::size_t factorial(std::size_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

  /// The number of a permutation among all, in alphabetical order.
  static std::size_t rank(const std::vector<ThreadIndex>& permutation) {
    std::size_t result = 0;
    for (auto it = permutation.begin(); it != permutation.end(); ++it)
      result = result * static_cast<std::size_t>(permutation.end() - it) +
               static_cast<std::size_t>(
                   std::count_if(it, permutation.end(), [&](ThreadIndex t) { return t < *it; }));
    return result;
  }

  std::vector<Automorphism> members_, generators_;
};

/// Goes through the permutations of the threads and adds an automorphism for each, if there is one.
class Search {
public:
  Search(const Automata& automata, const Graph& graph, Refiner& refiner)
      : automata_(automata), graph_(graph), refiner_(refiner), group_(identity(automata)) {}

  std::vector<Automorphism> run(const Colouring& both) {
    permute(both, 0);
    auto result = group_.members();
    std::sort(result.begin(), result.end(),
              [](const auto& a, const auto& b) { return a.thread < b.thread; });
    return result;
  }

private:
  /// With the first few threads chosen, and all of these but the last `ahead` matched.
  void permute(const Colouring& both, std::uint32_t ahead) {
    const auto t = static_cast<ThreadIndex>(chosen_.size());
    if (t == graph_.threads) {
      choices_ = 0;
      settle(both);
      return;
    }
    for (ThreadIndex to = 0; to < graph_.threads && !refiner_.is_tired(); ++to) {
      if (both.colour[t] != both.colour[graph_.nodes() + to]) continue;
      if (std::find(chosen_.begin(), chosen_.end(), to) != chosen_.end()) continue;
      chosen_.push_back(to);
      if (group_.lacks(chosen_)) match_threads(both, ahead + 1);
      chosen_.pop_back();
    }
  }

  /// When there are only two ways to go on, it does not pay to look before.
  void match_threads(const Colouring& both, std::uint32_t ahead) {
    const auto t = static_cast<ThreadIndex>(chosen_.size());
    if (t + 2 == graph_.threads) return permute(both, ahead);
    std::vector<Refiner::Pair> pairs;
    for (ThreadIndex from = t - ahead; from < t; ++from)
      if (both.alike(from) > 2) pairs.emplace_back(from, chosen_[from]);
    if (pairs.empty()) return permute(both, 0);
    Colouring matched = both;
    if (refiner_.match(matched, pairs)) permute(matched, 0);
  }

  /// Matches what is not yet, each choice in turn, until the group takes what comes out.
  bool settle(const Colouring& both) {
    const auto open = smallest_open(both);
    if (!open) {
      refiner_.spend(graph_.edges.size());
      const Automorphism found = read_off(both);
      return is_automorphism(automata_, found) && group_.add(found);
    }
    // Maps that leave what they can where it is are more likely to form a group.
    std::vector<std::pair<bool, std::uint32_t>> candidates;
    for (std::uint32_t i = both.colour[*open], n = both.count[i], k = 0; k < n; ++k)
      if (const std::uint32_t node = both.order[i + k]; node >= graph_.nodes()) {
        const std::uint32_t to = node - graph_.nodes();
        candidates.emplace_back(graph_.local[to] != graph_.local[*open], to);
      }
    std::sort(candidates.begin(), candidates.end());
    for (const auto& [moves, to] : candidates) {
      if (++choices_ > most_choices || refiner_.is_tired()) return false;
      Colouring matched = both;
      if (refiner_.match(matched, {{*open, to}}) && settle(matched)) return true;
    }
    return false;
  }

  /// The first node of those of which fewest have one colour. None if all are matched; transitions
  /// and targets are with what they consist of.
  std::optional<std::uint32_t> smallest_open(const Colouring& both) const {
    std::optional<std::uint32_t> best;
    for (std::uint32_t node = 0; node < graph_.things; ++node)
      if (both.alike(node) > 2 && (!best || both.alike(node) < both.alike(*best))) best = node;
    return best;
  }

  Automorphism read_off(const Colouring& both) const {
    Automorphism result = identity(automata_);
    const auto to = [&](std::uint32_t node) {
      const std::uint32_t at = both.colour[node];
      const std::uint32_t other = std::max(both.order[at], both.order[at + 1]);
      return graph_.local[other - graph_.nodes()];
    };
    for (ThreadIndex t = 0; t < graph_.threads; ++t) {
      result.thread[t] = to(t);
      for (StateIndex& s : result.position[t]) s = to(graph_.first_position[t] + s);
    }
    for (VariableIndex x = 0; x < automata_.variables.size(); ++x) {
      result.variable[x] = to(graph_.first_variable + x);
      for (std::uint32_t& v : result.value[x]) v = to(graph_.first_value[x] + v);
    }
    return result;
  }

  const Automata& automata_;
  const Graph& graph_;
  Refiner& refiner_;
  Group group_;
  std::vector<ThreadIndex> chosen_;
  unsigned choices_ = 0;
};

} // namespace

std::vector<Automorphism> automorphisms(const Automata& automata) {
  std::vector<Automorphism> only_identity{identity(automata)};
  const auto threads = static_cast<std::uint32_t>(automata.threads.size());
  if (threads < 2 || threads > most_threads) return only_identity;
  const auto lookalike = lookalikes(automata);
  if (Colouring(lookalike, 1, threads).tells_few_apart()) return only_identity;

  const auto graph = GraphMaker(automata, lookalike).result();
  if (!graph) return only_identity;
  Refiner refiner(*graph, most_work);
  const Colouring alike = refiner.refined(threads);
  if (alike.tells_few_apart() || refiner.is_tired()) return only_identity;
  return Search(automata, *graph, refiner).run(doubled(alike, graph->things));
}

} // namespace weir::lower
