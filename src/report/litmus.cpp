#include "report/litmus.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace weir::report {

using frontend::litmus::Quantifier;
using frontend::litmus::Test;

namespace {

std::string value_of(const Test& test, ir::Value value) {
  const auto address = test.addresses.find(value);
  return address == test.addresses.end() ? std::to_string(value) : address->second;
}

/// Distinct states in herd7's order: numbers first and by size, then addresses by name.
std::vector<std::vector<ir::Value>> states(const Test& test, const decide::Outcomes& outcomes) {
  std::vector<std::vector<ir::Value>> result;
  for (const decide::Outcome& outcome : outcomes.all) result.push_back(outcome.values);
  const auto key = [&](ir::Value value) {
    const auto address = test.addresses.find(value);
    const bool is_address = address != test.addresses.end();
    return std::tuple(is_address, is_address ? 0 : value,
                      is_address ? address->second : std::string());
  };
  std::sort(result.begin(), result.end(), [&](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [&](ir::Value x, ir::Value y) { return key(x) < key(y); });
  });
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

const char* observation(const Tally& t) {
  return t.positive == 0 ? "Never" : t.negative == 0 ? "Always" : "Sometimes";
}

} // namespace

Tally tally(const decide::Outcomes& outcomes) {
  Tally result;
  for (const decide::Outcome& outcome : outcomes.all)
    ++(outcome.holds ? result.positive : result.negative);
  return result;
}

bool holds(const Test& test, const decide::Outcomes& outcomes) {
  const Tally counts = tally(outcomes);
  switch (test.quantifier) {
  case Quantifier::Exists: return counts.positive > 0;
  case Quantifier::NotExists: return counts.positive == 0;
  case Quantifier::Forall: return counts.negative == 0;
  }
  return false;
}

std::string litmus_text(const Test& test, const decide::Outcomes& outcomes) {
  const Tally counts = tally(outcomes);
  const char* kind = test.quantifier == Quantifier::Exists      ? "Allowed"
                     : test.quantifier == Quantifier::NotExists ? "Forbidden"
                                                                : "Required";
  const auto all = states(test, outcomes);
  std::string out = fmt::format("Test {} {}\nStates {}\n", test.name, kind, all.size());
  for (const auto& state : all) {
    std::string line;
    for (std::size_t i = 0; i < state.size(); ++i)
      line += fmt::format("{}{}={};", i > 0 ? " " : "", test.observed[i].name,
                          value_of(test, state[i]));
    out += line + "\n";
  }
  // Of ~exists the witnesses are those that keep it, as herd7 counts.
  const bool swapped = test.quantifier == Quantifier::NotExists;
  out +=
      fmt::format("{}\nWitnesses\nPositive: {} Negative: {}\nCondition {}\n",
                  holds(test, outcomes) ? "Ok" : "No", swapped ? counts.negative : counts.positive,
                  swapped ? counts.positive : counts.negative, test.condition_text);
  out += fmt::format("Observation {} {} {} {}\n\n", test.name, observation(counts), counts.positive,
                     counts.negative);
  return out;
}

nlohmann::ordered_json litmus_json(const std::string& file, const std::string& model,
                                   const Test& test, const decide::Outcomes& outcomes) {
  using Json = nlohmann::ordered_json;
  static const char* const quantifiers[] = {"exists", "~exists", "forall"};
  const Tally counts = tally(outcomes);
  Json list = Json::array();
  for (const auto& state : states(test, outcomes)) {
    Json one = Json::object();
    for (std::size_t i = 0; i < state.size(); ++i) {
      const auto address = test.addresses.find(state[i]);
      if (address == test.addresses.end())
        one[test.observed[i].name] = state[i];
      else
        one[test.observed[i].name] = address->second;
    }
    list.push_back(std::move(one));
  }
  Json result{{"file", file},
              {"name", test.name},
              {"model", model},
              {"quantifier", quantifiers[static_cast<std::size_t>(test.quantifier)]},
              {"condition", test.condition_text},
              {"complete", outcomes.incomplete.empty()}};
  if (outcomes.incomplete.empty())
    result["holds"] = holds(test, outcomes);
  else
    result["reason"] = outcomes.incomplete;
  result["observation"] = observation(counts);
  result["positive"] = counts.positive;
  result["negative"] = counts.negative;
  result["states"] = std::move(list);
  return result;
}

} // namespace weir::report
