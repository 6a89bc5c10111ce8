#include "semantics/thread.h"

#include "base/invariant.h"
#include "base/match.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::semantics {

using namespace ir;

namespace {

std::vector<Value> start_values(const std::vector<Initial>& initial, std::vector<Value> so_far) {
  for (const Initial& value : initial) so_far.push_back(value.value_or(0));
  return so_far;
}

Frame start_frame(const Code& code, ProcedureId routine, const std::vector<Value>& arguments) {
  const Program& program = *code.program;
  Frame frame{routine, 0, {}};
  frame.locals.reserve(code.layout.frame_size[routine.value]);
  for (const Local& local : program.locals)
    if (local.owner == routine) frame.locals = start_values(local.initial, std::move(frame.locals));
  const auto& parameters = program[routine].parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    frame.locals[code.layout.local_base[parameters[i].value]] = arguments[i];
  return frame;
}

/// The instruction's view of its thread: evaluates, finds places, and keeps the first fault.
class Reader {
public:
  Reader(const Code& code, const Thread& thread) : code_(code), thread_(thread) {}

  Value value(const Expr& expr) {
    switch (expr.op) {
    case Op::Const: return expr.value;
    case Op::Local: {
      const std::uint32_t at = slot(expr.local, expr.args);
      return fault ? 0 : storage(expr.local)[at];
    }
    case Op::Not:
    case Op::Neg: return keep(apply(expr.op, value(expr.args[0])));
    case Op::And: return !fault && value(expr.args[0]) != 0 ? value(expr.args[1]) : 0;
    case Op::Or: return value(expr.args[0]) != 0 ? 1 : value(expr.args[1]);
    case Op::Any:
    case Op::Shared:
    case Op::OfThread:
      invariant(false, "an instruction should only use its own thread's values");
      return 0;
    default: {
      const Value left = value(expr.args[0]);
      const Value right = value(expr.args[1]);
      return fault ? 0 : keep(apply(expr.op, left, right));
    }
    }
  }

  Cell cell(const Place& place) {
    return {code_.layout.shared_base[place.variable.value] +
            offset((*code_.program)[place.variable].type, place.path)};
  }

  std::uint32_t slot(LocalId local, const std::vector<Expr>& path) {
    return code_.layout.local_base[local.value] + offset((*code_.program)[local].type, path);
  }

  const std::vector<Value>& storage(LocalId local) const {
    return (*code_.program)[local].owner ? thread_.stack.back().locals : thread_.variables;
  }

  std::optional<Fault> fault;

private:
  Value keep(Outcome outcome) {
    if (const auto* f = std::get_if<Fault>(&outcome)) {
      if (!fault) fault = *f;
      return 0;
    }
    return std::get<Value>(outcome);
  }

  std::uint32_t offset(const Type& type, const std::vector<Expr>& path) {
    std::uint32_t result = 0;
    const Type* at = &type;
    for (const Expr& index : path) {
      const Value i = value(index);
      if (fault) return 0;
      if (i < 0 || i >= at->length) {
        fault = Fault::IndexOutOfBounds;
        return 0;
      }
      result += static_cast<std::uint32_t>(i) * static_cast<std::uint32_t>(at->parts[0].cells());
      at = &at->parts[0];
    }
    return result;
  }

  const Code& code_;
  const Thread& thread_;
};

const Instruction& instruction_of(const Code& code, const Thread& thread) {
  const Frame& frame = thread.stack.back();
  return code.at(frame.routine, frame.at);
}

const Type& scalar_type(const Code& code, const Place& place) {
  return (*code.program)[place.variable].type.scalar();
}
const Type& scalar_type(const Code& code, const LocalPlace& place) {
  return (*code.program)[place.variable].type.scalar();
}

const Pending* newest_pending(const Thread& thread, Cell cell) {
  for (auto p = thread.buffer.rbegin(); p != thread.buffer.rend(); ++p)
    if (p->cell == cell) return &*p;
  return nullptr;
}

/// Executes one instruction of one thread.
class Executor {
public:
  Executor(const Code& code, const Rules& rules, const Thread& before, Value seen)
      : code_(code), rules_(rules), before_(before), seen_(seen), reader_(code, before) {}

  std::vector<Move> run() {
    const Instruction& instruction = instruction_of(code_, before_);
    next_ = instruction.next;
    match(instruction.operation, [&](const auto& operation) { execute(operation); });
    return std::move(moves_);
  }

private:
  Move& go_on(Location to) {
    Move& move = moves_.emplace_back(Move{before_, {}});
    move.after.stack.back().at = to;
    if (reader_.fault) move.effect.fault = reader_.fault;
    return move;
  }
  Move& go_on() { return go_on(next_); }

  /// Sets a local, if the value fits it.
  void set(Move& move, const LocalPlace& to, Value value) {
    const std::uint32_t slot = reader_.slot(to.variable, to.path);
    if (reader_.fault) {
      move.effect.fault = reader_.fault;
    } else if (!scalar_type(code_, to).contains(value)) {
      move.effect.fault = Fault::OutOfRange;
    } else {
      auto& storage = (*code_.program)[to.variable].owner ? move.after.stack.back().locals
                                                          : move.after.variables;
      storage[slot] = value;
    }
  }

  /// A value for shared memory: computed, and checked against the type of its place.
  Value value_for(const Place& place, const Expr& expr) {
    const Value value = reader_.value(expr);
    if (!reader_.fault && !scalar_type(code_, place).contains(value))
      reader_.fault = Fault::OutOfRange;
    return value;
  }

  void execute(const Skip&) { go_on(); }
  void execute(const Fence&) { go_on(); }
  void execute(const StoreFence&) {
    Move& move = go_on();
    if (rules_.model == Model::PSO && !before_.buffer.empty()) {
      const auto newest =
          std::max_element(before_.buffer.begin(), before_.buffer.end(),
                           [](const Pending& a, const Pending& b) { return a.epoch < b.epoch; });
      move.after.epoch = newest->epoch + 1;
    }
  }
  void execute(const AtomicBegin&) { go_on().effect.section = Effect::Section::Take; }
  void execute(const AtomicEnd&) { go_on().effect.section = Effect::Section::Release; }
  void execute(const Join& s) {
    const Value thread = reader_.value(s.thread);
    if (!reader_.fault && thread < 0) reader_.fault = Fault::NoSuchThread;
    go_on();
  }

  void execute(const Assume& s) {
    if (reader_.value(s.condition) != 0 || reader_.fault) go_on();
  }

  void execute(const Assert& s) {
    if (reader_.value(s.condition) == 0 && !reader_.fault) reader_.fault = Fault::AssertionFailed;
    go_on();
  }

  void execute(const Assign& s) {
    const Value value = reader_.value(s.value);
    set(go_on(), s.to, value);
  }

  void execute(const Havoc& s) {
    const Type& type = scalar_type(code_, s.to);
    invariant(!type.is_unbounded(), "only a finite choice can be enumerated");
    for (Value value = type.lo;; ++value) {
      set(go_on(), s.to, value);
      if (value == type.hi) break; // not `<=`: the greatest integer has no next
    }
  }

  void execute(const Branch& s) {
    if (s.condition.op == Op::Any) {
      go_on(s.yes);
      go_on(s.no);
      return;
    }
    const bool holds = reader_.value(s.condition) != 0;
    go_on(holds ? s.yes : s.no);
  }

  void execute(const Load& s) {
    const Cell cell = reader_.cell(s.from);
    Move& move = go_on();
    if (move.effect.fault) return;
    const Pending* own = newest_pending(before_, cell);
    const Value value = own ? own->value : seen_;
    move.effect.access =
        Access{own ? Access::Kind::ReadBuffer : Access::Kind::ReadMemory, cell, value};
    set(move, s.into, value);
  }

  void execute(const Store& s) {
    const Cell cell = reader_.cell(s.to);
    const Value value = value_for(s.to, s.value);
    Move& move = go_on();
    if (move.effect.fault) return;
    if (rules_.model == Model::SC) {
      move.effect.write.emplace(cell, value);
      move.effect.access = Access{Access::Kind::WriteMemory, cell, value};
      return;
    }
    auto& buffer = move.after.buffer;
    auto place = buffer.end();
    if (rules_.model == Model::PSO) // FIFO per variable: kept together, in the order of cells
      place = std::upper_bound(buffer.begin(), buffer.end(), cell,
                               [](Cell c, const Pending& p) { return c < p.cell; });
    buffer.insert(place, Pending{cell, value, 0, before_.epoch});
    move.effect.access = Access{Access::Kind::WriteBuffer, cell, value};
  }

  void execute(const Cas& s) {
    const Cell cell = reader_.cell(s.at);
    const Value expected = reader_.value(s.expected);
    const bool swapped = seen_ == expected;
    const Value desired = swapped ? value_for(s.at, s.desired) : reader_.value(s.desired);
    Move& move = go_on();
    if (move.effect.fault) return;
    exchange(move, cell, swapped ? std::optional(desired) : std::nullopt);
    if (s.into) set(move, *s.into, swapped ? 1 : 0);
  }

  void execute(const Arw& s) {
    const Cell cell = reader_.cell(s.at);
    const Value expected = reader_.value(s.expected);
    if (!reader_.fault && seen_ != expected) return; // waits
    const Value desired = value_for(s.at, s.desired);
    Move& move = go_on();
    if (!move.effect.fault) exchange(move, cell, desired);
  }

  void exchange(Move& move, Cell cell, std::optional<Value> desired) {
    move.effect.access = Access{Access::Kind::Exchange, cell, desired.value_or(seen_),
                                desired ? std::optional(seen_) : std::nullopt};
    if (desired) move.effect.write.emplace(cell, *desired);
  }

  std::vector<Value> arguments(const Procedure& callee, const std::vector<Expr>& exprs) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < exprs.size(); ++i) {
      values.push_back(reader_.value(exprs[i]));
      if (!reader_.fault && !(*code_.program)[callee.parameters[i]].type.contains(values.back()))
        reader_.fault = Fault::OutOfRange;
    }
    return values;
  }

  void execute(const Spawn& s) {
    const auto values = arguments((*code_.program)[s.process], s.arguments);
    if (!reader_.fault && seen_ >= static_cast<Value>(rules_.threads))
      reader_.fault = Fault::TooManyThreads;
    Move& move = go_on();
    if (move.effect.fault) return;
    move.effect.spawned = start_thread(code_, s.process, values);
    if (s.into) set(move, *s.into, seen_);
  }

  void execute(const Call& s) {
    const auto values = arguments((*code_.program)[s.procedure], s.arguments);
    if (!reader_.fault && before_.stack.size() > rules_.depth) reader_.fault = Fault::CallsTooDeep;
    Move& move = go_on();
    if (!move.effect.fault) move.after.stack.push_back(start_frame(code_, s.procedure, values));
  }

  void execute(const Return&) {
    Move& move = go_on(before_.stack.back().at);
    if (move.after.stack.size() > 1)
      move.after.stack.pop_back();
    else
      move.after.ended = true;
  }

  const Code& code_;
  const Rules& rules_;
  const Thread& before_;
  Value seen_;
  Reader reader_;
  Location next_ = 0;
  std::vector<Move> moves_;
};

} // namespace

Thread start_thread(const Code& code, ProcedureId process, const std::vector<Value>& arguments) {
  Thread thread;
  thread.process = process;
  thread.arguments = arguments;
  thread.stack.push_back(start_frame(code, process, arguments));
  for (const Local& local : code.program->locals)
    if (!local.owner) thread.variables = start_values(local.initial, std::move(thread.variables));
  return thread;
}

Demand demand(const Code& code, const Rules& rules, const Thread& thread) {
  using Kind = Demand::Kind;
  if (thread.ended) return {Kind::Never, {}, 0};
  Reader reader(code, thread);
  const bool drained = thread.buffer.empty();
  // A place that does not exist needs no memory: the step itself goes wrong.
  const auto memory = [&](Cell cell) {
    return reader.fault ? Demand{} : Demand{Kind::Memory, cell, 0};
  };
  return match(
      instruction_of(code, thread).operation,
      [&](const Load& s) {
        const Cell cell = reader.cell(s.from);
        return !reader.fault && newest_pending(thread, cell) ? Demand{} : memory(cell);
      },
      [&](const Store&) {
        const bool full =
            rules.model != Model::SC && rules.buffer && thread.buffer.size() >= *rules.buffer;
        return full ? Demand{Kind::BufferFull, {}, 0} : Demand{};
      },
      [&](const Fence&) {
        return drained ? Demand{} : Demand{Kind::Drain, {}, 0};
      },
      [&](const Cas& s) {
        return drained ? memory(reader.cell(s.at)) : Demand{Kind::Drain, {}, 0};
      },
      [&](const Arw& s) {
        return drained ? memory(reader.cell(s.at)) : Demand{Kind::Drain, {}, 0};
      },
      [&](const AtomicBegin&) {
        return Demand{drained ? Kind::FreeSection : Kind::Drain, {}, 0};
      },
      [&](const AtomicEnd&) {
        return drained ? Demand{} : Demand{Kind::Drain, {}, 0};
      },
      [&](const Spawn&) {
        return Demand{Kind::ThreadCount, {}, 0};
      },
      [&](const Join& s) {
        const Value number = reader.value(s.thread);
        return reader.fault || number < 0 ? Demand{} : Demand{Kind::HasEnded, {}, number};
      },
      [](const auto&) { return Demand{}; });
}

std::vector<Move> moves(const Code& code, const Rules& rules, const Thread& thread, Value seen) {
  return Executor(code, rules, thread, seen).run();
}

std::vector<Cell> flushable(const Rules& rules, const Thread& thread) {
  std::vector<Cell> result;
  std::uint32_t epoch = ~std::uint32_t{0};
  for (const Pending& pending : thread.buffer) epoch = std::min(epoch, pending.epoch);
  for (const Pending& pending : thread.buffer) {
    if (pending.epoch > epoch) continue; // a store fence holds it back
    if (result.empty() || result.back() != pending.cell) result.push_back(pending.cell);
    if (rules.model == Model::TSO) break; // one FIFO: only the oldest
  }
  return result;
}

Value take_oldest(Thread& thread, Cell cell) {
  const auto oldest = std::find_if(thread.buffer.begin(), thread.buffer.end(),
                                   [&](const Pending& p) { return p.cell == cell; });
  invariant(oldest != thread.buffer.end(), "only a pending store should be flushed");
  const Value value = oldest->value;
  thread.buffer.erase(oldest);
  // Epochs count from that of the oldest, so that the same buffers are the same states.
  if (thread.epoch > 0) {
    std::uint32_t first = thread.epoch;
    for (const Pending& p : thread.buffer) first = std::min(first, p.epoch);
    for (Pending& p : thread.buffer) p.epoch -= first;
    thread.epoch = thread.buffer.empty() ? 0 : thread.epoch - first;
  }
  return value;
}

bool begin_round(const Rules& rules, Thread& thread) {
  if (rules.bound.kind != Bound::Kind::Rounds) return true;
  return thread.rounds++ <= rules.bound.k; // rounds 0..k
}

bool end_round(const Rules& rules, Thread& thread) {
  const std::uint32_t k = rules.bound.k;
  switch (rules.bound.kind) {
  case Bound::Kind::None:
  case Bound::Kind::Sweeps:
    return true; // counted by the machine
  // No later round could publish what is left: stores of the last round commit in it.
  case Bound::Kind::Rounds: return thread.rounds <= k || thread.buffer.empty();
  case Bound::Kind::Age:
    for (Pending& pending : thread.buffer)
      if (pending.age++ >= k) return false;
    return true;
  }
  return true;
}

Outcome evaluate(const Code& code, const Thread& thread, const Expr& expr) {
  Reader reader(code, thread);
  const Value value = reader.value(expr);
  if (reader.fault) return *reader.fault;
  return value;
}

bool is_limit(Fault fault) {
  return fault == Fault::Overflow || fault == Fault::CallsTooDeep || fault == Fault::TooManyThreads;
}

std::string limit_text(Fault limit, const Rules& rules) {
  switch (limit) {
  case Fault::Overflow: return "an integer grew beyond 64 bits";
  case Fault::CallsTooDeep: return fmt::format("calls went deeper than {} (--depth)", rules.depth);
  case Fault::TooManyThreads:
    return fmt::format("there were more than {} threads (--threads)", rules.threads);
  default: invariant(false, "only a limit of ours should be put in these words"); return "";
  }
}

} // namespace weir::semantics
