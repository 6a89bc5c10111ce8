#include "engine/explicit/explicit.h"

#include "base/invariant.h"
#include "base/match.h"
#include "engine/explicit/state_store.h"
#include "engine/explicit/thread_table.h"
#include "semantics/choices.h"
#include "semantics/machine.h"
#include "semantics/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <unordered_map>

namespace weir::engine {

using namespace ir;
using semantics::Demand;
using semantics::Effect;
using semantics::Thread;

namespace {

constexpr std::size_t most_initial_memories = 1u << 20;

/// Memory contents as numbers.
class MemoryTable {
public:
  explicit MemoryTable(std::size_t cells) : cells_(cells) {}

  Word intern(const std::vector<Value>& values) {
    std::string key(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
    const auto [found, is_new] =
        ids_.emplace(std::move(key), static_cast<Word>(cells_ ? values_.size() / cells_ : 0));
    if (is_new) values_.insert(values_.end(), values.begin(), values.end());
    return found->second;
  }

  Value value(Word memory, std::uint32_t cell) const { return values_[memory * cells_ + cell]; }

  Word written(Word memory, std::uint32_t cell, Value value) {
    if (this->value(memory, cell) == value) return memory;
    const std::size_t slot = (memory * 0x9E3779B1u + cell * 0x85EBCA6Bu +
                              static_cast<std::uint32_t>(value) * 0xC2B2AE35u) >>
                             (32 - cache_bits);
    Cached& cached = cache_[slot];
    if (cached.memory != memory || cached.cell != cell || cached.value != value) {
      auto next = contents(memory);
      next[cell] = value;
      cached = {memory, cell, value, intern(next)};
    }
    return cached.result;
  }

  std::vector<Value> contents(Word memory) const {
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(memory * cells_);
    return {first, first + static_cast<std::ptrdiff_t>(cells_)};
  }

  std::uint64_t bytes() const { return ids_.size() * (2 * cells_ * sizeof(Value) + 64); }

private:
  static constexpr unsigned cache_bits = 13;
  struct Cached {
    Word memory = ~Word{0};
    std::uint32_t cell = 0;
    Value value = 0;
    Word result = 0;
  };
  std::size_t cells_;
  std::vector<Value> values_;
  std::unordered_map<std::string, Word> ids_;
  std::vector<Cached> cache_ = std::vector<Cached>(std::size_t{1} << cache_bits);
};

/// Which step led from one state to the next.
struct StepTaken {
  ThreadIndex thread = 0;
  bool is_flush = false;
  std::uint32_t number = 0; ///< of the flush, or of the outcome
  Value seen = 0;
};

class Search {
public:
  Search(const Code& code, const ExplicitOptions& options)
      : code_(code), options_(options), rules_(options.rules), machine_(code, rules_),
        collects_(options.all_final || options.on_memory || options.on_final),
        threads_(code, rules_, {options.all_final, static_cast<bool>(options.on_memory)}),
        memories_(code.layout.cell_count()), is_bounded_(rules_.bound.kind != Bound::Kind::None),
        has_control_(is_bounded_ || has<AtomicBegin>()), has_spawns_(has<Spawn>()),
        counts_sweeps_(rules_.bound.kind == Bound::Kind::Sweeps), first_thread_(counts_sweeps_ ? 3
                                                                                : has_control_ ? 2
                                                                                               : 1),
        store_(first_thread_ + code.program->threads.size()),
        started_(std::chrono::steady_clock::now()) {}

  ExplicitAnswer run() {
    ExplicitAnswer result;
    try {
      result.answer.verdict = search();
      if (options_.all_final) collect_finals(result);
      result.witness = std::move(witness_);
      result.has_faults = has_faults_;
    } catch (const std::bad_alloc&) {
      result.answer.verdict = Undecided{"the machine has no more memory"};
    }
    result.answer.statistics = statistics();
    return result;
  }

private:
  // A state: memory, [section holder + 1 in the lower half, active thread + 1 above], [sweep],
  // threads.
  static ThreadIndex section_of(Word control) { return control & 0xFFFF; }
  static ThreadIndex active_of(Word control) { return control >> 16; }
  static Word control(ThreadIndex section, ThreadIndex active) { return section | active << 16; }

  template <class Wanted> bool has() const {
    for (const Routine& routine : code_.routines)
      for (const Instruction& instruction : routine.code)
        if (std::holds_alternative<Wanted>(instruction.operation)) return true;
    return false;
  }

  Verdict search() {
    if (const auto reason = semantics::too_many_choices(code_)) return Undecided{*reason};
    if (auto verdict = start()) return *verdict;
    StateIndex at = 0;
    for (;; ++at) {
      if (at == level_end_ || store_.wants_flush() || at == store_.size()) {
        if (auto verdict = take_in()) return *verdict;
        if (const auto reason = limit_reached()) return Undecided{covered(*reason, at)};
        if (at == store_.size()) break;
        if (at == level_end_) {
          ++depth_;
          level_end_ = store_.size();
        }
      }
      if (auto verdict = expand(at)) return *verdict;
    }
    if (!threads_.cut().empty()) return Undecided{covered(threads_.cut(), at)};
    return Safe{coverage()};
  }

  /// All initial states: each initial memory, each way the threads' first local steps can go.
  std::optional<Verdict> start() {
    const auto memories = machine_.initial_memories(most_initial_memories);
    if (!memories)
      return Undecided{
          fmt::format("there are more than {} initial memories", most_initial_memories)};
    std::vector<std::vector<Word>> combinations{{}};
    ThreadIndex index = 0;
    for (const InitialThread& initial : code_.program->threads) {
      const Thread thread = semantics::start_thread(code_, initial.process, initial.arguments);
      // Under a bound the first local steps take a round like any other.
      settled_initially_.push_back(is_bounded_ ? std::vector<Settled>{{thread, {}, std::nullopt}}
                                               : threads_.settle(thread, false));
      std::vector<Word> ids;
      for (const Settled& settled : settled_initially_.back()) {
        if (!settled.fault)
          ids.push_back(threads_.intern(settled.thread));
        else if (!collects_)
          return local_fault(memories->front(), index, settled);
        else
          has_faults_ = true;
      }
      std::vector<std::vector<Word>> longer;
      for (const auto& prefix : combinations)
        for (const Word id : ids) {
          longer.push_back(prefix);
          longer.back().push_back(id);
        }
      combinations = std::move(longer);
      ++index;
    }
    for (const auto& memory : *memories)
      for (const auto& ids : combinations) {
        Word* words = store_.propose(no_state);
        words[0] = memories_.intern(memory);
        std::fill(words + 1, words + first_thread_, 0);
        std::copy(ids.begin(), ids.end(), words + first_thread_);
        if (store_.wants_flush())
          if (auto verdict = take_in()) return verdict;
      }
    auto verdict = take_in();
    level_end_ = store_.size();
    return verdict;
  }

  Verdict local_fault(const std::vector<Value>& memory, ThreadIndex thread,
                      const Settled& settled) const {
    Run run{memory, {}, FaultAt{*settled.fault, thread, {}}};
    append(run.steps, thread, settled.choices);
    return confirmed(std::move(run));
  }

  /// Inserts the candidates and looks at the states that are new.
  std::optional<Verdict> take_in() {
    const StateIndex before = store_.size();
    if (store_.is_full()) return Undecided{"there are more states than can be numbered"};
    store_.flush();
    const Program& program = *code_.program;
    for (StateIndex i = before; i < store_.size(); ++i) {
      const Word* words = store_.state(i);
      if (options_.on_memory && is_shown(words)) {
        witness_ = Witness{initial_memory(i), steps_to(i)};
        return Undecided{"stopped as asked"};
      }
      if (!collects_ && !program.forbids.empty() && is_forbidden(words))
        if (auto verdict = violation_at(i)) return verdict;
      if (options_.all_final || options_.on_final || (!collects_ && !program.finals.empty()))
        if (is_final(words)) {
          if (options_.on_final)
            options_.on_final(unpacked(words));
          else if (options_.all_final)
            final_states_.push_back(i);
          else if (auto verdict = violation_at(i))
            return verdict;
          else if (const auto limit = machine_.limit(unpacked(words)))
            threads_.note_cut(*limit);
        }
    }
    return std::nullopt;
  }

  /// Shows the memory to on_memory, if it is new and others can see it; returns what that says.
  bool is_shown(const Word* words) {
    if (has_control_ && section_of(words[1]) != 0) return false;
    if (words[0] < shown_.size() && shown_[words[0]]) return false;
    if (is_bounded_ && active_of(words[1]) != 0) {
      const ThreadStateId active = words[first_thread_ + active_of(words[1]) - 1];
      if (threads_.round_ended(active) == not_allowed) return false;
    }
    if (words[0] >= shown_.size()) shown_.resize(words[0] + 1);
    shown_[words[0]] = true;
    return options_.on_memory(memories_.contents(words[0]));
  }

  /// A quick look at the places taken; violation_at() looks closely.
  bool is_forbidden(const Word* words) const {
    std::uint64_t places = 0;
    for (std::size_t t = first_thread_; t < store_.width(); ++t)
      places |= threads_[words[t]].places;
    if (places == 0) return false;
    for (const Forbid& forbid : code_.program->forbids) {
      const bool possible =
          std::all_of(forbid.places.begin(), forbid.places.end(), [&](const Whereabouts& place) {
            return (threads_.bit(place) & places) != 0;
          });
      if (possible) return true;
    }
    return false;
  }

  bool is_final(const Word* words) const {
    for (std::size_t t = first_thread_; t < store_.width(); ++t)
      if (words[t] != absent && !threads_[words[t]].is_done) return false;
    return true;
  }

  semantics::State unpacked(const Word* words) const {
    semantics::State state;
    state.memory = memories_.contents(words[0]);
    for (std::size_t t = first_thread_; t < store_.width() && words[t] != absent; ++t)
      state.threads.push_back(threads_.thread(words[t]));
    return state;
  }

  std::optional<Verdict> violation_at(StateIndex i) {
    const auto violation = machine_.violation(unpacked(store_.state(i)));
    if (!violation) return std::nullopt;
    return confirmed({initial_memory(i), steps_to(i), *violation});
  }

  // ---- expanding a state ----------------------------------------------------------------------

  /// Calls visit(step, words or nullptr, outcome or nullptr) for all successors of a state. The
  /// words passed are `scratch`; a step that goes wrong has none. Stops when visit returns true.
  template <class Visit> bool for_each_successor(const Word* words, Word* scratch, Visit&& visit) {
    const std::size_t width = store_.width();
    const Word now = has_control_ ? words[1] : 0;
    const ThreadIndex section = section_of(now);
    for (ThreadIndex t = 0; t < width - first_thread_; ++t) {
      ThreadStateId id = words[first_thread_ + t];
      if (id == absent) break;
      if (section != 0 && section != t + 1) continue;
      std::copy_n(words, width, scratch);
      if (is_bounded_ && active_of(now) != t + 1) {
        if (!switch_to(t, scratch)) continue;
        id = scratch[first_thread_ + t];
      }
      const auto [first_flush, last_flush] = threads_.flushes(id);
      for (std::uint32_t f = first_flush; f < last_flush; ++f) {
        const FlushOutcome flush = threads_.flush(f);
        scratch[first_thread_ + t] = flush.next;
        scratch[0] = memories_.written(words[0], flush.cell, flush.value);
        if (visit(StepTaken{t, true, f - first_flush, 0}, scratch, nullptr)) return true;
      }
      scratch[0] = words[0];
      scratch[first_thread_ + t] = id;
      if (joins_nobody(words, threads_[id])) {
        StepOutcome missing;
        missing.fault = Fault::NoSuchThread;
        if (visit(StepTaken{t, false, 0, 0}, nullptr, &missing)) return true;
        continue;
      }
      Value seen = 0;
      if (!is_met(words, threads_[id], seen)) continue;
      const auto [first, last] = threads_.outcomes(id, seen);
      for (std::uint32_t o = first; o < last; ++o) {
        const StepOutcome outcome = threads_.outcome(o);
        const StepTaken step{t, false, o - first, seen};
        if (outcome.fault) {
          if (visit(step, nullptr, &outcome)) return true;
          continue;
        }
        scratch[0] = outcome.cell == no_cell
                         ? words[0]
                         : memories_.written(words[0], outcome.cell, outcome.value);
        scratch[first_thread_ + t] = outcome.next;
        if (has_control_ && outcome.section != Effect::Section::Keep)
          scratch[1] =
              control(outcome.section == Effect::Section::Take ? t + 1 : 0, active_of(scratch[1]));
        const std::size_t child = outcome.spawned == absent ? 0 : first_absent(words);
        if (child != 0) scratch[child] = outcome.spawned;
        if (visit(step, scratch, &outcome)) return true;
        if (child != 0) scratch[child] = absent;
      }
    }
    return false;
  }

  /// The round of the active thread ends, that of `t` begins; false if the bound forbids it.
  bool switch_to(ThreadIndex t, Word* words) {
    if (counts_sweeps_ && !sweep_on(t, words)) return false;
    if (const ThreadIndex active = active_of(words[1]); active != 0) {
      Word& other = words[first_thread_ + active - 1];
      other = threads_.round_ended(other);
      if (other == not_allowed) return false;
    }
    Word& own = words[first_thread_ + t];
    own = threads_.round_begun(own);
    words[1] = control(section_of(words[1]), t + 1);
    return own != not_allowed;
  }

  /// The same rule as Machine's: the last round of each thread ends with an empty buffer.
  bool sweep_on(ThreadIndex t, Word* words) const {
    if (t + 1 < active_of(words[1])) ++words[2];
    if (words[2] < rules_.bound.k) return true;
    return words[2] == rules_.bound.k &&
           std::all_of(words + first_thread_, words + first_thread_ + t,
                       [&](Word earlier) { return threads_[earlier].is_drained; });
  }

  std::size_t first_absent(const Word* words) const {
    std::size_t at = first_thread_;
    while (at < store_.width() && words[at] != absent) ++at;
    return at;
  }

  /// A join of a number that no thread has.
  bool joins_nobody(const Word* words, const ThreadTable::Entry& entry) const {
    return entry.demand == Demand::Kind::HasEnded &&
           entry.joined >= static_cast<Value>(first_absent(words) - first_thread_);
  }

  bool is_met(const Word* words, const ThreadTable::Entry& entry, Value& seen) const {
    switch (entry.demand) {
    case Demand::Kind::Nothing: return true;
    case Demand::Kind::Memory: seen = memories_.value(words[0], entry.cell); return true;
    case Demand::Kind::FreeSection: return section_of(words[1]) == 0;
    case Demand::Kind::ThreadCount:
      seen = static_cast<Value>(first_absent(words) - first_thread_);
      return true;
    case Demand::Kind::HasEnded:
      return threads_[words[first_thread_ + static_cast<std::size_t>(entry.joined)]].is_done;
    case Demand::Kind::Drain:
    case Demand::Kind::BufferFull:
    case Demand::Kind::Never: return false;
    }
    return false;
  }

  std::optional<Verdict> expand(StateIndex at) {
    if (has_spawns_ && first_absent(store_.state(at)) == store_.width()) {
      if (auto verdict = take_in()) return verdict; // before their width changes
      store_.widen(store_.width() + 2);
    }
    scratch_.resize(store_.width());
    std::optional<Verdict> verdict;
    const Word* words = store_.state(at);
    for_each_successor(words, scratch_.data(),
                       [&](const StepTaken& step, const Word* next, const StepOutcome* outcome) {
                         ++transitions_;
                         if (next) {
                           std::copy_n(next, store_.width(), store_.propose(at));
                           return false;
                         }
                         if (semantics::is_limit(*outcome->fault)) {
                           threads_.note_cut(*outcome->fault);
                           return false;
                         }
                         has_faults_ = true;
                         if (collects_) return false; // nothing comes after it
                         verdict = fault_after(at, step, *outcome);
                         return true;
                       });
    return verdict;
  }

  // ---- from states back to a run --------------------------------------------------------------

  static void append(std::vector<Step>& steps, ThreadIndex thread,
                     const std::vector<std::uint32_t>& choices) {
    for (const std::uint32_t choice : choices)
      steps.push_back({thread, Step::Kind::Execute, choice, {}});
  }

  std::vector<StateIndex> path_to(StateIndex at) const {
    std::vector<StateIndex> path;
    for (; at != no_state; at = store_.parent(at)) path.push_back(at);
    std::reverse(path.begin(), path.end());
    return path;
  }

  std::vector<Value> initial_memory(StateIndex at) const {
    return memories_.contents(store_.state(path_to(at).front())[0]);
  }

  /// Builds the run as the semantics executes it. The first local steps of a thread are put just
  /// before its first other step, or first of all if there is none.
  class RunBuilder {
  public:
    explicit RunBuilder(Search& search) : search_(search) {}

    void begin(const Word* words) {
      for (std::size_t t = 0; t < search_.settled_initially_.size(); ++t)
        for (const Settled& settled : search_.settled_initially_[t])
          if (!settled.fault &&
              search_.threads_.intern(settled.thread) == words[search_.first_thread_ + t]) {
            waiting_.push_back(settled.choices);
            break;
          }
    }

    void add(const Word* words, const StepTaken& step) {
      wake(step.thread);
      std::vector<Word> ready(words, words + search_.store_.width());
      if (search_.is_bounded_ && active_of(words[1]) != step.thread + 1)
        search_.switch_to(step.thread, ready.data());
      const ThreadStateId id = ready[search_.first_thread_ + step.thread];
      if (step.is_flush) {
        const auto flush = search_.threads_.flush(search_.threads_.flushes(id).first + step.number);
        steps_.push_back({step.thread, Step::Kind::Flush, 0, Cell{flush.cell}});
        return;
      }
      if (search_.joins_nobody(words, search_.threads_[id])) {
        append(steps_, step.thread, {0});
        return;
      }
      const auto detailed = search_.threads_.details(id, step.seen)[step.number];
      append(steps_, step.thread, detailed.choices);
      if (detailed.outcome.spawned != absent) waiting_.emplace_back();
    }

    std::vector<Step> take() {
      std::vector<Step> first;
      for (ThreadIndex t = 0; t < waiting_.size(); ++t) append(first, t, waiting_[t]);
      steps_.insert(steps_.begin(), first.begin(), first.end());
      return std::move(steps_);
    }

  private:
    void wake(ThreadIndex thread) {
      append(steps_, thread, waiting_[thread]);
      waiting_[thread].clear();
    }

    Search& search_;
    std::vector<std::vector<std::uint32_t>>
        waiting_; ///< by thread: first local steps not yet taken
    std::vector<Step> steps_;
  };

  void follow(RunBuilder& builder, const std::vector<StateIndex>& path) {
    scratch_.resize(store_.width());
    builder.begin(store_.state(path.front()));
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const Word* from = store_.state(path[i]);
      const Word* to = store_.state(path[i + 1]);
      StepTaken taken;
      const bool found = for_each_successor(
          from, scratch_.data(), [&](const StepTaken& step, const Word* next, const StepOutcome*) {
            taken = step;
            return next && std::equal(next, next + store_.width(), to);
          });
      invariant(found, "a state should be a successor of its parent");
      builder.add(from, taken);
    }
  }

  std::vector<Step> steps_to(StateIndex at) {
    RunBuilder builder(*this);
    follow(builder, path_to(at));
    return builder.take();
  }

  Verdict fault_after(StateIndex at, const StepTaken& step, const StepOutcome& outcome) {
    RunBuilder builder(*this);
    follow(builder, path_to(at));
    builder.add(store_.state(at), step);
    return confirmed(
        {initial_memory(at), builder.take(), FaultAt{*outcome.fault, step.thread, {}}});
  }

  /// No run is reported that does not replay on the reference semantics.
  Verdict confirmed(Run run) const {
    auto played = semantics::replay(machine_, run);
    const auto* derailed = std::get_if<semantics::Derailed>(&played);
    invariant(!derailed, derailed ? "a reported run should replay: " + derailed->reason : "");
    const auto& playback = std::get<semantics::Playback>(played);
    run.steps = without_idle_ends(run, playback);
    if (auto* fault = std::get_if<FaultAt>(&run.violation))
      fault->span = playback.steps.back().span;
    return Unsafe{std::move(run)};
  }

  /// Leaves out local steps at the end of threads that have no part in the violation.
  std::vector<Step> without_idle_ends(const Run& run, const semantics::Playback& playback) const {
    const semantics::State& last =
        playback.steps.empty() ? playback.start : playback.steps.back().after;
    std::vector<bool> involved(last.threads.size());
    match(
        run.violation, [&](const FaultAt& f) { involved[f.thread] = true; },
        [&](const ForbidReached& f) {
          const auto& forbid = code_.program->forbids[f.forbid];
          const auto threads = semantics::reached_by(code_, last.threads, forbid);
          for (const ThreadIndex t : *threads) involved[t] = true;
        },
        [&](const FinalBroken&) { involved.assign(involved.size(), true); });
    std::vector<Step> kept;
    std::vector<bool> moved_later(involved);
    for (std::size_t i = run.steps.size(); i-- > 0;) {
      const Step& step = run.steps[i];
      const semantics::State& before = i == 0 ? playback.start : playback.steps[i - 1].after;
      const semantics::Frame& frame = before.threads[step.thread].stack.back();
      const bool is_flush = step.kind == Step::Kind::Flush; // needs no local step before it
      if (!is_flush && is_visible(code_.at(frame.routine, frame.at).operation))
        moved_later[step.thread] = true;
      if (is_flush || moved_later[step.thread]) kept.push_back(step);
    }
    std::reverse(kept.begin(), kept.end());
    const Run shorter{run.initial, kept, run.violation};
    const auto played = semantics::replay(machine_, shorter);
    return std::holds_alternative<semantics::Playback>(played) ? kept : run.steps;
  }

  // ---- final states, limits, statistics -------------------------------------------------------

  void collect_finals(ExplicitAnswer& result) const {
    // What the user declared and the thread's code may assign, of the threads there from the start.
    const Program& program = *code_.program;
    for (ThreadIndex t = 0; t < program.threads.size(); ++t)
      for (std::uint32_t l = 0; l < program.locals.size(); ++l)
        if (is_assigned(program.threads[t].process, LocalId{l}))
          for (std::uint32_t cell = 0; cell < program.locals[l].type.cells(); ++cell)
            result.observed.push_back({t, LocalId{l}, cell});
    for (const StateIndex i : final_states_) {
      const auto state = unpacked(store_.state(i));
      FinalValuation valuation{state.memory, {}};
      for (const Observed& o : result.observed) {
        const std::uint32_t slot = code_.layout.local_base[o.local.value] + o.cell;
        const Thread& thread = state.threads[o.thread];
        valuation.locals.push_back(program[o.local].owner ? thread.stack.front().locals[slot]
                                                          : thread.variables[slot]);
      }
      result.finals.insert(std::move(valuation));
    }
  }

  bool is_assigned(ProcedureId process, LocalId local) const {
    const Local& variable = (*code_.program)[local];
    if (variable.span.end <= variable.span.begin) return false; // ours, not the user's
    if (variable.owner && variable.owner != process) return false;
    std::vector<ProcedureId> routines{process};
    for (std::size_t i = 0; i < routines.size(); ++i)
      for (const Instruction& instruction : code_.routines[routines[i].value].code) {
        const auto is_it = [&](const LocalPlace& place) { return place.variable == local; };
        const bool found = match(
            instruction.operation, [&](const Assign& s) { return is_it(s.to); },
            [&](const Havoc& s) { return is_it(s.to); },
            [&](const Load& s) { return is_it(s.into); },
            [&](const Cas& s) { return s.into && is_it(*s.into); },
            [&](const Spawn& s) { return s.into && is_it(*s.into); },
            [](const auto&) { return false; });
        if (found) return true;
        if (const auto* call = std::get_if<Call>(&instruction.operation))
          if (std::find(routines.begin(), routines.end(), call->procedure) == routines.end())
            routines.push_back(call->procedure);
      }
    return false;
  }

  Coverage coverage() const {
    Coverage result;
    if (is_bounded_) result.bounds.push_back(text(rules_.bound));
    if (threads_.buffer_was_full())
      result.bounds.push_back(fmt::format("at most {} pending stores per thread", *rules_.buffer));
    return result;
  }

  std::string covered(const std::string& reason, StateIndex expanded) const {
    std::string text =
        fmt::format("{}; no violation in the {} states covered, which are all within "
                    "{} steps",
                    reason, expanded, depth_ == 0 ? 0 : depth_ - 1);
    for (const std::string& bound : coverage().bounds) text += " and " + bound;
    constexpr std::size_t suspicious = 16;
    if (!rules_.buffer && threads_.longest_buffer() > suspicious)
      text += fmt::format("; buffers grew to {} pending stores, perhaps without end: --buffer N "
                          "looks at shorter ones only",
                          threads_.longest_buffer());
    return text;
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

  std::uint64_t bytes() const { return store_.bytes() + threads_.bytes() + memories_.bytes(); }

  Statistics statistics() const {
    return {store_.size(), transitions_, depth_, bytes(), seconds()};
  }

  std::optional<std::string> limit_reached() {
    const Limits& limits = options_.limits;
    if (limits.interrupted && *limits.interrupted) return "interrupted";
    if (limits.bytes && bytes() > *limits.bytes)
      return fmt::format("the memory limit of {} MB is reached", *limits.bytes >> 20);
    if (++looks_ % 64 != 0) return std::nullopt; // the clock costs more than the rest
    if (limits.seconds && seconds() > *limits.seconds)
      return fmt::format("the time limit of {} s is reached", *limits.seconds);
    if (options_.progress) options_.progress(statistics());
    return std::nullopt;
  }

  const Code& code_;
  const ExplicitOptions& options_;
  Rules rules_;
  semantics::Machine machine_;
  bool collects_; ///< goes on after violations
  bool has_faults_ = false;
  ThreadTable threads_;
  MemoryTable memories_;
  bool is_bounded_;
  bool has_control_;
  bool has_spawns_;
  bool counts_sweeps_;
  std::size_t first_thread_; ///< word of thread 0
  StateStore store_;
  std::vector<std::vector<Settled>> settled_initially_; ///< by thread
  std::vector<StateIndex> final_states_;
  std::vector<bool> shown_; ///< by memory
  std::optional<Witness> witness_;
  std::vector<Word> scratch_;
  StateIndex level_end_ = 0;
  std::uint64_t depth_ = 0;
  std::uint64_t transitions_ = 0;
  std::uint64_t looks_ = 0;
  std::chrono::steady_clock::time_point started_;
};

} // namespace

ExplicitAnswer check_explicit(const Code& code, const ExplicitOptions& options) {
  return Search(code, options).run();
}

} // namespace weir::engine
