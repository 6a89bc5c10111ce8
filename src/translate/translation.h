#pragma once
// A program whose SC runs are the TSO runs of another within a bound, and what is needed to find
// the way back from its runs.

#include "ir/program.h"
#include "verdict/run.h"

#include <vector>

namespace weir::translate {

/// What a procedure of the translated program is for.
enum class Part : std::uint8_t {
  Image,     ///< code of the source, statement by statement
  Driver,    ///< starts the threads of a sequential program
  Visible,   ///< called before each visible statement of an image: the round may change here
  Flush,     ///< a round that only flushes
  InitRound, ///< a new round: pending stores that are due reach memory
  Update,    ///< a store
  Other,
};

struct Translation {
  ir::Program program;
  Bound bound;
  std::vector<Part> parts; ///< by ProcedureId
  ir::LocalId r_sc, r_tso; ///< current round; round in which the next store reaches memory
  ir::LocalId self{};      ///< of a sequential program: the number of the thread that it simulates
  std::vector<ir::LocalId> memory{}; ///< of a sequential program: begins with the initial memory
  /// Of a sequential program: Part::Visible is not called before stores and fences.
  bool has_silent_fences = false;
  std::vector<std::string> bounds{}; ///< what it leaves out beside the bound, in words
};

/// Why a program has no translation of some kind, in words.
struct Unsupported {
  std::string reason;
  SourceSpan span;
};

} // namespace weir::translate
