#pragma once
// Colour refinement: which nodes of a graph may change places, as far as their neighbours tell; and
// the same on two copies of the graph at once, to build up a map from it to itself node by node. [1]
//
// Nodes of different colours are not mapped to each other by any automorphism that respects the
// colours so far. The converse does not hold: who builds a map from it should check it.
// [1] McKay, Piperno. Practical graph isomorphism II. J. Symbolic Computation 60, 2014.

#include <cstdint>
#include <utility>
#include <vector>

namespace weir::lower {

struct ColouredGraph {
  static constexpr std::size_t roles = 5;
  struct Edge {
    std::uint32_t to;
    std::uint32_t role; ///< less than `roles`
  };
  std::vector<std::uint32_t> colour; ///< by node: different if they cannot change places
  std::vector<std::uint32_t> first;  ///< by node, and one more: where its edges begin
  std::vector<Edge> edges;           ///< each in both directions

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(colour.size()); }
};

/// The nodes of one or two copies of a graph by colour; node v of the second copy is number
/// nodes + v. Those of one colour stand together in `order`; the colour is where they begin. How
/// far we are is judged by the first few nodes of the graph, whose colours come before others.
struct Colouring {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> place;  ///< by node: where in `order`
  std::vector<std::uint32_t> colour; ///< by node
  std::vector<std::uint32_t> count;  ///< by colour: how many nodes
  unsigned copies;
  std::uint32_t few;
  std::uint32_t colours_of_few = 0; ///< how many

  Colouring(const std::vector<std::uint32_t>& of, unsigned copies, std::uint32_t few);

  std::uint32_t alike(std::uint32_t node) const { return count[colour[node]]; }
  /// Whether each of the few has a colour of its own (in each copy).
  bool tells_few_apart() const { return colours_of_few == few; }
  /// Moves a node within its colour.
  void put(std::uint32_t node, std::uint32_t at);
  /// Gives the last n nodes of a colour, but not all, a new one, which is returned.
  std::uint32_t split_off(std::uint32_t old, std::uint32_t n);
};

/// Two copies of a graph with the colours of one.
Colouring doubled(const Colouring& one, std::uint32_t few);

/// Splits colours until nodes of one colour have the same neighbours by colour and role, or the few
/// are told apart.
class Refiner {
public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  /// Gives up once it has looked at this many edges.
  Refiner(const ColouredGraph& graph, std::uint64_t most_work);

  bool is_tired() const { return work_ > most_work_; }
  /// Counts work of others as its own.
  void spend(std::uint64_t work) { work_ += work; }

  /// One copy.
  Colouring refined(std::uint32_t few);

  /// Two copies, which have equally many nodes of each colour: gives each of these nodes of the
  /// first copy a colour of its own, together with a node of the second that has the same colour.
  /// False if then no automorphism respects the colours, or it is tired.
  bool match(Colouring& both, const std::vector<Pair>& pairs);

private:
  void demand(std::uint32_t colour);
  bool refine(Colouring& colouring);
  void touch_neighbours(Colouring& colouring, std::uint32_t of);
  bool split_touched(Colouring& colouring);
  bool split(Colouring& colouring, std::uint32_t old, std::uint32_t touched);

  const ColouredGraph& graph_;
  std::uint64_t most_work_;
  std::uint64_t work_ = 0;
  std::vector<std::uint32_t> pending_; ///< colours whose neighbours are to be looked at
  std::vector<bool> is_pending_;       ///< by colour
  // Zero or empty between rounds:
  std::vector<std::uint64_t> weight_;  ///< by node: of its roles as a neighbour
  std::vector<std::uint32_t> touched_; ///< colours of neighbours
  std::vector<std::uint32_t> touches_; ///< by colour: how many of its nodes are neighbours
  std::vector<std::uint32_t> splitter_, parts_;
};

} // namespace weir::lower
