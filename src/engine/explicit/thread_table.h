#pragma once
// Thread states as numbers, and what each can do, computed once.
//
// A thread's part of a state (location, call stack, variables, store buffer) is interned. What it
// can do depends on the rest of the machine only through its demand, usually one memory cell, so
// the outcomes for (thread state, value seen) are computed once, by semantics/, and looked up
// afterwards: the search itself interprets nothing.
//
// A step is an instruction and the local computation after it, up to the next instruction that
// others can notice, a label of a forbid, or a second choice; and it is cut after many
// instructions, because it may go on for ever. (Where it is cut changes no verdict.)

#include "lower/liveness.h"
#include "semantics/thread.h"

#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir::engine {

using ThreadStateId = std::uint32_t;
constexpr ThreadStateId absent = 0; ///< no such thread yet
constexpr ThreadStateId not_allowed = ~ThreadStateId{0};
constexpr std::uint32_t no_cell = ~std::uint32_t{0};
constexpr std::uint32_t not_computed = ~std::uint32_t{0};

/// A thread after local computation, the choices that led there, and what went wrong if it did.
struct Settled {
  semantics::Thread thread;
  std::vector<std::uint32_t> choices;
  std::optional<ir::Fault> fault;
};

/// One outcome of a step, packed.
struct StepOutcome {
  ThreadStateId next = absent;
  ThreadStateId spawned = absent;
  std::uint32_t cell = no_cell; ///< memory written
  semantics::Effect::Section section = semantics::Effect::Section::Keep;
  std::optional<ir::Fault> fault;
  ir::Value value = 0;
};

/// The same with the way there, for building runs.
struct DetailedOutcome {
  StepOutcome outcome;
  std::vector<std::uint32_t> choices; ///< one per instruction
};

struct FlushOutcome {
  std::uint32_t cell;
  ThreadStateId next;
  ir::Value value;
};

class ThreadTable {
public:
  /// What a shorter search could leave out.
  struct Keep {
    bool results = false;              ///< values of variables that matter only at the end
    bool states_before_faults = false; ///< where local computation is about to go wrong
  };
  ThreadTable(const ir::Code& code, const Rules& rules, const Keep& keep);

  struct Entry {
    semantics::Demand::Kind demand = semantics::Demand::Kind::Nothing;
    std::uint32_t cell = 0;
    ir::Value joined = 0;
    bool is_done = false;     ///< ended, and nothing pending
    bool is_drained = false;  ///< nothing pending
    std::uint64_t places = 0; ///< bit i: at the i-th place that forbids mention; 63: or later ones
    std::uint32_t first_flush = not_computed; ///< of its flush outcomes
    std::uint32_t last_flush = 0;
    ThreadStateId round_begun = absent, round_ended = absent; ///< absent: not computed yet
  };

  const Entry& operator[](ThreadStateId id) const { return entries_[id]; }
  std::size_t size() const { return entries_.size(); }
  std::uint64_t bytes() const { return bytes_; }

  ThreadStateId intern(semantics::Thread thread);
  semantics::Thread thread(ThreadStateId id) const;

  /// The outcomes of the step of a thread state that saw this value; [first, second) of outcome().
  std::pair<std::uint32_t, std::uint32_t> outcomes(ThreadStateId id, ir::Value seen) {
    const auto& known = known_[id];
    for (const Known& k : known)
      if (k.seen == seen) return {k.first, k.last};
    return compute(id, seen);
  }
  const StepOutcome& outcome(std::uint32_t i) const { return outcomes_[i]; }
  /// The pending stores that may leave next; [first, second) of flush().
  std::pair<std::uint32_t, std::uint32_t> flushes(ThreadStateId id) {
    if (entries_[id].first_flush == not_computed) compute_flushes(id);
    return {entries_[id].first_flush, entries_[id].last_flush};
  }
  const FlushOutcome& flush(std::uint32_t i) const { return flushes_[i]; }
  /// The bit of Entry::places for this place.
  std::uint64_t bit(const ir::Whereabouts& place) const;

  ThreadStateId round_begun(ThreadStateId id);
  ThreadStateId round_ended(ThreadStateId id);

  std::vector<DetailedOutcome> details(ThreadStateId id, ir::Value seen);
  /// All local computation from here on, up to a stop; without any choice if so asked.
  std::vector<Settled> settle(semantics::Thread thread, bool may_choose = true) const;

  /// The first limit that cut a step off, in words; empty if none did.
  const std::string& cut() const { return cut_; }
  void note_cut(ir::Fault fault);
  /// Whether a store ever found the buffer full.
  bool buffer_was_full() const { return buffer_was_full_; }
  std::size_t longest_buffer() const { return longest_buffer_; }

private:
  struct Known {
    ir::Value seen;
    std::uint32_t first, last;
  };
  std::pair<std::uint32_t, std::uint32_t> compute(ThreadStateId id, ir::Value seen);
  void compute_flushes(ThreadStateId id);
  ThreadStateId switched(ThreadStateId id, ThreadStateId Entry::*known,
                         bool (*change)(const Rules&, semantics::Thread&));
  void find_watched_labels();

  const ir::Code& code_;
  const Rules& rules_;
  lower::Liveness liveness_;
  Keep keep_;
  std::vector<std::vector<bool>> stops_; ///< by routine and location: labels that forbids watch
  std::vector<ir::Whereabouts> places_;  ///< all that forbids mention
  std::deque<std::string> keys_;         ///< by id: the encoded thread
  std::unordered_map<std::string_view, ThreadStateId> ids_;
  std::vector<Entry> entries_;
  std::vector<std::vector<Known>> known_;
  std::vector<StepOutcome> outcomes_;
  std::vector<FlushOutcome> flushes_;
  std::string cut_;
  bool buffer_was_full_ = false;
  std::size_t longest_buffer_ = 0;
  std::uint64_t bytes_ = 0;
};

} // namespace weir::engine
