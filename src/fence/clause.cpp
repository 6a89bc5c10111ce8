#include "fence/clause.h"

#include "base/invariant.h"
#include "semantics/replay.h"

#include <algorithm>
#include <deque>

namespace weir::fence {

using namespace ir;
using semantics::Access;
using semantics::Machine;
using semantics::Playback;
using semantics::Played;
using semantics::State;

namespace {

Playback played(const Machine& machine, const Run& run) {
  auto result = semantics::play(machine, run.initial, run.steps);
  invariant(std::holds_alternative<Playback>(result), "a run to learn from should replay");
  return std::move(std::get<Playback>(result));
}

const Instruction* next_of(const Code& code, const State& state, ThreadIndex t) {
  const semantics::Thread& thread = state.threads[t];
  if (thread.ended) return nullptr;
  const semantics::Frame& frame = thread.stack.back();
  return &code.at(frame.routine, frame.at);
}

/// A pending store, and the places its thread has passed since.
struct Store {
  Cell cell;
  std::set<std::size_t> passed;
};

class Reader {
public:
  explicit Reader(const Code& code) : code_(code) {}

  std::set<std::size_t> read(const Playback& playback) {
    const State* before = &playback.start;
    for (const Played& step : playback.steps) {
      pending_.resize(std::max(pending_.size(), step.after.threads.size()));
      take(*before, step);
      before = &step.after;
    }
    if (before->section)
      for (std::size_t t = 0; t < pending_.size(); ++t)
        if (t != *before->section) overtaken(t, 0);
    return std::move(clause_);
  }

private:
  void take(const State& before, const Played& step) {
    const ThreadIndex t = step.step.thread;
    auto& buffer = pending_[t];
    if (step.step.kind == Step::Kind::Flush) {
      buffer.erase(buffer.begin());
      return;
    }
    const Instruction& instruction = *next_of(code_, before, t);
    if (const auto place = mark(instruction)) {
      for (Store& store : buffer) store.passed.insert(*place);
      return;
    }
    if (std::holds_alternative<Spawn>(instruction.operation)) return overtaken(t, 0);
    if (!step.effect.access) return;
    const Access& access = *step.effect.access;
    if (access.kind == Access::Kind::WriteBuffer) buffer.push_back({access.cell, {}});
    if (access.kind == Access::Kind::ReadMemory) overtaken(t, 0);
    if (access.kind == Access::Kind::ReadBuffer) {
      std::size_t newest = buffer.size();
      while (buffer[newest - 1].cell != access.cell) --newest;
      overtaken(t, newest);
    }
  }

  /// Something happened although the stores from this one on were pending.
  void overtaken(std::size_t t, std::size_t from) {
    for (std::size_t i = from; i < pending_[t].size(); ++i)
      clause_.insert(pending_[t][i].passed.begin(), pending_[t][i].passed.end());
  }

  const Code& code_;
  std::vector<std::vector<Store>> pending_; ///< by thread, oldest first
  std::set<std::size_t> clause_;
};

} // namespace

std::set<std::size_t> clause(const Code& marked, const Rules& rules, const Run& run) {
  return Reader(marked).read(played(Machine(marked, rules), run));
}

Run without_marks(const Code& marked, const Rules& rules, const Run& run) {
  Run result{run.initial, {}, run.violation};
  const Playback playback = played(Machine(marked, rules), run);
  const State* before = &playback.start;
  for (const Played& step : playback.steps) {
    const bool executes = step.step.kind == Step::Kind::Execute;
    if (!executes || !mark(*next_of(marked, *before, step.step.thread)))
      result.steps.push_back(step.step);
    before = &step.after;
  }
  return result;
}

namespace {

/// Takes the steps of a run on a program with other fences. A thread that comes to a fence with
/// stores pending waits there, until the run flushes them or is over.
class Retrial {
public:
  Retrial(const Code& code, const Rules& rules, const Run& run)
      : code_(code), machine_(code, rules), run_(run),
        state_(machine_.start(run.initial)), result_{run.initial, {}, run.violation} {}

  std::optional<Run> result() {
    for (const Step& step : run_.steps) {
      waiting_.resize(std::max(waiting_.size(), state_.threads.size()));
      if (step.thread >= waiting_.size()) return std::nullopt;
      if (step.kind == Step::Kind::Execute)
        waiting_[step.thread].push_back(step);
      else if (!take(step))
        return std::nullopt;
      if (!go_on(step.thread)) return std::nullopt;
    }
    // A fault is the last step of all.
    const auto* fault = std::get_if<FaultAt>(&run_.violation);
    for (ThreadIndex t = 0; t < waiting_.size(); ++t)
      if ((!fault || fault->thread != t) && !finish(t)) return std::nullopt;
    if (fault && !finish(fault->thread)) return std::nullopt;
    if (std::holds_alternative<semantics::Derailed>(semantics::replay(machine_, result_)))
      return std::nullopt;
    return std::move(result_);
  }

private:
  bool take(const Step& step) {
    for (semantics::Transition& next : machine_.transitions(state_, step.thread))
      if (next.step == step) {
        state_ = std::move(next.after);
        result_.steps.push_back(step);
        return true;
      }
    return false;
  }

  bool is_at_closed_fence(ThreadIndex t) const {
    const Instruction* next = next_of(code_, state_, t);
    return next && mark(*next) && std::holds_alternative<Fence>(next->operation) &&
           !state_.threads[t].buffer.empty();
  }

  /// The steps that the thread has waited with, as far as fences let it.
  bool go_on(ThreadIndex t) {
    auto& steps = waiting_[t];
    while (!steps.empty() && !is_at_closed_fence(t)) {
      if (!take(steps.front())) return false;
      steps.pop_front();
    }
    return true;
  }

  bool finish(ThreadIndex t) {
    while (!waiting_[t].empty()) {
      if (!is_at_closed_fence(t)) return false;
      if (!take({t, Step::Kind::Flush, 0, state_.threads[t].buffer[0].cell}) || !go_on(t))
        return false;
    }
    return true;
  }

  const Code& code_;
  Machine machine_;
  const Run& run_;
  State state_;
  Run result_;
  std::vector<std::deque<Step>> waiting_; ///< by thread
};

} // namespace

std::optional<Run> retry(const Code& marked, const Rules& rules, const Run& run) {
  return Retrial(marked, rules, run).result();
}

} // namespace weir::fence
