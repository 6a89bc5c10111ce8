#include "verdict/verdict.h"

#include "base/match.h"

#include <fmt/format.h>

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

std::string_view name(Bound::Kind kind) {
  switch (kind) {
  case Bound::Kind::None: return "none";
  case Bound::Kind::Rounds: return "rounds";
  case Bound::Kind::Age: return "age";
  case Bound::Kind::Sweeps: return "sweeps";
  }
  return "";
}

std::optional<Bound::Kind> bound_named(std::string_view text) {
  for (const auto kind : {Bound::Kind::Rounds, Bound::Kind::Age, Bound::Kind::Sweeps})
    if (name(kind) == text) return kind;
  return std::nullopt;
}

std::string text(const Bound& bound) {
  const auto rounds = std::uint64_t{bound.k} + 1;
  switch (bound.kind) {
  case Bound::Kind::None: break;
  case Bound::Kind::Rounds: return fmt::format("at most {} rounds per thread", rounds);
  case Bound::Kind::Age:
    return fmt::format("stores pending for at most {} context switches", bound.k);
  case Bound::Kind::Sweeps: return fmt::format("at most {} sweeps over the threads", rounds);
  }
  return "";
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
