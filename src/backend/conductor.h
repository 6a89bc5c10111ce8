#pragma once
// Drives the source program on the reference semantics: "this thread executes its next visible
// statement", "this thread's oldest store reaches memory". Local steps come along by themselves.

#include "semantics/machine.h"

#include <deque>
#include <optional>
#include <string>

namespace weir::backend {

class Conductor {
public:
  /// With silent fences, a fence is passed like a local step when the next statement is executed.
  Conductor(const ir::Code& code, const std::vector<ir::Value>& initial,
            bool silent_fences = false);

  /// The outcome of the next `*` that a thread comes to.
  void choose(ThreadIndex thread, std::uint32_t choice);
  /// Executes the thread up to and including its next visible statement; the whole atomic section
  /// if that begins one. A thread that has ended before does nothing.
  void execute(ThreadIndex thread);
  void flush(ThreadIndex thread);

  bool is_empty(ThreadIndex thread) const;
  std::size_t thread_count() const { return state_.threads.size(); }
  /// Looks for a violation that is only local steps away (and flushes, if so asked).
  void look_around(bool with_flushes);

  /// A violation was reached, or something could not happen: nothing more will.
  bool is_over() const { return violation_ || !problem_.empty(); }
  const std::optional<Violation>& violation() const { return violation_; }
  const std::string& problem() const { return problem_; }
  Run run() const { return {initial_, steps_, *violation_}; }

private:
  const ir::Instruction& next(ThreadIndex thread) const;
  bool is_local(ThreadIndex thread) const;
  void take(const Step& step);
  void step(ThreadIndex thread);
  void end_joined(ThreadIndex thread);
  void note(const semantics::Transition& transition);

  bool silent_fences_;
  std::optional<ThreadIndex> entering_; ///< about to begin an atomic section
  Rules rules_;
  semantics::Machine machine_;
  std::vector<ir::Value> initial_;
  semantics::State state_;
  std::vector<Step> steps_;
  std::vector<std::deque<std::uint32_t>> choices_;
  std::optional<Violation> violation_;
  std::string problem_;
};

} // namespace weir::backend
