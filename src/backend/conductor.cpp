#include "backend/conductor.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::backend {

using namespace ir;
using semantics::State;
using semantics::Transition;

Conductor::Conductor(const Code& code, const std::vector<Value>& initial, bool silent_fences)
    : silent_fences_(silent_fences), machine_(code, rules_), initial_(initial),
      state_(machine_.start(initial)) {
  rules_.depth = 100'000;
  rules_.threads = 60'000;
  violation_ = machine_.violation(state_);
}

const Instruction& Conductor::next(ThreadIndex thread) const {
  const semantics::Frame& frame = state_.threads[thread].stack.back();
  return machine_.code().at(frame.routine, frame.at);
}

bool Conductor::is_local(ThreadIndex thread) const {
  if (state_.threads[thread].ended) return false;
  const Operation& operation = next(thread).operation;
  return !is_visible(operation) || (silent_fences_ && std::holds_alternative<Fence>(operation));
}

bool Conductor::is_empty(ThreadIndex thread) const { return state_.threads[thread].buffer.empty(); }

void Conductor::choose(ThreadIndex thread, std::uint32_t choice) {
  if (choices_.size() <= thread) choices_.resize(thread + 1);
  choices_[thread].push_back(choice);
}

void Conductor::note(const Transition& transition) {
  steps_.push_back(transition.step);
  if (transition.effect.fault && !semantics::is_limit(*transition.effect.fault))
    violation_ = FaultAt{*transition.effect.fault, transition.step.thread, transition.span};
  else
    violation_ = machine_.violation(transition.after);
}

void Conductor::take(const Step& step) {
  if (is_over()) return;
  for (const Transition& transition : machine_.transitions(state_)) {
    if (transition.step != step) continue;
    note(transition);
    state_ = transition.after;
    return;
  }
  problem_ = fmt::format("step {} of thread {} cannot happen", steps_.size() + 1, step.thread);
}

void Conductor::step(ThreadIndex thread) {
  std::uint32_t choice = 0;
  const Operation& operation = next(thread).operation;
  const auto* branch = std::get_if<Branch>(&operation);
  if (std::holds_alternative<Havoc>(operation) || (branch && branch->condition.op == Op::Any)) {
    if (choices_.size() <= thread || choices_[thread].empty()) {
      problem_ = fmt::format("thread {} has a choice that the checker did not make", thread);
      return;
    }
    choice = choices_[thread].front();
    choices_[thread].pop_front();
  }
  take({thread, Step::Kind::Execute, choice, {}});
}

void Conductor::execute(ThreadIndex thread) {
  if (!is_over() && thread >= state_.threads.size()) {
    problem_ = fmt::format("there is no thread {}", thread);
    return;
  }
  while (!is_over() && is_local(thread)) step(thread);
  if (is_over() || state_.threads[thread].ended) return;
  end_joined(thread);
  const bool begins = std::holds_alternative<AtomicBegin>(next(thread).operation);
  if (begins && !machine_.code().program->forbids.empty()) {
    entering_ = thread; // others may stand at their places while it is inside
    look_around(false);
    entering_.reset();
    if (is_over()) return;
  }
  step(thread);
  while (begins && !is_over() && state_.section == thread) { // stores in a section commit at once
    if (!is_empty(thread))
      flush(thread);
    else
      step(thread);
  }
}

/// The last steps of the thread that this one is about to join are local: now is the time.
void Conductor::end_joined(ThreadIndex thread) {
  const auto demand = semantics::demand(machine_.code(), rules_, state_.threads[thread]);
  if (demand.kind != semantics::Demand::Kind::HasEnded ||
      demand.thread >= static_cast<Value>(state_.threads.size()))
    return;
  const auto other = static_cast<ThreadIndex>(demand.thread);
  while (!is_over() && is_local(other)) step(other);
}

void Conductor::flush(ThreadIndex thread) {
  if (is_over() || is_empty(thread)) return;
  take({thread, Step::Kind::Flush, 0, state_.threads[thread].buffer.front().cell});
}

void Conductor::look_around(bool with_flushes) {
  if (is_over()) return;
  constexpr std::size_t most_states = 3000;
  struct Seen {
    State state;
    std::size_t parent;
    Step step;
  };
  std::vector<Seen> seen{{state_, 0, {}}};
  for (std::size_t i = 0; i < seen.size() && seen.size() < most_states; ++i)
    for (const Transition& transition : machine_.transitions(seen[i].state)) {
      const ThreadIndex t = transition.step.thread;
      const bool is_flush = transition.step.kind == Step::Kind::Flush;
      const semantics::Frame& frame = seen[i].state.threads[t].stack.back();
      // In an atomic section only its thread moves, so whatever it does is as good as local.
      const bool is_open = seen[i].state.section == t ||
                           (entering_ == t && !seen[i].state.section &&
                            std::holds_alternative<AtomicBegin>(
                                machine_.code().at(frame.routine, frame.at).operation));
      const bool is_wrong =
          transition.effect.fault && !semantics::is_limit(*transition.effect.fault);
      const Operation& operation = machine_.code().at(frame.routine, frame.at).operation;
      const bool is_visible_step =
          !is_flush && is_visible(operation) && !std::holds_alternative<Fence>(operation);
      // A visible step that goes wrong is a violation too; translated, it is an assert before it.
      if (is_flush ? !(with_flushes || is_open) : is_visible_step && !is_open && !is_wrong)
        continue;
      const bool is_bad =
          is_wrong || (!transition.effect.fault && machine_.violation(transition.after));
      if (is_bad) {
        std::vector<Step> way{transition.step};
        for (std::size_t at = i; at != 0; at = seen[at].parent) way.push_back(seen[at].step);
        for (auto s = way.rbegin(); s != way.rend(); ++s) take(*s);
        return;
      }
      if (transition.effect.fault) continue;
      const bool is_new = std::none_of(seen.begin(), seen.end(), [&](const Seen& other) {
        return other.state == transition.after;
      });
      if (is_new) seen.push_back({transition.after, i, transition.step});
    }
}

} // namespace weir::backend
