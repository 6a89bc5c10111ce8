#pragma once
// The reference semantics: memory, threads and their buffers, one transition at a time.
//
// Small, slow and obviously right. Everything fast is tested against it; every reported run is
// replayed on it. While a thread holds the atomic section no other thread steps and no other
// buffer flushes. Bounded versions count a thread's rounds (maximal stretches of its transitions).

#include "semantics/thread.h"
#include "verdict/run.h"

#include <optional>
#include <vector>

namespace weir::semantics {

struct State {
  std::vector<ir::Value> memory; ///< by Cell
  std::vector<Thread> threads;   ///< by ThreadIndex
  std::optional<ThreadIndex> section;
  std::optional<ThreadIndex> active; ///< whose round it is; followed under a bound only
  std::uint32_t sweep = 0;           ///< counted under a sweep bound only
  bool operator==(const State&) const = default;
};

struct Transition {
  Step step;
  State after;
  Effect effect;
  SourceSpan span; ///< of the instruction; empty for a flush
};

class Machine {
public:
  Machine(const ir::Code& code, const Rules& rules) : code_(code), rules_(rules) {}

  State start(const std::vector<ir::Value>& memory) const;
  /// Every initial memory, unless there are more than `most`.
  std::optional<std::vector<std::vector<ir::Value>>> initial_memories(std::size_t most) const;

  /// All that can happen next. A transition whose effect has a fault ends the run.
  std::vector<Transition> transitions(const State& state) const;
  /// Those of one thread.
  std::vector<Transition> transitions(const State& state, ThreadIndex t) const;

  /// A forbidden combination of places, or a final condition that does not hold.
  std::optional<Violation> violation(const State& state) const;
  /// A limit of ours that keeps a final condition from being decided.
  std::optional<ir::Fault> limit(const State& state) const;

  const ir::Code& code() const { return code_; }
  const Rules& rules() const { return rules_; }

private:
  void add_flushes(const State& state, ThreadIndex t, std::vector<Transition>& out) const;
  void add_moves(const State& state, ThreadIndex t, std::vector<Transition>& out) const;
  /// The state with `t` scheduled: rounds end and begin as the bound says, if it allows it.
  std::optional<State> scheduled(const State& state, ThreadIndex t) const;

  const ir::Code& code_;
  const Rules& rules_;
};

/// All threads have ended and all buffers are empty.
bool is_final(const State& state);
/// Whether the thread is the one meant: of the process, and with these arguments if any are given.
bool is_named(const Thread& thread, const ir::ThreadName& name);
/// The different threads that are at the forbidden places, if all are taken.
std::optional<std::vector<ThreadIndex>>
reached_by(const ir::Code& code, const std::vector<Thread>& threads, const ir::Forbid& forbid);
/// Whether a final condition with this outcome is violated.
bool is_broken(const ir::Outcome& holds);
/// A final condition in a final state. A thread that was never started has its initial values.
ir::Outcome evaluate_final(const ir::Code& code, const std::vector<ir::Value>& memory,
                           const std::vector<Thread>& threads, const ir::Expr& expr);
bool is_at(const ir::Code& code, const Thread& thread, const ir::Whereabouts& place);

} // namespace weir::semantics
