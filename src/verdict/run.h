#pragma once
// A run: what every engine reports a violation with, and what replay takes.

#include "ir/evaluate.h"
#include "ir/layout.h"
#include "ir/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weir {

enum class Model : std::uint8_t { SC, TSO, PSO };

/// What is looked at only in part. A round of a thread is a maximal stretch of its transitions.
struct Bound {
  enum class Kind : std::uint8_t {
    None,
    Rounds, ///< each thread has rounds 0..k
    Age,    ///< a store stays pending for at most k context switches of its thread
    Sweeps, ///< sweeps 0..k over the threads by number, at most one round of each in a sweep
  };
  Kind kind = Kind::None;
  std::uint32_t k = 0;
  bool operator==(const Bound&) const = default;
};

using ThreadIndex = std::uint32_t; ///< by order of creation

/// One transition: an instruction of a thread, or one of its pending stores reaching memory.
struct Step {
  enum class Kind : std::uint8_t { Execute, Flush };
  ThreadIndex thread = 0;
  Kind kind = Kind::Execute;
  std::uint32_t choice = 0; ///< Execute: which of the possible outcomes, where `*` leaves several
  ir::Cell cell;            ///< Flush: the variable it is of
  bool operator==(const Step&) const = default;
};

struct FaultAt { ///< the last step of the run went wrong
  ir::Fault fault;
  ThreadIndex thread;
  SourceSpan span;
};
struct ForbidReached {
  std::uint32_t forbid; ///< index into Program::forbids
};
struct FinalBroken {
  std::uint32_t final_condition; ///< index into Program::finals
};
using Violation = std::variant<FaultAt, ForbidReached, FinalBroken>;

struct Run {
  std::vector<ir::Value> initial; ///< by Cell
  std::vector<Step> steps;
  Violation violation;
};

std::string_view name(Model model);
std::optional<Model> model_named(std::string_view name);
std::string_view name(Bound::Kind kind);
std::optional<Bound::Kind> bound_named(std::string_view name);
/// In words: "at most 3 rounds per thread". Not of Bound::Kind::None.
std::string text(const Bound& bound);

} // namespace weir
