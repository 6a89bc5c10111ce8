#include "lower/colouring.h"

#include <doctest/doctest.h>

#include <set>

using namespace weir::lower;

namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

ColouredGraph graph(std::uint32_t nodes, const Edges& edges) {
  ColouredGraph result;
  result.colour.assign(nodes, 0);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    result.first.push_back(static_cast<std::uint32_t>(result.edges.size()));
    for (const auto& [a, b] : edges) {
      if (a == node) result.edges.push_back({b, 0});
      if (b == node) result.edges.push_back({a, 0});
    }
  }
  result.first.push_back(static_cast<std::uint32_t>(result.edges.size()));
  return result;
}

std::size_t colours(const Colouring& colouring) {
  return std::set(colouring.colour.begin(), colouring.colour.end()).size();
}

const Edges path = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
const Edges cycle = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}};

} // namespace

TEST_CASE("nodes of a path are coloured by how far they are from an end") {
  const auto five = graph(5, path);
  const Colouring found = Refiner(five, 1000).refined(5);
  CHECK(colours(found) == 3);
  CHECK(found.colour[0] == found.colour[4]);
  CHECK(found.colour[1] == found.colour[3]);
  CHECK(found.alike(2) == 1);
  CHECK_FALSE(found.tells_few_apart());
}

TEST_CASE("nodes of a cycle look alike until two are matched with two") {
  const auto five = graph(5, cycle);
  Refiner refiner(five, 10'000);
  const Colouring alike = refiner.refined(5);
  CHECK(colours(alike) == 1);
  Colouring turned = doubled(alike, 5);
  CHECK(turned.alike(0) == 10);
  REQUIRE(refiner.match(turned, {{0, 1}}));
  CHECK(turned.colour[0] == turned.colour[5 + 1]);
  CHECK(turned.colour[1] == turned.colour[4]);
  REQUIRE(refiner.match(turned, {{1, 2}}));
  CHECK(turned.tells_few_apart());
  for (std::uint32_t v = 0; v < 5; ++v) CHECK(turned.colour[v] == turned.colour[5 + (v + 1) % 5]);
}

TEST_CASE("matching nodes that do not go together fails, and leaves the refiner usable") {
  // A triangle and a square: refinement alone does not see that they differ.
  const auto both = graph(7, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 6}, {6, 3}});
  Refiner refiner(both, 10'000);
  const Colouring alike = refiner.refined(7);
  REQUIRE(colours(alike) == 1);
  Colouring wrong = doubled(alike, 7);
  CHECK_FALSE(refiner.match(wrong, {{0, 3}}));
  Colouring right = doubled(alike, 7);
  CHECK(refiner.match(right, {{0, 1}}));
}

TEST_CASE("with too little work allowed it gives up") {
  const auto five = graph(5, cycle);
  Refiner refiner(five, 3);
  Colouring both = doubled(refiner.refined(5), 5);
  CHECK(refiner.is_tired());
  CHECK_FALSE(refiner.match(both, {{0, 0}}));
}
