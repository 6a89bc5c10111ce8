#include "lower/colouring.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace weir::lower {
namespace {

/// Any numbers whose sums tell apart how often each role occurs.
constexpr std::array<std::uint64_t, ColouredGraph::roles> role_weight = {
    0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu, 0xd6e8feb86659fd93u,
    0xa0761d6478bd642fu};

} // namespace

Colouring::Colouring(const std::vector<std::uint32_t>& of, unsigned copies, std::uint32_t few)
    : order(of.size()), place(of.size()), colour(of.size()), count(of.size()), copies(copies),
      few(few) {
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return of[a] != of[b] ? of[a] < of[b] : a < b;
  });
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    const bool is_new = i == 0 || of[order[i]] != of[order[i - 1]];
    colour[order[i]] = is_new ? i : colour[order[i - 1]];
    ++count[colour[order[i]]];
    colours_of_few += is_new && i < copies * few;
  }
}

void Colouring::put(std::uint32_t node, std::uint32_t at) {
  const std::uint32_t other = order[at];
  std::swap(order[at], order[place[node]]);
  std::swap(place[other], place[node]);
}

std::uint32_t Colouring::split_off(std::uint32_t old, std::uint32_t n) {
  count[old] -= n;
  const std::uint32_t fresh = old + count[old];
  count[fresh] = n;
  colours_of_few += fresh < copies * few;
  for (std::uint32_t i = fresh; i < fresh + n; ++i) colour[order[i]] = fresh;
  return fresh;
}

Colouring doubled(const Colouring& one, std::uint32_t few) {
  const auto nodes = static_cast<std::uint32_t>(one.order.size());
  Colouring both({}, 2, few);
  both.order.reserve(2 * nodes);
  both.count.resize(2 * nodes);
  for (std::uint32_t c = 0; c < nodes; c += one.count[c]) {
    for (const std::uint32_t shift : {0u, nodes})
      for (std::uint32_t i = c; i < c + one.count[c]; ++i)
        both.order.push_back(one.order[i] + shift);
    both.count[2 * c] = 2 * one.count[c];
    both.colours_of_few += c < few;
  }
  both.place.resize(2 * nodes);
  both.colour.resize(2 * nodes);
  for (std::uint32_t i = 0; i < 2 * nodes; ++i) {
    both.place[both.order[i]] = i;
    both.colour[both.order[i]] = 2 * one.colour[both.order[i] % nodes];
  }
  return both;
}

Refiner::Refiner(const ColouredGraph& graph, std::uint64_t most_work)
    : graph_(graph), most_work_(most_work), is_pending_(2 * graph.nodes()),
      weight_(2 * graph.nodes()), touches_(2 * graph.nodes()) {}

Colouring Refiner::refined(std::uint32_t few) {
  Colouring colouring(graph_.colour, 1, few);
  for (std::uint32_t i = 0; i < graph_.nodes(); i += colouring.count[i]) demand(i);
  refine(colouring);
  return colouring;
}

bool Refiner::match(Colouring& both, const std::vector<Pair>& pairs) {
  spend(graph_.nodes()); // For the copy that was made.
  for (const auto& [a, b] : pairs) {
    if (both.alike(a) == 2) continue;
    const std::uint32_t old = both.colour[a];
    const std::uint32_t end = old + both.count[old];
    both.put(a, end - 1);
    both.put(graph_.nodes() + b, end - 2);
    demand(both.split_off(old, 2));
  }
  return refine(both);
}

void Refiner::demand(std::uint32_t colour) {
  pending_.push_back(colour);
  is_pending_[colour] = true;
}

bool Refiner::refine(Colouring& colouring) {
  bool is_balanced = true;
  while (!pending_.empty()) {
    const std::uint32_t colour = pending_.back();
    pending_.pop_back();
    is_pending_[colour] = false;
    // If there is no more to do, this only leaves nothing pending.
    if (!is_balanced || is_tired() || colouring.tells_few_apart()) continue;
    touch_neighbours(colouring, colour);
    is_balanced = split_touched(colouring);
  }
  return is_balanced && !is_tired();
}

/// Finds the neighbours of this colour, adds up their roles, and puts them last in their colours.
void Refiner::touch_neighbours(Colouring& colouring, std::uint32_t of) {
  const std::uint32_t end = of + colouring.count[of];
  splitter_.assign(colouring.order.begin() + of, colouring.order.begin() + end);
  touched_.clear();
  for (const std::uint32_t numbered : splitter_) {
    const std::uint32_t shift = numbered < graph_.nodes() ? 0 : graph_.nodes();
    const std::uint32_t first = graph_.first[numbered - shift];
    const std::uint32_t last = graph_.first[numbered - shift + 1];
    for (std::uint32_t e = first; e < last; ++e) {
      const std::uint32_t to = graph_.edges[e].to + shift;
      const std::uint32_t colour = colouring.colour[to];
      if (colouring.count[colour] == colouring.copies) continue; // As far as it goes.
      if (weight_[to] == 0) {
        if (touches_[colour]++ == 0) touched_.push_back(colour);
        colouring.put(to, colour + colouring.count[colour] - touches_[colour]);
      }
      weight_[to] += role_weight[graph_.edges[e].role];
    }
    work_ += last - first;
  }
}

/// Splits each colour that was touched. False if a part has more nodes of one copy than of the
/// other.
bool Refiner::split_touched(Colouring& colouring) {
  bool is_balanced = true;
  for (const std::uint32_t colour : touched_) {
    const std::uint32_t end = colour + colouring.count[colour];
    const std::uint32_t begin = end - std::exchange(touches_[colour], 0);
    is_balanced = is_balanced && split(colouring, colour, begin);
    for (std::uint32_t i = begin; i < end; ++i) weight_[colouring.order[i]] = 0;
  }
  return is_balanced;
}

/// Splits one colour, whose nodes were touched from this place on.
bool Refiner::split(Colouring& colouring, std::uint32_t old, std::uint32_t touched) {
  const std::uint32_t end = old + colouring.count[old];
  const auto weight = [&](std::uint32_t at) { return weight_[colouring.order[at]]; };
  bool is_uniform = true;
  for (std::uint32_t i = touched; i < end; ++i)
    is_uniform = is_uniform && weight(i) == weight(touched);
  if (is_uniform && touched == old) return true;
  if (!is_uniform) {
    std::sort(colouring.order.begin() + touched, colouring.order.begin() + end,
              [&](std::uint32_t a, std::uint32_t b) {
                return weight_[a] != weight_[b] ? weight_[a] < weight_[b] : a < b;
              });
    for (std::uint32_t i = touched; i < end; ++i) colouring.place[colouring.order[i]] = i;
  }

  const bool was_pending = is_pending_[old];
  parts_.clear();
  for (std::uint32_t last = end; last > touched;) { // From the end: the others keep their colour.
    std::uint32_t begin = last, in_first_copy = 0;
    for (; begin > touched && weight(begin - 1) == weight(last - 1); --begin)
      in_first_copy += colouring.order[begin - 1] < graph_.nodes();
    if (colouring.copies == 2 && 2 * in_first_copy != last - begin) return false;
    if (begin > old) parts_.push_back(colouring.split_off(old, last - begin));
    last = begin;
  }
  parts_.push_back(old);

  // If the neighbours of `old` were known, those of all parts but one tell the rest.
  const std::uint32_t largest =
      *std::max_element(parts_.begin(), parts_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return colouring.count[a] < colouring.count[b];
      });
  for (const std::uint32_t part : parts_)
    if (!is_pending_[part] && (was_pending || part != largest)) demand(part);
  return true;
}

} // namespace weir::lower
