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

/// What is looked at only in part. See translation.md: rounds and ages count context switches.
struct Bound {
  enum class Kind : std::uint8_t { None, Rounds, Age };
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

} // namespace weir
