#include "translate/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weir::translate {

using namespace ir;

Places::Places(const Program& program) : code_(program) {
  for (const Forbid& forbid : program.forbids) {
    // Different threads take the places of one location iff there are enough with the arguments
    // asked for, and enough in all.
    struct Need {
      std::uint32_t all = 0, any = 0;
      std::string label;
      std::map<std::vector<Value>, std::uint32_t> named;
    };
    std::map<std::pair<ProcedureId, Location>, Need> needs;
    for (const Whereabouts& place : forbid.places) {
      const ProcedureId process = place.thread.process;
      Need& need = needs[{process, code_.routines[process.value].labels[place.label.value]}];
      need.label = program[process].labels[place.label.value];
      ++need.all;
      if (place.thread.arguments.empty())
        ++need.any;
      else
        ++need.named[place.thread.arguments];
    }
    std::vector<AtLeast> conjunction;
    for (const auto& [where, need] : needs) {
      for (const auto& [arguments, count] : need.named)
        conjunction.push_back({counter({where.first, arguments}, where.second, need.label), count});
      if (need.any > 0)
        conjunction.push_back({counter({where.first, {}}, where.second, need.label), need.all});
    }
    forbids_.push_back(std::move(conjunction));
  }
}

std::size_t Places::counter(const ThreadName& thread, Location at, const std::string& label) {
  Counter wanted{thread, at, fmt::format("at_{}", (*code_.program)[thread.process].name)};
  for (const Value argument : thread.arguments)
    wanted.name += argument < 0 ? fmt::format("_m{}", -argument) : fmt::format("_{}", argument);
  wanted.name += "_" + label;
  const auto found = std::find_if(counters_.begin(), counters_.end(), [&](const Counter& c) {
    return c.thread == wanted.thread && c.at == wanted.at;
  });
  if (found != counters_.end()) return static_cast<std::size_t>(found - counters_.begin());
  counters_.push_back(std::move(wanted));
  return counters_.size() - 1;
}

std::vector<std::size_t> Places::at(ProcedureId process, const std::vector<LabelId>& labels) const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < counters_.size(); ++i)
    if (counters_[i].thread.process == process &&
        std::any_of(labels.begin(), labels.end(), [&](LabelId label) {
          return code_.routines[process.value].labels[label.value] == counters_[i].at;
        }))
      result.push_back(i);
  return result;
}

std::vector<std::vector<AtLeast>> Places::forbids_with(std::size_t counter) const {
  std::vector<std::vector<AtLeast>> result;
  for (const auto& forbid : forbids_)
    if (std::any_of(forbid.begin(), forbid.end(),
                    [&](const AtLeast& need) { return need.counter == counter; }))
      result.push_back(forbid);
  return result;
}

} // namespace weir::translate
