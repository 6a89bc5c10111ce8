#pragma once
// An answer is a claim: Safe says what was covered, Unsafe carries a run that replays, Undecided
// says why. Doubt is never rounded to Safe.

#include "verdict/run.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weir {

/// How a program runs: the memory model and what is bounded.
struct Rules {
  Model model = Model::TSO;
  Bound bound;
  std::optional<std::uint32_t> buffer; ///< at most so many pending stores per thread
  std::uint32_t depth = 64;            ///< calls open at once in a thread
  std::uint32_t threads = 64;          ///< threads that may exist
};

/// What a question may cost.
struct Limits {
  std::optional<double> seconds;
  std::optional<std::uint64_t> bytes;
  const std::atomic<bool>* interrupted = nullptr;
};

struct Statistics {
  enum class Unit : std::uint8_t {
    States,      ///< of a forward search
    Constraints, ///< sets of states, of a backward search; its transitions are predecessors
  };
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
  std::string
      tool{}; ///< the external checker that did the work, if one did; then there are no states
  Unit unit = Unit::States;
};

/// What a Safe is about. Nothing listed: every run of the program.
struct Coverage {
  std::vector<std::string> bounds; ///< in words, e.g. "at most 3 pending stores per thread"
  bool is_exhaustive() const { return bounds.empty(); }
};

struct Safe {
  Coverage coverage;
};
struct Unsafe {
  Run run;
};
struct Undecided {
  std::string reason;
};
using Verdict = std::variant<Safe, Unsafe, Undecided>;

struct Answer {
  Verdict verdict;
  Statistics statistics;
};

/// Called now and then during long work.
using Progress = std::function<void(const Statistics&)>;

enum class ExitCode : std::uint8_t {
  Holds = 0,
  Violated = 1,
  BadInput = 2,
  Undecided = 3,
  Internal = 4
};

/// Exit code of a verdict on a question; `asked_bounded`: the question itself named a bound.
ExitCode exit_code(const Verdict& verdict, bool asked_bounded);

} // namespace weir
