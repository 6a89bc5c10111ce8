#include "verdict/verdict.h"

#include "base/match.h"

namespace weir {

std::string_view name(Model model) {
  switch (model) {
  case Model::SC: return "sc";
  case Model::TSO: return "tso";
  case Model::PSO: return "pso";
  }
  return "";
}

std::optional<Model> model_named(std::string_view text) {
  for (const Model model : {Model::SC, Model::TSO, Model::PSO})
    if (name(model) == text) return model;
  return std::nullopt;
}

ExitCode exit_code(const Verdict& verdict, bool asked_bounded) {
  return match(
      verdict,
      [&](const Safe& safe) {
        return safe.coverage.is_exhaustive() || asked_bounded ? ExitCode::Holds
                                                              : ExitCode::Undecided;
      },
      [](const Unsafe&) { return ExitCode::Violated; },
      [](const Undecided&) { return ExitCode::Undecided; });
}

} // namespace weir
