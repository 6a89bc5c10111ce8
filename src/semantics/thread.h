#pragma once
// One thread: what its next instruction asks of the rest of the machine, and what it then does.
//
// SC, TSO and PSO differ only here, in where a store goes, where a load looks and which pending
// stores may leave. Nothing in this file knows other threads; machine.h puts them together.

#include "ir/code.h"
#include "verdict/verdict.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::semantics {

/// A store that has not reached memory.
struct Pending {
  ir::Cell cell;
  ir::Value value = 0;
  std::uint32_t age = 0; ///< context switches of its thread since; counted under an age bound only
  std::uint32_t epoch = 0; ///< PSO: how many store fences since the oldest pending store
  bool operator==(const Pending&) const = default;
};

struct Frame {
  ir::ProcedureId routine;
  ir::Location at = 0;
  std::vector<ir::Value> locals;
  bool operator==(const Frame&) const = default;
};

struct Thread {
  ir::ProcedureId process;
  std::vector<ir::Value> arguments;
  std::vector<Frame> stack; ///< running frame last; the outermost stays after the end
  std::vector<ir::Value> variables;
  std::vector<Pending> buffer; ///< oldest first; under PSO by cell, and within a cell oldest first
  bool ended = false;
  std::uint32_t rounds = 0; ///< begun so far; counted under a round bound only
  std::uint32_t epoch = 0;  ///< PSO: of the next store
  bool operator==(const Thread&) const = default;
};

Thread start_thread(const ir::Code& code, ir::ProcedureId process,
                    const std::vector<ir::Value>& arguments);

/// What must be known or true before the next instruction of a thread can happen.
struct Demand {
  enum class Kind : std::uint8_t {
    Nothing,
    Memory,      ///< the value of `cell`
    FreeSection, ///< nobody holds the atomic section
    HasEnded,    ///< thread number `thread` has ended and its buffer is empty
    ThreadCount, ///< how many threads there are
    Drain,       ///< cannot happen before the own buffer is empty
    BufferFull,  ///< cannot happen before a pending store leaves, because of the buffer bound
    Never,       ///< the thread has ended
  };
  Kind kind = Kind::Nothing;
  ir::Cell cell;
  ir::Value thread = 0;
};

Demand demand(const ir::Code& code, const Rules& rules, const Thread& thread);

/// A shared access as it happened, for people.
struct Access {
  enum class Kind : std::uint8_t { ReadMemory, ReadBuffer, WriteMemory, WriteBuffer, Exchange };
  Kind kind = Kind::ReadMemory;
  ir::Cell cell;
  ir::Value value = 0;                 ///< read or written
  std::optional<ir::Value> replaced{}; ///< Exchange: what it read, if it wrote
};

/// What a step does beside changing its own thread.
struct Effect {
  enum class Section : std::uint8_t { Keep, Take, Release };
  std::optional<std::pair<ir::Cell, ir::Value>> write; ///< to memory
  Section section = Section::Keep;
  std::optional<Thread> spawned;
  std::optional<ir::Fault> fault;
  std::optional<Access> access;
};

struct Move {
  Thread after;
  Effect effect;
};

/// All outcomes of the next instruction, its demand being met; `seen` is the value demanded
/// (Memory, ThreadCount). Several only where `*` leaves a choice; none where an assume blocks.
std::vector<Move> moves(const ir::Code& code, const Rules& rules, const Thread& thread,
                        ir::Value seen);

/// The pending stores that may reach memory next.
std::vector<ir::Cell> flushable(const Rules& rules, const Thread& thread);
/// Takes the oldest pending store of the cell out of the buffer and returns its value.
ir::Value take_oldest(Thread& thread, ir::Cell cell);

/// A round of the thread begins or ends; false if the bound does not allow that.
bool begin_round(const Rules& rules, Thread& thread);
bool end_round(const Rules& rules, Thread& thread);

ir::Outcome evaluate(const ir::Code& code, const Thread& thread, const ir::Expr& expr);

/// Whether it went wrong by a limit of ours: no violation, but the end of what was covered.
bool is_limit(ir::Fault fault);
/// That limit in words.
std::string limit_text(ir::Fault limit, const Rules& rules);

} // namespace weir::semantics
