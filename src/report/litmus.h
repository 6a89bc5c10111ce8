#pragma once
// Outcomes of litmus tests as herd7 prints them, and as JSON.

#include "decide/outcomes.h"
#include "frontend/litmus/litmus.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace weir::report {

/// How many of the outcomes satisfy the condition, and how many do not.
struct Tally {
  std::size_t positive = 0, negative = 0;
};
Tally tally(const decide::Outcomes& outcomes);
/// Whether the condition holds as it is written, with its quantifier.
bool holds(const frontend::litmus::Test& test, const decide::Outcomes& outcomes);

std::string litmus_text(const frontend::litmus::Test& test, const decide::Outcomes& outcomes);
nlohmann::ordered_json litmus_json(const std::string& file, const std::string& model,
                                   const frontend::litmus::Test& test,
                                   const decide::Outcomes& outcomes);

} // namespace weir::report
