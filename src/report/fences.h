#pragma once
// What `weir fence` found, for people and for scripts.

#include "fence/search.h"
#include "frontend/changes.h"
#include "report/diagnostics.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace weir::report {

/// A fence of a set: what is to be done for it, and the run that is possible without it.
struct ProposedFence {
  fence::Place place;
  frontend::Change change;
  std::optional<Run> without;
};

struct FenceReport {
  const ir::Code& code; ///< of the program as the user wrote it
  const Rules& rules;
  const fence::Result& result;
  std::vector<std::vector<ProposedFence>> sets; ///< by set of the result
  std::vector<fence::Place> places;             ///< all that came into question
  std::string placement;                        ///< in the words of the command line
  bool is_removal = false;                      ///< which of the fences that are there are needed
  const fence::Search* search = nullptr;
  std::optional<std::size_t> explained{}; ///< this set with all its runs
};

std::string fences_text(const FenceReport& report, const Style& style);
nlohmann::ordered_json fences_json(const FenceReport& report);

} // namespace weir::report
