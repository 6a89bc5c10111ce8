#include "backend/follow.h"

#include "emit/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

namespace weir::backend {

using namespace ir;
using semantics::Playback;
using translate::Part;
using translate::Translation;

namespace {

bool is_choice(const TraceStep& step) {
  return step.variable == "choice" && step.function.rfind("any_", 0) == 0;
}

class Follower {
public:
  Follower(const Translation& translation, const Code& code, const std::vector<TraceStep>& trace)
      : translation_(translation), code_(code), machine_(code, rules_), trace_(trace) {
    rules_.model = Model::SC;
    rules_.depth = 100'000;
    rules_.threads = 60'000;
    for (const TraceStep& step : trace) {
      if (!is_choice(step)) continue;
      if (choices_.size() <= step.thread) choices_.resize(step.thread + 1);
      choices_[step.thread].push_back(step.value);
    }
    find_markers();
  }

  std::variant<Playback, NotLifted> run() {
    playback_.start = machine_.start(initial_memory());
    if (code_.program->threads.size() == 1 && !has_spawns()) {
      while (step(0)) {}
    } else {
      for (const TraceStep& event : trace_)
        if (is_marker(event)) section(event.thread);
    }
    if (!problem_.empty()) return NotLifted{problem_};
    return std::move(playback_);
  }

private:
  bool has_spawns() const {
    for (const Routine& routine : code_.routines)
      for (const Instruction& i : routine.code)
        if (std::holds_alternative<Spawn>(i.operation)) return true;
    return false;
  }

  /// Every section of a visible statement or a flush begins with a call; who prints no calls
  /// assigns there.
  void find_markers() {
    const emit::Names names(*code_.program);
    has_calls_ = std::any_of(trace_.begin(), trace_.end(),
                             [](const TraceStep& s) { return s.variable.empty(); });
    for (std::uint32_t p = 0; p < code_.program->procedures.size(); ++p) {
      if (translation_.parts[p] == Part::Visible) opens(ProcedureId{p}, names);
      if (translation_.parts[p] != Part::Flush) continue;
      for (const Instruction& i : code_.routines[p].code)
        if (const auto* call = std::get_if<Call>(&i.operation)) opens(call->procedure, names);
    }
  }

  void opens(ProcedureId procedure, const emit::Names& names) {
    openers_.insert(procedure);
    opener_names_.insert(names[procedure]);
  }

  bool is_marker(const TraceStep& step) const {
    if (!opener_names_.contains(step.function)) return false;
    return has_calls_ ? step.variable.empty()
                      : step.variable == "previous" || step.variable == "started";
  }

  std::vector<Value> initial_memory() {
    std::vector<Value> memory;
    for (const Shared& variable : code_.program->shared)
      for (const Initial& initial : variable.initial)
        memory.push_back(initial ? *initial : take_choice(0));
    return memory;
  }

  Value take_choice(ThreadIndex thread) {
    if (choices_.size() <= thread || choices_[thread].empty()) {
      is_exhausted_ = true;
      return 0;
    }
    const Value value = choices_[thread].front();
    choices_[thread].pop_front();
    return value;
  }

  const semantics::State& now() const {
    return playback_.steps.empty() ? playback_.start : playback_.steps.back().after;
  }

  const Instruction& next(ThreadIndex thread) const {
    const semantics::Frame& frame = now().threads[thread].stack.back();
    return code_.at(frame.routine, frame.at);
  }

  /// One step of the thread, with its next choice if it has one; false if there is none.
  bool step(ThreadIndex thread) {
    if (now().threads[thread].ended) return false;
    if (!playback_.steps.empty() && playback_.steps.back().effect.fault) return false;
    std::uint32_t choice = 0;
    const Operation& operation = next(thread).operation;
    const auto* branch = std::get_if<Branch>(&operation);
    if (const auto* any = std::get_if<Havoc>(&operation)) {
      return havoc(thread, *any);
    } else if (branch && branch->condition.op == Op::Any) {
      choice = take_choice(thread) != 0 ? 0 : 1;
    }
    if (is_exhausted_) return false; // the counterexample ends here
    for (semantics::Transition& t : machine_.transitions(now())) {
      if (t.step != Step{thread, Step::Kind::Execute, choice, {}}) continue;
      playback_.steps.push_back({t.step, std::move(t.effect), t.span, std::move(t.after)});
      return true;
    }
    return false;
  }

  /// The value itself, not its number among all: there may be billions.
  bool havoc(ThreadIndex thread, const Havoc& any) {
    const Value value = take_choice(thread);
    if (is_exhausted_) return false;
    semantics::Played played{{thread, Step::Kind::Execute, 0, {}}, {}, next(thread).span, now()};
    const Local& local = (*code_.program)[any.to.variable];
    if (!local.type.scalar().contains(value)) return false;
    played.step.choice = static_cast<std::uint32_t>(value - local.type.scalar().lo);
    std::size_t slot = code_.layout.local_base[any.to.variable.value];
    const Type* type = &local.type;
    for (const Expr& index : any.to.path) {
      const auto at = semantics::evaluate(code_, now().threads[thread], index);
      if (!std::holds_alternative<Value>(at)) return false;
      type = &type->parts[0];
      slot += static_cast<std::size_t>(std::get<Value>(at)) * type->cells();
    }
    semantics::Thread& after = played.after.threads[thread];
    after.stack.back().at = next(thread).next;
    (local.owner ? after.stack.back().locals : after.variables)[slot] = value;
    playback_.steps.push_back(std::move(played));
    return true;
  }

  /// The thread's next atomic section of a visible statement, whole.
  void section(ThreadIndex thread) {
    while (thread >= now().threads.size() && problem_.empty()) start_another();
    bool is_in = false;
    while (problem_.empty()) {
      if (now().threads[thread].ended) return;
      const Operation operation = next(thread).operation;
      const auto* call = std::get_if<Call>(&operation);
      is_in = is_in || (call && openers_.contains(call->procedure));
      if (!step(thread)) return; // the counterexample ends in this section
      if (is_in && std::holds_alternative<AtomicEnd>(operation)) return;
    }
  }

  /// Some thread is about to spawn the one that is missing.
  void start_another() {
    const std::size_t count = now().threads.size();
    for (ThreadIndex t = 0; t < count; ++t)
      while (!now().threads[t].ended &&
             (!is_visible(next(t).operation) || std::holds_alternative<Spawn>(next(t).operation))) {
        if (!step(t)) break;
        if (now().threads.size() > count) return;
      }
    problem_ = "the checker's run has a thread that nobody starts";
  }

  const Translation& translation_;
  const Code& code_;
  Rules rules_;
  semantics::Machine machine_;
  const std::vector<TraceStep>& trace_;
  std::vector<std::deque<Value>> choices_; ///< by thread
  std::set<ProcedureId> openers_;          ///< a section begins with a call of one of these
  std::set<std::string> opener_names_;
  bool has_calls_ = false, is_exhausted_ = false;
  Playback playback_;
  std::string problem_;
};

} // namespace

std::variant<Playback, NotLifted> follow(const Translation& translation, const Code& translated,
                                         const std::vector<TraceStep>& trace) {
  return Follower(translation, translated, trace).run();
}

} // namespace weir::backend
