#pragma once
// Every thread of a program as a graph of its own states: location, calls and variables written out.
//
// What instructions do is taken from semantics/, one at a time, with every value that memory might
// have: those it starts with and those that some thread may store. That is a least fixpoint, and
// finite for finite data; else the variable that keeps growing is named.
//
// Sections are single steps. A `spawn` reads a flag of the new thread, which has to be 0; the new
// thread sets it by its first step, which therefore comes later. Whether it was spawned at all is
// known from where the spawner is in the end: see targets.h. (A store to the flag would not do: a
// spawn does not wait for the spawner's pending stores.) When it has ended and its buffer is empty
// a thread may set another flag, which a `join` reads.

#include "ir/code.h"
#include "lower/automata.h"
#include "lower/watch.h"
#include "semantics/thread.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace weir::lower {

/// Why a program has no automata, and where.
struct Refusal {
  SourceSpan span;
  std::string reason;
};

/// A variable of the automata with all values it may have.
struct UnfoldedVariable {
  enum class Kind : std::uint8_t {
    Memory, ///< the cell of the same number
    Begun,  ///< set by the first step of the spawned thread `thread`
    Ended,  ///< set when `thread` has ended and its buffer is empty
  };
  Kind kind = Kind::Memory;
  ThreadIndex thread = 0;
  std::vector<ir::Value> values;      ///< by index
  std::vector<std::uint32_t> initial; ///< indices
  std::unordered_map<ir::Value, std::uint32_t> index;
};

struct Location {
  enum class Kind : std::uint8_t {
    Running,   ///< about to execute an instruction, or ended
    Unborn,    ///< not begun
    InSection, ///< at a label of a forbid inside a section
    Announced, ///< ended, nothing pending, and those who join know
    Failed,    ///< something went wrong
  };
  Kind kind = Kind::Running;
  std::string key; ///< the thread, encoded, without what is dead; empty for Unborn and Failed
  /// Of the spawner: which alternatives it has spawned, in order. Of a spawned thread: which it is.
  std::vector<std::uint32_t> history;
};

/// A step: indices of the values read and written.
struct UnfoldedStep {
  StateIndex from = 0;
  StateIndex to = 0;
  Op::Kind kind = Op::Kind::Nop;
  std::vector<std::pair<VariableIndex, std::uint32_t>> reads;  ///< sorted
  std::vector<std::pair<VariableIndex, std::uint32_t>> writes; ///< sorted
};

/// What a spawned thread may be.
struct Alternative {
  ir::ProcedureId process;
  std::vector<ir::Value> arguments;
  bool operator==(const Alternative&) const = default;
};

struct UnfoldedThread {
  std::string name;
  std::vector<Location> locations; ///< by StateIndex; the first is where it starts
  std::vector<UnfoldedStep> steps;
  std::vector<Alternative> alternatives; ///< of a spawned thread; else empty
  std::unordered_map<std::string, StateIndex> index;

  /// The number of a location, if it is one.
  std::optional<StateIndex> find(const Location& location) const;
};

struct Unfolding {
  std::vector<UnfoldedVariable> variables; ///< memory by Cell, then flags
  std::vector<UnfoldedThread> threads;     ///< those there from the start, then the spawned ones
  std::optional<ThreadIndex> spawner;      ///< the only thread that spawns
  bool has_joins = false;
  std::string cut; ///< the first limit that cut it off, in words; empty if none did
};

std::variant<Unfolding, Refusal> unfold(const ir::Code& code, const Rules& rules, Watch& watch);

} // namespace weir::lower
