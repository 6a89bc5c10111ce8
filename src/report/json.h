#pragma once
// Verdicts and runs for scripts, and runs read back. The schema is in README.md of this folder.

#include "report/diagnostics.h"
#include "semantics/replay.h"
#include "verdict/verdict.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <variant>

namespace weir::report {

nlohmann::ordered_json answer_json(const ir::Code& code, const std::string& engine,
                                   const Rules& rules, const Answer& answer,
                                   const semantics::Playback* playback);
nlohmann::ordered_json run_json(const ir::Code& code, const semantics::Playback& playback);
nlohmann::ordered_json diagnostics_json(const Source& source, const Diagnostics& diagnostics);
nlohmann::ordered_json value_json(const ir::Type& type, ir::Value value);

/// A run as saved, with the rules it was found under. `violation` is none for a plain run.
struct SavedRun {
  Rules rules;
  std::vector<ir::Value> initial;
  std::vector<Step> steps;
  std::optional<Violation> violation;
};

/// Reads what answer_json wrote; the string says what is wrong with it.
std::variant<SavedRun, std::string> read_run(const ir::Code& code, const std::string& text);

} // namespace weir::report
