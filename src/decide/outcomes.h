#pragma once
// Every outcome of a program: the values of some expressions in all of its final states.

#include "ir/code.h"
#include "verdict/verdict.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weir::decide {

struct OutcomesQuestion {
  Rules rules;
  Limits limits;
  std::vector<ir::Expr> observed;   ///< in terms of final conditions
  std::optional<ir::Expr> filter{}; ///< only final states with this count
  ir::Expr condition = ir::Expr::boolean(true);
};

struct Outcome {
  std::vector<ir::Value> values; ///< of what is observed
  bool holds = false;            ///< the condition
  auto operator<=>(const Outcome&) const = default;
};

struct Outcomes {
  std::set<Outcome> all;
  std::string incomplete{}; ///< why there may be more; empty: there are not
  Statistics statistics{};
};

Outcomes outcomes(ir::Program program, const OutcomesQuestion& question);

} // namespace weir::decide
