#include "semantics/machine.h"

#include "base/invariant.h"

#include <algorithm>

namespace weir::semantics {

using namespace ir;

namespace {

/// Every thread has one round, perhaps an empty one, in each sweep. Its last one ends with an
/// empty buffer, because no later round could publish what is left.
bool may_run(const Rules& rules, const State& state, ThreadIndex t) {
  if (state.sweep < rules.bound.k) return true;
  return state.sweep == rules.bound.k &&
         std::all_of(state.threads.begin(), state.threads.begin() + t,
                     [](const Thread& earlier) { return earlier.buffer.empty(); });
}

} // namespace

State Machine::start(const std::vector<Value>& memory) const {
  State state;
  state.memory = memory;
  for (const InitialThread& thread : code_.program->threads)
    state.threads.push_back(start_thread(code_, thread.process, thread.arguments));
  return state;
}

std::optional<std::vector<std::vector<Value>>> Machine::initial_memories(std::size_t most) const {
  std::vector<std::vector<Value>> all{{}};
  for (const Shared& variable : code_.program->shared)
    for (const Initial& initial : variable.initial) {
      if (initial) {
        for (auto& memory : all) memory.push_back(*initial);
        continue;
      }
      const Type& type = variable.type.scalar();
      const auto others = static_cast<std::uint64_t>(type.hi) - static_cast<std::uint64_t>(type.lo);
      if (others >= most / all.size()) return std::nullopt;
      std::vector<std::vector<Value>> longer;
      for (const auto& prefix : all)
        for (std::uint64_t i = 0; i <= others; ++i) {
          longer.push_back(prefix);
          longer.back().push_back(type.lo + static_cast<Value>(i));
        }
      all = std::move(longer);
    }
  return all;
}

std::vector<Transition> Machine::transitions(const State& state) const {
  std::vector<Transition> result;
  for (ThreadIndex t = 0; t < state.threads.size(); ++t)
    for (Transition& one : transitions(state, t)) result.push_back(std::move(one));
  return result;
}

std::vector<Transition> Machine::transitions(const State& state, ThreadIndex t) const {
  std::vector<Transition> result;
  if (t >= state.threads.size() || (state.section && *state.section != t)) return result;
  if (const auto ready = scheduled(state, t)) {
    add_flushes(*ready, t, result);
    add_moves(*ready, t, result);
  }
  return result;
}

std::optional<State> Machine::scheduled(const State& state, ThreadIndex t) const {
  if (rules_.bound.kind == Bound::Kind::None || state.active == t) return state;
  State next = state;
  if (rules_.bound.kind == Bound::Kind::Sweeps) {
    if (state.active && t < *state.active) ++next.sweep;
    if (!may_run(rules_, next, t)) return std::nullopt;
  }
  if (state.active && !end_round(rules_, next.threads[*state.active])) return std::nullopt;
  if (!begin_round(rules_, next.threads[t])) return std::nullopt;
  next.active = t;
  return next;
}

void Machine::add_flushes(const State& state, ThreadIndex t, std::vector<Transition>& out) const {
  for (const Cell cell : flushable(rules_, state.threads[t])) {
    Transition flush{{t, Step::Kind::Flush, 0, cell}, state, {}, {}};
    const Value value = take_oldest(flush.after.threads[t], cell);
    flush.after.memory[cell.value] = value;
    flush.effect.write.emplace(cell, value);
    flush.effect.access = Access{Access::Kind::WriteMemory, cell, value};
    out.push_back(std::move(flush));
  }
}

void Machine::add_moves(const State& state, ThreadIndex t, std::vector<Transition>& out) const {
  const Thread& thread = state.threads[t];
  const Demand needed = demand(code_, rules_, thread);
  Value seen = 0;
  bool missing_thread = false;
  switch (needed.kind) {
  case Demand::Kind::Nothing: break;
  case Demand::Kind::Memory: seen = state.memory[needed.cell.value]; break;
  case Demand::Kind::ThreadCount: seen = static_cast<Value>(state.threads.size()); break;
  case Demand::Kind::FreeSection:
    if (state.section) return;
    break;
  case Demand::Kind::HasEnded:
    if (needed.thread >= static_cast<Value>(state.threads.size()))
      missing_thread = true;
    else if (const Thread& other = state.threads[static_cast<std::size_t>(needed.thread)];
             !other.ended || !other.buffer.empty())
      return;
    break;
  case Demand::Kind::Drain:
  case Demand::Kind::BufferFull:
  case Demand::Kind::Never: return;
  }
  const Frame& frame = thread.stack.back();
  const SourceSpan span = code_.at(frame.routine, frame.at).span;
  std::uint32_t choice = 0;
  for (Move& move : moves(code_, rules_, thread, seen)) {
    Transition next{{t, Step::Kind::Execute, choice++, {}}, state, std::move(move.effect), span};
    if (missing_thread) next.effect.fault = Fault::NoSuchThread;
    next.after.threads[t] = std::move(move.after);
    if (next.effect.write)
      next.after.memory[next.effect.write->first.value] = next.effect.write->second;
    if (next.effect.section == Effect::Section::Take) next.after.section = t;
    if (next.effect.section == Effect::Section::Release) next.after.section.reset();
    if (next.effect.spawned) next.after.threads.push_back(*next.effect.spawned);
    out.push_back(std::move(next));
  }
}

std::optional<Violation> Machine::violation(const State& state) const {
  const Program& program = *code_.program;
  for (std::uint32_t i = 0; i < program.forbids.size(); ++i)
    if (reached_by(code_, state.threads, program.forbids[i])) return ForbidReached{i};
  if (!is_final(state)) return std::nullopt;
  for (std::uint32_t i = 0; i < program.finals.size(); ++i) {
    const auto holds =
        evaluate_final(code_, state.memory, state.threads, program.finals[i].condition);
    if (is_broken(holds)) return FinalBroken{i};
  }
  return std::nullopt;
}

std::optional<Fault> Machine::limit(const State& state) const {
  if (!is_final(state)) return std::nullopt;
  for (const Final& final_ : code_.program->finals) {
    const auto holds = evaluate_final(code_, state.memory, state.threads, final_.condition);
    if (const auto* fault = std::get_if<Fault>(&holds); fault && is_limit(*fault)) return *fault;
  }
  return std::nullopt;
}

bool is_broken(const Outcome& holds) {
  if (const auto* fault = std::get_if<Fault>(&holds)) return !is_limit(*fault);
  return std::get<Value>(holds) == 0;
}

bool is_final(const State& state) {
  return std::all_of(state.threads.begin(), state.threads.end(),
                     [](const Thread& t) { return t.ended && t.buffer.empty(); });
}

bool is_named(const Thread& thread, const ThreadName& name) {
  return thread.process == name.process &&
         (name.arguments.empty() || thread.arguments == name.arguments);
}

bool is_at(const Code& code, const Thread& thread, const Whereabouts& place) {
  // Labels of a forbid are the process's own; while it is in a call it is elsewhere.
  const Frame& frame = thread.stack.front();
  return !thread.ended && thread.stack.size() == 1 && is_named(thread, place.thread) &&
         frame.at == code.routines[frame.routine.value].labels[place.label.value];
}

std::optional<std::vector<ThreadIndex>>
reached_by(const Code& code, const std::vector<Thread>& threads, const Forbid& forbid) {
  // A matching of places and threads, each place in turn by an augmenting path.
  constexpr std::size_t nobody = ~std::size_t{0};
  std::vector<std::size_t> place_of(threads.size(), nobody);
  for (std::size_t i = 0; i < forbid.places.size(); ++i) {
    std::vector<bool> tried(threads.size());
    const auto seat = [&](const auto& self, std::size_t place) -> bool {
      for (std::size_t t = 0; t < threads.size(); ++t) {
        if (tried[t] || !is_at(code, threads[t], forbid.places[place])) continue;
        tried[t] = true;
        if (place_of[t] != nobody && !self(self, place_of[t])) continue;
        place_of[t] = place;
        return true;
      }
      return false;
    };
    if (!seat(seat, i)) return std::nullopt;
  }
  std::vector<ThreadIndex> result;
  for (std::size_t t = 0; t < threads.size(); ++t)
    if (place_of[t] != nobody) result.push_back(static_cast<ThreadIndex>(t));
  return result;
}

Outcome evaluate_final(const Code& code, const std::vector<Value>& memory,
                       const std::vector<Thread>& threads, const Expr& expr) {
  const Program& program = *code.program;
  const auto offset = [&](const Type& type) -> std::variant<std::uint32_t, Fault> {
    std::uint32_t result = 0;
    const Type* at = &type;
    for (const Expr& index : expr.args) {
      const auto i = evaluate_final(code, memory, threads, index);
      if (const auto* fault = std::get_if<Fault>(&i)) return *fault;
      const Value value = std::get<Value>(i);
      if (value < 0 || value >= at->length) return Fault::IndexOutOfBounds;
      result +=
          static_cast<std::uint32_t>(value) * static_cast<std::uint32_t>(at->parts[0].cells());
      at = &at->parts[0];
    }
    return result;
  };
  const auto operand = [&](std::size_t i) {
    return evaluate_final(code, memory, threads, expr.args[i]);
  };
  switch (expr.op) {
  case Op::Const: return expr.value;
  case Op::Shared: {
    const auto at = offset(program[expr.shared].type);
    if (const auto* fault = std::get_if<Fault>(&at)) return *fault;
    return memory[code.layout.shared_base[expr.shared.value] + std::get<0>(at)];
  }
  case Op::OfThread: {
    const auto at = offset(program[expr.local].type);
    if (const auto* fault = std::get_if<Fault>(&at)) return *fault;
    const auto found = std::find_if(threads.begin(), threads.end(),
                                    [&](const Thread& t) { return is_named(t, *expr.thread); });
    if (found == threads.end()) return program[expr.local].initial[std::get<0>(at)].value_or(0);
    const std::uint32_t slot = code.layout.local_base[expr.local.value] + std::get<0>(at);
    return program[expr.local].owner ? found->stack.front().locals[slot] : found->variables[slot];
  }
  case Op::And:
  case Op::Or: {
    const auto left = operand(0);
    if (std::holds_alternative<Fault>(left)) return left;
    const bool decided = (std::get<Value>(left) != 0) == (expr.op == Op::Or);
    return decided ? left : operand(1);
  }
  default: break;
  }
  const auto left = operand(0);
  if (std::holds_alternative<Fault>(left)) return left;
  if (expr.args.size() == 1) return apply(expr.op, std::get<Value>(left));
  const auto right = operand(1);
  if (std::holds_alternative<Fault>(right)) return right;
  return apply(expr.op, std::get<Value>(left), std::get<Value>(right));
}

} // namespace weir::semantics
