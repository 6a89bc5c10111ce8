#include "engine/dual/schedule.h"

#include "base/invariant.h"

#include <algorithm>
#include <deque>

namespace weir::engine::dual {

using namespace lower;

namespace {

struct Message {
  VariableIndex variable = 0;
  std::uint32_t value = 0;
  bool is_own = false;
  std::uint64_t time = 0;
};

class Scheduler {
public:
  Scheduler(const Automata& automata, const Path& path)
      : automata_(automata), path_(path), memory_(path.initial), buffers_(automata.threads.size()),
        clocks_(automata.threads.size()) {}

  std::vector<Event> run() {
    for (const PathStep& step : path_.steps) {
      if (step.transition != PathStep::none)
        execute(step);
      else // the newest is at the back
        buffers_[step.thread].push_back({step.propagated, memory_[step.propagated], false, ++now_});
    }
    std::stable_sort(timed_.begin(), timed_.end(),
                     [](const Timed& a, const Timed& b) { return a.time < b.time; });
    std::vector<Event> result;
    for (const Timed& timed : timed_) {
      result.push_back(timed.event);
      if (enters_section(timed.event)) break; // what is pending then stays pending
    }
    return result;
  }

private:
  struct Timed {
    std::uint64_t time = 0;
    Event event;
  };

  bool enters_section(const Event& event) const {
    if (event.transition == Event::flush) return false;
    const Automaton& thread = automata_.threads[event.thread];
    return thread.holds_section[thread.transitions[event.transition].to];
  }

  void execute(const PathStep& step) {
    const Op& op = automata_.threads[step.thread].transitions[step.transition].op;
    auto& buffer = buffers_[step.thread];
    std::uint64_t& clock = clocks_[step.thread];
    switch (op.kind) {
    case Op::Kind::Nop: break;
    case Op::Kind::Read:
      if (step.reads_own)
        read_own(op.reads[0], buffer);
      else
        clock = read_memory(op.reads[0], buffer);
      break;
    case Op::Kind::Write:
      memory_[op.writes[0].variable] = op.writes[0].value;
      buffer.push_back({op.writes[0].variable, op.writes[0].value, true, 0});
      ++now_;
      break;
    case Op::Kind::Atomic:
      buffer.clear();
      clock = ++now_;
      for (const Among& among : op.reads)
        invariant(among.values[memory_[among.variable]],
                  "an atomic step should find what it reads");
      for (const Becomes& write : op.writes) memory_[write.variable] = write.value;
      break;
    }
    timed_.push_back({clock, {step.thread, step.transition}});
    if (op.kind == Op::Kind::Write) timed_.push_back({now_, {step.thread, Event::flush}});
  }

  static void read_own(const Among& read, const std::deque<Message>& buffer) {
    const auto newest = std::find_if(buffer.rbegin(), buffer.rend(), [&](const Message& m) {
      return m.is_own && m.variable == read.variable;
    });
    invariant(newest != buffer.rend() && read.values[newest->value],
              "a thread should find its own store");
  }

  /// Forgets as little as it takes to come to a message that can be read; returns its time.
  static std::uint64_t read_memory(const Among& read, std::deque<Message>& buffer) {
    const auto is_readable = [&] {
      const Message& oldest = buffer.front();
      return !oldest.is_own && oldest.variable == read.variable && read.values[oldest.value] &&
             std::none_of(buffer.begin(), buffer.end(), [&](const Message& m) {
               return m.is_own && m.variable == read.variable;
             });
    };
    while (!buffer.empty() && !is_readable()) buffer.pop_front();
    invariant(!buffer.empty(), "a thread should find a message to read");
    return buffer.front().time;
  }

  const Automata& automata_;
  const Path& path_;
  std::vector<std::uint32_t> memory_;
  std::vector<std::deque<Message>> buffers_;
  std::vector<std::uint64_t> clocks_;
  std::uint64_t now_ = 0;
  std::vector<Timed> timed_;
};

} // namespace

std::vector<Event> schedule(const Automata& automata, const Path& path) {
  return Scheduler(automata, path).run();
}

} // namespace weir::engine::dual
