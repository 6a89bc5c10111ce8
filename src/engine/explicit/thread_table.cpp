#include "engine/explicit/thread_table.h"

#include "semantics/encode.h"
#include "semantics/machine.h"

#include <algorithm>

namespace weir::engine {

using namespace ir;
using semantics::Demand;
using semantics::Thread;

ThreadTable::ThreadTable(const Code& code, const Rules& rules, const Keep& keep)
    : code_(code), rules_(rules), liveness_(code, keep.results), keep_(keep) {
  find_watched_labels();
  for (const Forbid& forbid : code.program->forbids)
    for (const Whereabouts& place : forbid.places)
      if (std::find(places_.begin(), places_.end(), place) == places_.end())
        places_.push_back(place);
  entries_.emplace_back(); // absent
  known_.emplace_back();
  keys_.emplace_back();
}

void ThreadTable::find_watched_labels() {
  for (const Routine& routine : code_.routines) stops_.emplace_back(routine.code.size());
  for (const Forbid& forbid : code_.program->forbids)
    for (const Whereabouts& place : forbid.places) {
      const std::uint32_t routine = place.thread.process.value;
      stops_[routine][code_.routines[routine].labels[place.label.value]] = true;
    }
}

std::vector<Settled> ThreadTable::settle(Thread thread, bool may_choose) const {
  constexpr std::size_t most_instructions = 2000;
  std::vector<Settled> result;
  std::vector<std::uint32_t> choices;
  while (choices.size() < most_instructions && !thread.ended) {
    const semantics::Frame& frame = thread.stack.back();
    if (is_visible(code_.at(frame.routine, frame.at).operation) ||
        stops_[frame.routine.value][frame.at])
      break;
    auto next = semantics::moves(code_, rules_, thread, 0);
    // Blocked by an assume, or at a limit of ours: that step is not lost but left for when the
    // thread moves again.
    const bool at_limit = std::any_of(next.begin(), next.end(), [&](const semantics::Move& move) {
      return move.effect.fault &&
             (keep_.states_before_faults || semantics::is_limit(*move.effect.fault));
    });
    if (next.empty() || at_limit || (next.size() > 1 && !may_choose)) break;
    if (next.size() > 1) {
      for (std::uint32_t choice = 0; choice < next.size(); ++choice) {
        std::vector<Settled> rest;
        if (next[choice].effect.fault)
          rest.push_back({std::move(next[choice].after), {}, next[choice].effect.fault});
        else
          rest = settle(std::move(next[choice].after), false);
        for (Settled& one : rest) {
          one.choices.insert(one.choices.begin(), choice);
          one.choices.insert(one.choices.begin(), choices.begin(), choices.end());
          result.push_back(std::move(one));
        }
      }
      return result;
    }
    choices.push_back(0);
    thread = std::move(next[0].after);
    if (next[0].effect.fault) {
      result.push_back({std::move(thread), std::move(choices), next[0].effect.fault});
      return result;
    }
  }
  result.push_back({std::move(thread), std::move(choices), std::nullopt});
  return result;
}

ThreadStateId ThreadTable::intern(Thread thread) {
  liveness_.forget_dead(thread);
  std::string key = semantics::encode(thread);
  if (const auto found = ids_.find(key); found != ids_.end()) return found->second;
  const auto id = static_cast<ThreadStateId>(entries_.size());
  bytes_ += key.capacity() + sizeof(Entry) + sizeof(std::string) + 64;
  keys_.push_back(std::move(key));
  ids_.emplace(keys_.back(), id);
  known_.emplace_back();

  Entry entry;
  const Demand demand = semantics::demand(code_, rules_, thread);
  entry.demand = demand.kind;
  entry.cell = demand.cell.value;
  entry.joined = demand.thread;
  entry.is_drained = thread.buffer.empty();
  entry.is_done = thread.ended && entry.is_drained;
  if (demand.kind == Demand::Kind::BufferFull) buffer_was_full_ = true;
  longest_buffer_ = std::max(longest_buffer_, thread.buffer.size());
  for (const Whereabouts& place : places_)
    if (semantics::is_at(code_, thread, place)) entry.places |= bit(place);
  entries_.push_back(entry);
  return id;
}

std::uint64_t ThreadTable::bit(const Whereabouts& place) const {
  const auto i = std::find(places_.begin(), places_.end(), place) - places_.begin();
  return std::uint64_t{1} << std::min<std::ptrdiff_t>(i, 63);
}

void ThreadTable::compute_flushes(ThreadStateId id) {
  const Thread before = thread(id);
  std::vector<FlushOutcome> found;
  for (const Cell cell : semantics::flushable(rules_, before)) {
    Thread after = before;
    const Value value = semantics::take_oldest(after, cell);
    found.push_back({cell.value, intern(std::move(after)), value});
  }
  entries_[id].first_flush = static_cast<std::uint32_t>(flushes_.size());
  flushes_.insert(flushes_.end(), found.begin(), found.end());
  entries_[id].last_flush = static_cast<std::uint32_t>(flushes_.size());
  bytes_ += found.size() * sizeof(FlushOutcome);
}

Thread ThreadTable::thread(ThreadStateId id) const { return semantics::decode(keys_[id]); }

std::vector<DetailedOutcome> ThreadTable::details(ThreadStateId id, Value seen) {
  std::vector<DetailedOutcome> result;
  const auto moves = semantics::moves(code_, rules_, thread(id), seen);
  for (std::uint32_t choice = 0; choice < moves.size(); ++choice) {
    const semantics::Move& move = moves[choice];
    DetailedOutcome base;
    base.choices.push_back(choice);
    base.outcome.section = move.effect.section;
    base.outcome.fault = move.effect.fault;
    if (move.effect.write) {
      base.outcome.cell = move.effect.write->first.value;
      base.outcome.value = move.effect.write->second;
    }
    if (base.outcome.fault) {
      result.push_back(std::move(base));
      continue;
    }
    // A new thread stays at its start: it may have to wait, for a section or its round.
    if (move.effect.spawned) base.outcome.spawned = intern(*move.effect.spawned);
    for (const Settled& own : settle(move.after, moves.size() == 1)) {
      DetailedOutcome& detailed = result.emplace_back(base);
      detailed.choices.insert(detailed.choices.end(), own.choices.begin(), own.choices.end());
      detailed.outcome.fault = own.fault;
      if (!own.fault) detailed.outcome.next = intern(own.thread);
    }
  }
  return result;
}

std::pair<std::uint32_t, std::uint32_t> ThreadTable::compute(ThreadStateId id, Value seen) {
  const auto all = details(id, seen);
  const auto first = static_cast<std::uint32_t>(outcomes_.size());
  for (const DetailedOutcome& detailed : all) outcomes_.push_back(detailed.outcome);
  const auto last = static_cast<std::uint32_t>(outcomes_.size());
  known_[id].push_back({seen, first, last});
  bytes_ += all.size() * sizeof(StepOutcome) + sizeof(Known);
  return {first, last};
}

ThreadStateId ThreadTable::switched(ThreadStateId id, ThreadStateId Entry::*known,
                                    bool (*change)(const Rules&, Thread&)) {
  if (entries_[id].*known == absent) {
    Thread next = thread(id);
    const bool allowed = change(rules_, next);
    const ThreadStateId after = allowed ? intern(std::move(next)) : not_allowed;
    entries_[id].*known = after; // only now: interning may move the entries
  }
  return entries_[id].*known;
}

ThreadStateId ThreadTable::round_begun(ThreadStateId id) {
  return switched(id, &Entry::round_begun, semantics::begin_round);
}

ThreadStateId ThreadTable::round_ended(ThreadStateId id) {
  return switched(id, &Entry::round_ended, semantics::end_round);
}

void ThreadTable::note_cut(Fault fault) {
  if (cut_.empty()) cut_ = semantics::limit_text(fault, rules_);
}

} // namespace weir::engine
