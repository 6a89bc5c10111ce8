#pragma once
// The end of every command that answers: the run is replayed once more, printed and saved.

#include "cli/console.h"
#include "engine/explicit/explicit.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace weir::cli {

struct Conclusion {
  std::string engine;
  Rules rules;             ///< under which the run replays
  bool is_bounded = false; ///< the question itself named a bound
  Format format = Format::Text;
  std::string save;                               ///< file for the run; empty: none
  const engine::ExplicitAnswer* finals = nullptr; ///< of --all-final
  std::vector<nlohmann::ordered_json> covered{};  ///< of a hunt
};

ExitCode conclude(const ir::Code& code, const Conclusion& conclusion, const Answer& answer,
                  Console& console);

} // namespace weir::cli
