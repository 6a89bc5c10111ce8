#include "backend/lift.h"

#include "backend/conductor.h"

#include <algorithm>
#include <deque>

namespace weir::backend {

using namespace ir;
using semantics::Playback;
using translate::Part;
using translate::Translation;

namespace {

/// One step of the translated program, as far as lifting asks.
struct Moment {
  ThreadIndex thread;
  const semantics::State* before;
  const Instruction* instruction;
  Part part;                ///< of the procedure that it stands in
  std::optional<Part> call; ///< of the procedure that it calls
  std::uint32_t choice;
};

class Reader {
public:
  Reader(const Translation& translation, const Code& code, const Playback& playback)
      : translation_(translation), code_(code), playback_(playback) {}

  Moment at(std::size_t i) const {
    const semantics::State& before = i == 0 ? playback_.start : playback_.steps[i - 1].after;
    const Step& step = playback_.steps[i].step;
    const semantics::Frame& frame = before.threads[step.thread].stack.back();
    const Instruction& instruction = code_.at(frame.routine, frame.at);
    Moment moment{step.thread, &before, &instruction, part(frame.routine), {}, step.choice};
    if (const auto* call = std::get_if<Call>(&instruction.operation))
      moment.call = part(call->procedure);
    return moment;
  }

  Value value(const Moment& moment, LocalId local, std::uint32_t cell = 0) const {
    return moment.before->threads[moment.thread]
        .variables[code_.layout.local_base[local.value] + cell];
  }

  /// A choice of the user's program, not of the machinery.
  static bool is_choice(const Moment& moment) {
    const auto* branch = std::get_if<Branch>(&moment.instruction->operation);
    return moment.part == Part::Image &&
           (std::holds_alternative<Havoc>(moment.instruction->operation) ||
            (branch && branch->condition.op == Op::Any));
  }

private:
  Part part(ProcedureId id) const { return translation_.parts[id.value]; }

  const Translation& translation_;
  const Code& code_;
  const Playback& playback_;
};

std::variant<Run, NotLifted> result_of(Conductor& conductor) {
  conductor.look_around(false);
  conductor.look_around(true);
  if (conductor.violation()) return conductor.run();
  return NotLifted{conductor.problem().empty() ? "the run ends without a violation of the source"
                                               : conductor.problem()};
}

/// A visible statement of a thread in one of its sweeps.
struct Event {
  ThreadIndex thread;
  std::uint32_t sweep;
  std::optional<std::uint32_t> commit; ///< of a store: the sweep in which it reaches memory
};

std::variant<Run, NotLifted> lift_sequential(const Code& source, const Translation& translation,
                                             const Code& translated, const Playback& playback) {
  const Reader reader(translation, translated, playback);
  const std::uint32_t sweeps = translation.bound.k + 1;
  std::vector<Event> events;
  std::vector<std::pair<ThreadIndex, std::uint32_t>> choices;
  std::vector<Value> initial;
  ThreadIndex self = 0;
  bool is_visible_next = false, is_store_done = false;
  for (std::size_t i = 0; i < playback.steps.size(); ++i) {
    const Moment now = reader.at(i);
    if (now.part == Part::Driver && now.call == Part::Image) {
      self = static_cast<ThreadIndex>(reader.value(now, translation.self));
      is_visible_next = is_store_done = false;
      if (initial.empty())
        for (std::size_t x = 0; x < translation.memory.size(); ++x)
          for (std::uint32_t c = 0; c < source.program->shared[x].type.cells(); ++c)
            initial.push_back(reader.value(now, translation.memory[x], c));
    }
    if (now.part != Part::Image) continue;
    if (is_visible_next) {
      is_visible_next = false;
      const auto sweep = static_cast<std::uint32_t>(reader.value(now, translation.r_sc));
      if (sweep < sweeps) events.push_back({self, sweep, {}});
    }
    if (is_store_done) {
      is_store_done = false;
      const auto sweep = static_cast<std::uint32_t>(reader.value(now, translation.r_sc));
      if (translation.has_silent_fences && sweep < sweeps) events.push_back({self, sweep, {}});
      if (!events.empty() && sweep < sweeps)
        events.back().commit = static_cast<std::uint32_t>(reader.value(now, translation.r_tso));
    }
    if (Reader::is_choice(now)) choices.emplace_back(self, now.choice);
    is_visible_next = now.call == Part::Visible;
    is_store_done = now.call == Part::Update;
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::pair(a.sweep, a.thread) < std::pair(b.sweep, b.thread);
  });

  Conductor conductor(source, initial, translation.has_silent_fences);
  for (const auto& [thread, choice] : choices) conductor.choose(thread, choice);
  std::vector<std::deque<std::uint32_t>> due; ///< by thread: when its pending stores reach memory
  if (!source.program->forbids.empty()) conductor.look_around(false);
  auto event = events.begin();
  for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep)
    for (ThreadIndex t = 0; t < conductor.thread_count(); ++t) {
      due.resize(conductor.thread_count());
      const auto flush_due = [&] {
        for (; !due[t].empty() && due[t].front() <= sweep; due[t].pop_front()) conductor.flush(t);
      };
      flush_due();
      for (; event != events.end() && event->sweep == sweep && event->thread == t; ++event) {
        if (conductor.is_over()) return result_of(conductor);
        conductor.execute(t);
        due.resize(conductor.thread_count());
        if (event->commit && !conductor.is_over() && !conductor.is_empty(t)) {
          due[t].push_back(*event->commit);
          flush_due();
        }
        if (!source.program->forbids.empty()) conductor.look_around(false);
      }
    }
  return result_of(conductor);
}

std::variant<Run, NotLifted> lift_threads(const Code& source, const Translation& translation,
                                          const Code& translated, const Playback& playback) {
  const Reader reader(translation, translated, playback);
  const Value slots = static_cast<Value>(translation.bound.k) + 1;
  struct Simulated {
    std::uint64_t round = 0;
    bool is_visible = false, is_update = false;
    std::optional<Value> ahead;    ///< of the store in this section: rounds until it is due
    std::deque<std::uint64_t> due; ///< rounds in which the pending stores reach memory
  };
  std::vector<Simulated> threads;
  const auto& memory = playback.start.memory;
  Conductor conductor(source, {memory.begin(), memory.begin() + source.layout.cell_count()});
  const auto thread = [&](ThreadIndex t) -> Simulated& {
    if (threads.size() <= t) threads.resize(t + 1);
    return threads[t];
  };
  const auto section_over = [&](ThreadIndex t) {
    Simulated& self = thread(t);
    for (; !self.due.empty() && self.due.front() <= self.round; self.due.pop_front())
      conductor.flush(t);
    if (self.is_visible) {
      conductor.execute(t);
      if (self.ahead && !conductor.is_over() && !conductor.is_empty(t)) {
        self.due.push_back(self.round + static_cast<std::uint64_t>(*self.ahead));
        for (; !self.due.empty() && self.due.front() <= self.round; self.due.pop_front())
          conductor.flush(t);
      }
    }
    self.is_visible = false;
    self.ahead.reset();
    if (!source.program->forbids.empty()) conductor.look_around(false);
  };
  if (!source.program->forbids.empty()) conductor.look_around(false);
  for (std::size_t i = 0; i < playback.steps.size() && !conductor.is_over(); ++i) {
    const Moment now = reader.at(i);
    Simulated& self = thread(now.thread);
    if (self.is_update && now.part != Part::Update) {
      self.is_update = false;
      const Value distance =
          reader.value(now, translation.r_tso) - reader.value(now, translation.r_sc);
      self.ahead = (distance + slots) % slots;
    }
    if (Reader::is_choice(now)) conductor.choose(now.thread, now.choice);
    if (now.call == Part::InitRound) ++self.round;
    if (now.call == Part::Visible && now.part == Part::Image) self.is_visible = true;
    if (now.call == Part::Update) self.is_update = true;
    if (std::holds_alternative<AtomicEnd>(now.instruction->operation)) section_over(now.thread);
  }
  for (ThreadIndex t = 0; t < threads.size(); ++t) // the last one may not be over
    if (threads[t].is_visible && !conductor.is_over()) section_over(t);
  return result_of(conductor);
}

} // namespace

std::variant<Run, NotLifted> lift(const Code& source, const Translation& translation,
                                  const Code& translated, const Playback& playback) {
  const bool is_sequential = std::find(translation.parts.begin(), translation.parts.end(),
                                       Part::Driver) != translation.parts.end();
  return is_sequential ? lift_sequential(source, translation, translated, playback)
                       : lift_threads(source, translation, translated, playback);
}

} // namespace weir::backend
