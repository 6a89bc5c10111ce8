#pragma once
// Smallest sets that meet every clause, one after the other, by CaDiCaL.

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

namespace CaDiCaL {
class Solver;
}

namespace weir::fence {

class HittingSets {
public:
  /// Of subsets of 0..elements-1.
  explicit HittingSets(std::size_t elements);
  ~HittingSets();

  /// From here on every set has one of these.
  void must_meet(const std::vector<std::size_t>& clause);
  /// From here on no set contains all of these.
  void must_not_contain(const std::vector<std::size_t>& set);

  /// A set of the fewest elements that is left, sorted; none if there is none.
  std::optional<std::vector<std::size_t>> smallest();

private:
  void add(std::initializer_list<int> literals);
  int element(std::size_t i) const { return static_cast<int>(i) + 1; }
  /// A variable that is true if more than `count` elements are in the set.
  int more_than(std::size_t count);

  std::size_t elements_;
  std::size_t least_ = 0; ///< no smaller set is left
  std::unique_ptr<CaDiCaL::Solver> solver_;
  int variables_ = 0;
  std::vector<std::vector<int>> counter_; ///< [j][i]: more than j of the elements 0..i
};

} // namespace weir::fence
