#include "lower/unfold.h"

#include "base/invariant.h"
#include "ir/print.h"
#include "lower/liveness.h"
#include "semantics/choices.h"
#include "semantics/encode.h"
#include "semantics/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

namespace weir::lower {

using namespace ir;
using semantics::Demand;
using semantics::Thread;

namespace {

constexpr std::size_t most_unfolded_values = 4096; ///< of a variable
constexpr std::size_t most_of_plain_int = 512;     ///< of a variable without a range
constexpr std::size_t most_locations = 200'000;    ///< of all threads
constexpr std::size_t most_steps = 1'000'000;      ///< of all threads
constexpr std::size_t most_section_states = 200'000;
constexpr const char* way_out = "; a range, int<lo..hi>, would help";
constexpr const char* joins_of_another =
    "a thread is joined by another one than spawned it, which may be before it exists";

using Values = std::map<VariableIndex, std::uint32_t>;

/// A thread on its way through a section, alone with memory.
struct Inside {
  Thread thread;
  Values reads;   ///< what memory had at the beginning, as far as it was looked at
  Values current; ///< what it has now
  std::set<VariableIndex> written;
};

std::string key_of(const Location& location) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(location.kind)));
  semantics::put(key, static_cast<Value>(location.history.size()));
  for (const std::uint32_t alternative : location.history) semantics::put(key, alternative);
  return key + location.key;
}

class Unfolder {
public:
  Unfolder(const Code& code, const Rules& rules, Watch& watch)
      : code_(code), rules_(rules), watch_(watch), liveness_(code, false) {
    rules_.model = Model::SC; // a store shows what it writes; buffers are the engines' business
    rules_.bound = {};
    rules_.buffer.reset();
  }

  std::variant<Unfolding, Refusal> run() {
    const Program& program = *code_.program;
    if (const auto reason = semantics::too_many_choices(code_)) return Refusal{{}, *reason};
    find_joins();
    add_memory();
    for (const InitialThread& initial : program.threads) {
      add_thread(thread_name(program, initial.process, initial.arguments));
      const auto t = static_cast<ThreadIndex>(result_.threads.size() - 1);
      intern(t, running(semantics::start_thread(code_, initial.process, initial.arguments), {}));
    }
    while (!work_.empty() && !refusal_) {
      const Work work = work_.front();
      work_.pop_front();
      expand(work);
      if (watch_.is_over()) refuse({}, *watch_.reason());
    }
    if (refusal_) return *refusal_;
    return std::move(result_);
  }

private:
  struct Work {
    ThreadIndex thread = 0;
    StateIndex state = 0;
    std::optional<std::pair<VariableIndex, std::uint32_t>> news; ///< only this value is new
  };
  struct Watcher {
    ThreadIndex thread = 0;
    StateIndex state = 0;
  };

  // ---- variables and threads ------------------------------------------------------------------

  void find_joins() {
    for (const Routine& routine : code_.routines)
      for (const Instruction& instruction : routine.code)
        if (std::holds_alternative<Join>(instruction.operation)) result_.has_joins = true;
  }

  void add_memory() {
    for (const Shared& shared : code_.program->shared)
      for (const Initial& initial : shared.initial) {
        add_variable(UnfoldedVariable::Kind::Memory, 0);
        UnfoldedVariable& variable = result_.variables.back();
        const Type& type = shared.type.scalar();
        const Value lo = initial.value_or(type.lo);
        const Value hi = initial.value_or(type.hi);
        for (Value value = lo;; ++value) {
          variable.initial.push_back(static_cast<std::uint32_t>(variable.values.size()));
          variable.index.emplace(value, variable.initial.back());
          variable.values.push_back(value);
          if (value == hi) break;
        }
      }
  }

  VariableIndex add_variable(UnfoldedVariable::Kind kind, ThreadIndex thread) {
    result_.variables.push_back({kind, thread, {}, {}, {}});
    watchers_.emplace_back();
    newest_.emplace_back();
    if (kind != UnfoldedVariable::Kind::Memory) {
      UnfoldedVariable& flag = result_.variables.back();
      flag.values = {0, 1};
      flag.index = {{0, 0}, {1, 1}};
      flag.initial = {0};
    }
    return static_cast<VariableIndex>(result_.variables.size() - 1);
  }

  void add_thread(std::string name) {
    const auto t = static_cast<ThreadIndex>(result_.threads.size());
    result_.threads.push_back({std::move(name), {}, {}, {}, {}});
    begun_.push_back(
        t < code_.program->threads.size() ? 0 : add_variable(UnfoldedVariable::Kind::Begun, t));
    ended_.push_back(result_.has_joins ? add_variable(UnfoldedVariable::Kind::Ended, t) : 0);
  }

  std::uint32_t index_of(VariableIndex variable, Value value, SourceSpan span) {
    UnfoldedVariable& v = result_.variables[variable];
    const auto next = static_cast<std::uint32_t>(v.values.size());
    const auto [found, is_new] = v.index.emplace(value, next);
    if (!is_new) return found->second;
    v.values.push_back(value);
    newest_[variable] = span;
    const std::size_t most = is_plain_int(variable) ? most_of_plain_int : most_unfolded_values;
    if (v.values.size() > most) refuse_variable(variable, most, span);
    for (const Watcher& watcher : watchers_[variable])
      work_.push_back({watcher.thread, watcher.state, std::pair(variable, next)});
    return next;
  }

  void watch(VariableIndex variable, const Watcher& watcher) {
    if (watched_.emplace(variable, watcher.thread, watcher.state).second)
      watchers_[variable].push_back(watcher);
  }

  // ---- locations ------------------------------------------------------------------------------

  Location running(Thread thread, std::vector<std::uint32_t> spawned) const {
    liveness_.forget_dead(thread);
    return {Location::Kind::Running, semantics::encode(thread), std::move(spawned)};
  }

  StateIndex intern(ThreadIndex t, Location location) {
    UnfoldedThread& thread = result_.threads[t];
    const auto next = static_cast<StateIndex>(thread.locations.size());
    const auto [found, is_new] = thread.index.emplace(key_of(location), next);
    if (!is_new) return found->second;
    watch_.use(2 * location.key.size() + sizeof(Location) + 128);
    thread.locations.push_back(std::move(location));
    work_.push_back({t, next, std::nullopt});
    if (++location_count_ > most_locations) refuse_locations(t);
    return next;
  }

  void add_step(ThreadIndex t, UnfoldedStep step) {
    watch_.use(sizeof(UnfoldedStep) + 32);
    result_.threads[t].steps.push_back(std::move(step));
    if (++step_count_ > most_steps) refuse_locations(t);
  }

  // ---- one instruction ------------------------------------------------------------------------

  void expand(const Work& work) {
    const Location location = result_.threads[work.thread].locations[work.state];
    if (location.kind != Location::Kind::Running) return;
    const Thread thread = semantics::decode(location.key);
    if (thread.ended) return announce(work, location);
    const Instruction& instruction = instruction_of(thread);
    if (std::holds_alternative<AtomicBegin>(instruction.operation))
      return expand_section(work, location, thread, instruction);
    const Demand needed = semantics::demand(code_, rules_, thread);
    UnfoldedStep step{work.state, 0, kind_of(instruction.operation), {}, {}};
    switch (needed.kind) {
    case Demand::Kind::Memory: {
      const VariableIndex cell = needed.cell.value;
      if (!work.news) watch(cell, {work.thread, work.state});
      const std::size_t known = result_.variables[cell].values.size();
      for (std::uint32_t v = work.news ? work.news->second : 0;
           v < (work.news ? work.news->second + 1 : known); ++v) {
        step.reads = {{cell, v}};
        take(work.thread, step, location, thread, result_.variables[cell].values[v]);
      }
      return;
    }
    case Demand::Kind::ThreadCount: return spawn(work, location, thread, instruction);
    case Demand::Kind::HasEnded:
      if (const auto joined = joined_thread(work.thread, location, needed.thread, instruction)) {
        step.kind = Op::Kind::Read;
        step.reads = {{ended_[*joined], 1}};
        take(work.thread, step, location, thread, 0);
      } else if (!refusal_) {
        step.to = failed(work.thread, location.history);
        add_step(work.thread, step);
      }
      return;
    case Demand::Kind::Nothing: take(work.thread, step, location, thread, 0); return;
    case Demand::Kind::FreeSection:
    case Demand::Kind::Drain:
    case Demand::Kind::BufferFull:
    case Demand::Kind::Never: break;
    }
    invariant(false, "a thread without pending stores should not have to wait for them");
  }

  const Instruction& instruction_of(const Thread& thread) const {
    return code_.at(thread.stack.back().routine, thread.stack.back().at);
  }

  static Op::Kind kind_of(const Operation& operation) {
    if (std::holds_alternative<Load>(operation)) return Op::Kind::Read;
    if (std::holds_alternative<Fence>(operation) || std::holds_alternative<Cas>(operation) ||
        std::holds_alternative<Arw>(operation))
      return Op::Kind::Atomic;
    return Op::Kind::Nop;
  }

  /// All outcomes of an instruction that saw this value, as steps like `step`.
  void take(ThreadIndex t, UnfoldedStep step, const Location& location, const Thread& thread,
            Value seen) {
    const SourceSpan span = instruction_of(thread).span;
    for (semantics::Move& move : semantics::moves(code_, rules_, thread, seen)) {
      UnfoldedStep one = step;
      if (move.effect.fault) {
        if (is_cut(*move.effect.fault)) continue;
        // Where no place could be found, nothing was read.
        if (one.kind == Op::Kind::Read && one.reads.empty()) one.kind = Op::Kind::Nop;
        one.to = failed(t, location.history);
        add_step(t, std::move(one));
        continue;
      }
      if (move.effect.write) {
        const VariableIndex cell = move.effect.write->first.value;
        if (one.kind == Op::Kind::Nop) one.kind = Op::Kind::Write;
        one.writes = {{cell, index_of(cell, move.effect.write->second, span)}};
      }
      one.to = intern(t, running(std::move(move.after), location.history));
      add_step(t, std::move(one));
    }
  }

  bool is_cut(Fault fault) {
    if (!semantics::is_limit(fault)) return false;
    if (result_.cut.empty()) result_.cut = semantics::limit_text(fault, rules_);
    return true;
  }

  StateIndex failed(ThreadIndex t, const std::vector<std::uint32_t>& history) {
    return intern(t, {Location::Kind::Failed, "", history});
  }

  // ---- spawn, join, end -----------------------------------------------------------------------

  /// The flag that a spawn finds unset, and what its thread may then be; none: refused.
  std::optional<VariableIndex> spawned_thread(ThreadIndex t,
                                              const std::vector<std::uint32_t>& spawned,
                                              const Thread& child, SourceSpan span,
                                              std::uint32_t& alternative) {
    if (result_.spawner.value_or(t) != t || t >= code_.program->threads.size()) {
      refuse(span, "more than one thread spawns others here, so that their numbers are not known "
                   "beforehand");
      return std::nullopt;
    }
    result_.spawner = t;
    if (assumed_.size() > assumed_.count(t)) {
      refuse(span, joins_of_another);
      return std::nullopt;
    }
    const std::size_t number = code_.program->threads.size() + spawned.size();
    const std::string name = thread_name(*code_.program, child.process, child.arguments);
    if (number == result_.threads.size()) {
      add_thread(name);
      intern(static_cast<ThreadIndex>(number), {Location::Kind::Unborn, "", {}});
    }
    UnfoldedThread& thread = result_.threads[number];
    const Alternative wanted{child.process, child.arguments};
    const auto found = std::find(thread.alternatives.begin(), thread.alternatives.end(), wanted);
    alternative = static_cast<std::uint32_t>(found - thread.alternatives.begin());
    if (found == thread.alternatives.end()) {
      if (!thread.alternatives.empty()) thread.name += "|" + name;
      thread.alternatives.push_back(wanted);
      begin(static_cast<ThreadIndex>(number), alternative);
    }
    return begun_[number];
  }

  void begin(ThreadIndex t, std::uint32_t alternative) {
    const VariableIndex flag = begun_[t];
    const Alternative& wanted = result_.threads[t].alternatives[alternative];
    Thread start = semantics::start_thread(code_, wanted.process, wanted.arguments);
    const StateIndex to = intern(t, running(std::move(start), {alternative}));
    add_step(t, {0, to, Op::Kind::Atomic, {{flag, 0}}, {{flag, 1}}});
  }

  void spawn(const Work& work, const Location& location, const Thread& thread,
             const Instruction& instruction) {
    const auto count = static_cast<Value>(code_.program->threads.size() + location.history.size());
    UnfoldedStep step{work.state, 0, Op::Kind::Read, {}, {}};
    for (semantics::Move& move : semantics::moves(code_, rules_, thread, count)) {
      UnfoldedStep one = step;
      std::vector<std::uint32_t> spawned = location.history;
      if (move.effect.fault && is_cut(*move.effect.fault)) continue;
      if (move.effect.fault) {
        one.kind = Op::Kind::Nop;
        one.to = failed(work.thread, location.history);
      } else {
        std::uint32_t alternative = 0;
        const auto flag = spawned_thread(work.thread, spawned, *move.effect.spawned,
                                         instruction.span, alternative);
        if (!flag) return;
        one.reads = {{*flag, 0}};
        spawned.push_back(alternative);
        one.to = intern(work.thread, running(std::move(move.after), std::move(spawned)));
      }
      add_step(work.thread, std::move(one));
    }
  }

  /// The thread that a join waits for; none if there is no such thread, or if it is refused.
  std::optional<ThreadIndex> joined_thread(ThreadIndex t, const Location& location, Value number,
                                           const Instruction& instruction) {
    const auto initial = static_cast<Value>(code_.program->threads.size());
    if (number < initial) return static_cast<ThreadIndex>(number);
    const bool knows = t < code_.program->threads.size() && result_.spawner.value_or(t) == t;
    if (!knows) {
      refuse(instruction.span, joins_of_another);
      return std::nullopt;
    }
    if (!result_.spawner) assumed_.insert(t);
    if (number >= initial + static_cast<Value>(location.history.size())) return std::nullopt;
    return static_cast<ThreadIndex>(number);
  }

  void announce(const Work& work, const Location& location) {
    if (!result_.has_joins) return;
    UnfoldedStep step{work.state, 0, Op::Kind::Atomic, {}, {{ended_[work.thread], 1}}};
    step.to = intern(work.thread, {Location::Kind::Announced, location.key, location.history});
    add_step(work.thread, std::move(step));
  }

  // ---- sections -------------------------------------------------------------------------------

  static std::string inside_key(const Inside& inside) {
    std::string key = semantics::encode(inside.thread);
    const auto put_all = [&](const Values& values) {
      semantics::put(key, static_cast<Value>(values.size()));
      for (const auto& [variable, value] : values) {
        semantics::put(key, variable);
        semantics::put(key, value);
      }
    };
    put_all(inside.reads);
    put_all(inside.current);
    for (const VariableIndex variable : inside.written) semantics::put(key, variable);
    return key;
  }

  /// All ways through the section that begins here, each of them one step.
  void expand_section(const Work& work, const Location& location, const Thread& thread,
                      const Instruction& begin_instruction) {
    std::vector<Inside> stack;
    std::unordered_set<std::string> seen;
    const auto go_to = [&](Inside inside) {
      liveness_.forget_dead(inside.thread);
      if (!seen.insert(inside_key(inside)).second) return;
      if (seen.size() > most_section_states)
        refuse(begin_instruction.span, "this atomic section has too many ways through it");
      if (is_watched(inside.thread)) emit(work, location, inside, Location::Kind::InSection);
      stack.push_back(std::move(inside));
    };
    go_to({semantics::moves(code_, rules_, thread, 0)[0].after, {}, {}, {}});
    while (!stack.empty() && !refusal_) {
      if (watch_.is_over()) refuse({}, *watch_.reason());
      const Inside inside = std::move(stack.back());
      stack.pop_back();
      expand_inside(work, location, inside, go_to);
    }
  }

  template <class GoTo>
  void expand_inside(const Work& work, const Location& location, const Inside& inside,
                     GoTo&& go_to) {
    const Instruction& instruction = instruction_of(inside.thread);
    const Demand needed = semantics::demand(code_, rules_, inside.thread);
    switch (needed.kind) {
    case Demand::Kind::Memory: return look(work, location, inside, needed.cell.value, go_to);
    case Demand::Kind::ThreadCount:
      // The new thread would be at its first label while nobody can take a step.
      return refuse(instruction.span, "this spawns a thread inside an atomic section, which the "
                                      "exact engines do not follow");
    case Demand::Kind::HasEnded: {
      const auto joined = joined_thread(work.thread, location, needed.thread, instruction);
      if (!joined) {
        if (!refusal_) emit(work, location, inside, Location::Kind::Failed);
        return;
      }
      Inside next = inside;
      next.reads[ended_[*joined]] = next.current[ended_[*joined]] = 1;
      return move_on(work, location, next, 0, go_to);
    }
    default: return move_on(work, location, inside, 0, go_to);
    }
  }

  /// The value of a cell inside a section: known, or any that it may have.
  template <class GoTo>
  void look(const Work& work, const Location& location, const Inside& inside, VariableIndex cell,
            GoTo&& go_to) {
    if (const auto known = inside.current.find(cell); known != inside.current.end())
      return move_on(work, location, inside, result_.variables[cell].values[known->second], go_to);
    watch(cell, {work.thread, work.state});
    // If only one value is new, what was done with the others is known.
    const bool is_news = work.news && work.news->first == cell;
    const std::size_t known = result_.variables[cell].values.size();
    for (std::uint32_t v = is_news ? work.news->second : 0;
         v < (is_news ? work.news->second + 1 : known); ++v) {
      Inside next = inside;
      next.reads[cell] = next.current[cell] = v;
      move_on(work, location, next, result_.variables[cell].values[v], go_to);
    }
  }

  template <class GoTo>
  void move_on(const Work& work, const Location& location, const Inside& inside, Value seen,
               GoTo&& go_to) {
    const SourceSpan span = instruction_of(inside.thread).span;
    for (semantics::Move& move : semantics::moves(code_, rules_, inside.thread, seen)) {
      if (move.effect.fault) {
        if (!is_cut(*move.effect.fault)) emit(work, location, inside, Location::Kind::Failed);
        continue;
      }
      Inside next = inside;
      next.thread = std::move(move.after);
      if (move.effect.write) {
        const VariableIndex cell = move.effect.write->first.value;
        next.current[cell] = index_of(cell, move.effect.write->second, span);
        next.written.insert(cell);
      }
      if (move.effect.section == semantics::Effect::Section::Release)
        emit(work, location, next, Location::Kind::Running);
      else
        go_to(std::move(next));
    }
  }

  bool is_watched(const Thread& thread) const {
    for (const Forbid& forbid : code_.program->forbids)
      for (const Whereabouts& place : forbid.places)
        if (semantics::is_at(code_, thread, place)) return true;
    return false;
  }

  /// One step from before the section to where the way has led.
  void emit(const Work& work, const Location& location, const Inside& inside, Location::Kind kind) {
    UnfoldedStep step{work.state, 0, Op::Kind::Atomic, {}, {}};
    step.reads.assign(inside.reads.begin(), inside.reads.end());
    if (kind == Location::Kind::Failed) {
      step.to = failed(work.thread, location.history);
    } else {
      for (const VariableIndex variable : inside.written)
        step.writes.emplace_back(variable, inside.current.at(variable));
      Location to = running(inside.thread, location.history);
      to.kind = kind;
      step.to = intern(work.thread, std::move(to));
    }
    std::string key;
    for (const Value number : {work.thread, work.state, step.to}) semantics::put(key, number);
    for (const auto* list : {&step.reads, &step.writes}) {
      semantics::put(key, static_cast<Value>(list->size()));
      for (const auto& [variable, value] : *list) {
        semantics::put(key, variable);
        semantics::put(key, value);
      }
    }
    if (emitted_.insert(std::move(key)).second) add_step(work.thread, std::move(step));
  }

  // ---- refusals -------------------------------------------------------------------------------

  void refuse(SourceSpan span, std::string reason) {
    if (!refusal_) refusal_ = Refusal{span, std::move(reason)};
  }

  void refuse_variable(VariableIndex variable, std::size_t most, SourceSpan span) {
    refuse(span,
           fmt::format("the data is not finite, or too large: '{}' takes more than {} values, "
                       "and this statement makes new ones{}",
                       cell_name(*code_.program, code_.layout, Cell{variable}), most,
                       is_plain_int(variable) ? way_out : ""));
  }

  /// Too many states of a thread: blames what keeps growing, shared variables first, because
  /// others follow them.
  void refuse_locations(ThreadIndex t) {
    if (refusal_) return;
    constexpr std::size_t suspicious = 64;
    for (VariableIndex v = 0; v < code_.layout.cell_count(); ++v)
      if (is_plain_int(v) && result_.variables[v].values.size() > suspicious)
        return refuse_variable(v, suspicious, newest_[v]);
    const auto local = most_values_of(t);
    if (!local)
      return refuse({},
                    fmt::format("'{}' has too many states of its own", result_.threads[t].name));
    const bool is_plain = (*code_.program)[local->first].type.scalar().is_unbounded();
    refuse(
        assignment_to(local->first),
        fmt::format("the data of '{}' is not finite, or too large: '{}' takes {} values and more, "
                    "and this statement makes new ones{}",
                    result_.threads[t].name, (*code_.program)[local->first].name, local->second,
                    is_plain ? way_out : ""));
  }

  bool is_plain_int(VariableIndex v) const {
    return (*code_.program)[code_.layout.cell_variable[v]].type.scalar().is_unbounded();
  }

  /// The variable of the thread with the most values, and how many.
  std::optional<std::pair<LocalId, std::size_t>> most_values_of(ThreadIndex t) const {
    const Program& program = *code_.program;
    std::vector<std::unordered_set<Value>> values(program.locals.size());
    for (const Location& location : result_.threads[t].locations) {
      if (location.key.empty()) continue;
      const Thread thread = semantics::decode(location.key);
      for (std::uint32_t l = 0; l < program.locals.size(); ++l) {
        const std::uint32_t slot = code_.layout.local_base[l];
        if (!program.locals[l].owner) values[l].insert(thread.variables[slot]);
        for (const semantics::Frame& frame : thread.stack)
          if (program.locals[l].owner == frame.routine) values[l].insert(frame.locals[slot]);
      }
    }
    std::optional<std::pair<LocalId, std::size_t>> most;
    for (std::uint32_t l = 0; l < values.size(); ++l)
      if (values[l].size() > (most ? most->second : 100))
        most.emplace(LocalId{l}, values[l].size());
    return most;
  }

  /// A statement that gives the variable a value which is not a constant.
  SourceSpan assignment_to(LocalId local) const {
    for (const Routine& routine : code_.routines)
      for (const Instruction& instruction : routine.code) {
        const auto* assign = std::get_if<Assign>(&instruction.operation);
        const auto* load = std::get_if<Load>(&instruction.operation);
        const auto* havoc = std::get_if<Havoc>(&instruction.operation);
        if ((assign && assign->to.variable == local && !assign->value.is_constant()) ||
            (load && load->into.variable == local) || (havoc && havoc->to.variable == local))
          return instruction.span;
      }
    return (*code_.program)[local].span;
  }

  const Code& code_;
  Rules rules_;
  Watch& watch_;
  Liveness liveness_;
  Unfolding result_;
  std::vector<std::vector<Watcher>> watchers_; ///< by variable
  std::vector<SourceSpan> newest_; ///< by variable: what gave it the newest of its values
  std::set<std::tuple<VariableIndex, ThreadIndex, StateIndex>> watched_; ///< those in watchers_
  std::vector<VariableIndex> begun_, ended_;                             ///< flags by thread
  std::deque<Work> work_;
  std::unordered_set<std::string> emitted_; ///< steps through sections
  std::set<ThreadIndex> assumed_;           ///< joined as if they were the spawner
  std::size_t location_count_ = 0, step_count_ = 0;
  std::optional<Refusal> refusal_;
};

} // namespace

std::optional<StateIndex> UnfoldedThread::find(const Location& location) const {
  const auto found = index.find(key_of(location));
  if (found == index.end()) return std::nullopt;
  return found->second;
}

std::variant<Unfolding, Refusal> unfold(const Code& code, const Rules& rules, Watch& watch) {
  return Unfolder(code, rules, watch).run();
}

} // namespace weir::lower
