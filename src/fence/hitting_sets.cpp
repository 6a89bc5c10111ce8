#include "fence/hitting_sets.h"

#include <cadical.hpp>

namespace weir::fence {
namespace {
constexpr int satisfiable = 10;
}

HittingSets::HittingSets(std::size_t elements)
    : elements_(elements), solver_(std::make_unique<CaDiCaL::Solver>()),
      variables_(static_cast<int>(elements)) {
  solver_->set("quiet", 1);
}

HittingSets::~HittingSets() = default;

void HittingSets::add(std::initializer_list<int> literals) {
  for (const int literal : literals) solver_->add(literal);
  solver_->add(0);
}

void HittingSets::must_meet(const std::vector<std::size_t>& clause) {
  for (const std::size_t i : clause) solver_->add(element(i));
  solver_->add(0);
}

void HittingSets::must_not_contain(const std::vector<std::size_t>& set) {
  for (const std::size_t i : set) solver_->add(-element(i));
  solver_->add(0);
}

int HittingSets::more_than(std::size_t count) {
  // A sequential counter, made a row at a time as larger sets are asked for.
  while (counter_.size() <= count) {
    const std::size_t j = counter_.size();
    std::vector<int> row;
    for (std::size_t i = 0; i < elements_; ++i) {
      const int here = ++variables_;
      row.push_back(here);
      if (i > 0) add({-row[i - 1], here});
      if (j == 0)
        add({-element(i), here});
      else if (i > 0)
        add({-element(i), -counter_[j - 1][i - 1], here});
    }
    counter_.push_back(std::move(row));
  }
  return counter_[count].back();
}

std::optional<std::vector<std::size_t>> HittingSets::smallest() {
  if (solver_->solve() != satisfiable) return std::nullopt;
  for (; least_ < elements_; ++least_) {
    solver_->assume(-more_than(least_));
    if (solver_->solve() == satisfiable) break;
  }
  if (least_ == elements_ && solver_->solve() != satisfiable) return std::nullopt;
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < elements_; ++i)
    if (solver_->val(element(i)) > 0) result.push_back(i);
  return result;
}

} // namespace weir::fence
