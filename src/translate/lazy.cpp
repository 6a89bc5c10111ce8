#include "translate/lazy.h"

#include "base/match.h"
#include "ir/code.h"
#include "ir/faults.h"
#include "translate/build.h"
#include "translate/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>

namespace weir::translate {

using namespace ir;

namespace {

constexpr std::size_t most_instances = 100'000; ///< of a thread's unrolled code

struct Refused {
  Unsupported why;
};

// ---- unrolling ----------------------------------------------------------------------------------

/// The loops of a routine, by the jumps back in its flat code. Two loops are nested or apart: a
/// loop into which a later one jumps back is taken to last as long as that.
class Loops {
public:
  explicit Loops(const Routine& routine) : enclosing_(routine.code.size()) {
    std::map<Location, Location> last; // of the loop that begins there
    for (Location at = 0; at < routine.code.size(); ++at)
      for (const Location next : successors(routine.code[at]))
        if (next <= at) last[next] = std::max(last[next], at);
    for (bool changed = true; changed;) {
      changed = false;
      for (auto outer = last.begin(); outer != last.end(); ++outer)
        for (auto inner = std::next(outer); inner != last.end(); ++inner)
          if (inner->first <= outer->second && outer->second < inner->second) {
            outer->second = inner->second;
            changed = true;
          }
    }
    for (const auto& [begin, end] : last) {
      for (Location at = begin; at <= end; ++at)
        enclosing_[at].push_back(static_cast<std::uint32_t>(begins_.size()));
      begins_.push_back(begin);
      leaves_.push_back(ways_out(routine, begin, end));
    }
  }

  /// The loops around a location, the outermost first.
  const std::vector<std::uint32_t>& around(Location at) const { return enclosing_[at]; }
  Location begin(std::uint32_t loop) const { return begins_[loop]; }
  /// Whether control can leave the loop from there without jumping back to its begin.
  bool leaves(std::uint32_t loop, Location at) const { return leaves_[loop][at]; }

private:
  static std::vector<bool> ways_out(const Routine& routine, Location begin, Location end) {
    std::vector<bool> result(routine.code.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (Location at = end + 1; at-- > begin;) {
        bool can = std::holds_alternative<Return>(routine.code[at].operation);
        for (const Location next : successors(routine.code[at]))
          can = can || next < begin || next > end || (next != begin && result[next]);
        changed = changed || can != result[at];
        result[at] = can;
      }
    }
    return result;
  }

  std::vector<std::vector<std::uint32_t>> enclosing_;
  std::vector<Location> begins_; ///< by loop, ascending
  std::vector<std::vector<bool>> leaves_;
};

/// Where an instance stands in the unrolled code. The order of keys is the order of the code, and
/// control only goes to greater ones: for each loop around it its begin and how often control has
/// jumped back, then the location; the code of a call comes after the call's own key.
using Key = std::vector<std::uint32_t>;

/// A call in the unrolled code.
struct Activation {
  ProcedureId routine;
  std::uint32_t level = 0; ///< activations of the same routine around it
  const Activation* caller = nullptr;
  Location called_at = 0; ///< in the caller
  std::vector<std::uint32_t> caller_counts;
  Key key; ///< of the call
};

struct Instance;
/// Where control goes: to an instance, to the thread's end, or nowhere, because it was cut off.
struct Target {
  enum class Kind : std::uint8_t { Instance, End, Nowhere };
  Kind kind = Kind::Nowhere;
  const Instance* instance = nullptr;
};

/// A copy of an instruction in the unrolled code.
struct Instance {
  const Activation* in = nullptr;
  Location at = 0;
  std::vector<std::uint32_t> counts; ///< by loop around it: jumps back so far
  bool inside = false;               ///< one of the program's own atomic sections
  const Activation* callee = nullptr;
  std::vector<Target> next; ///< one; of a branch that is not decided yes and no
  std::uint32_t points = 0; ///< before it in the unrolled code
  std::size_t position = 0; ///< in the unrolled code
};

class Unrolled {
public:
  Unrolled(const Code& code, const std::vector<Loops>& loops, ProcedureId process,
           std::uint32_t unwind)
      : code_(code), loops_(loops), unwind_(unwind) {
    activations_.push_back({process, 0, nullptr, 0, {}, {}});
    start_ = enter(activations_.back(), false);
    for (auto& [key, instance] : instances_) { // grows: only greater keys are added
      expand(key, instance);
      if (instances_.size() > most_instances)
        throw Refused{
            {fmt::format("the unrolled code of '{}' is too large", (*code.program)[process].name),
             (*code.program)[process].span}};
    }
    for (auto& [key, instance] : instances_) order_.push_back(&instance);
  }

  const Target& start() const { return start_; }
  const std::vector<Instance*>& order() const { return order_; }
  const std::deque<Activation>& activations() const { return activations_; }
  bool cut_loop() const { return cut_loop_; }
  bool cut_call() const { return cut_call_; }
  const Instruction& instruction(const Instance& i) const { return code_.at(i.in->routine, i.at); }

private:
  Target enter(const Activation& in, bool inside) {
    return instance(in, 0, std::vector<std::uint32_t>(loops(in).around(0).size()), inside);
  }

  const Loops& loops(const Activation& in) const { return loops_[in.routine.value]; }

  Target go(const Activation& in, Location from, const std::vector<std::uint32_t>& counts,
            Location to, bool inside) {
    std::vector<std::uint32_t> after;
    const auto& around = loops(in).around(from);
    for (const std::uint32_t loop : loops(in).around(to)) {
      const auto found = std::find(around.begin(), around.end(), loop);
      after.push_back(
          found == around.end() ? 0 : counts[static_cast<std::size_t>(found - around.begin())]);
      if (to <= from && loops(in).begin(loop) == to) ++after.back();
    }
    return instance(in, to, std::move(after), inside);
  }

  Target instance(const Activation& in, Location at, std::vector<std::uint32_t> counts,
                  bool inside) {
    Key key = in.key;
    const auto& around = loops(in).around(at);
    for (std::size_t i = 0; i < around.size(); ++i) {
      if (counts[i] > unwind_ || (counts[i] == unwind_ && !loops(in).leaves(around[i], at))) {
        cut_loop_ = true;
        return {};
      }
      key.insert(key.end(), {loops(in).begin(around[i]), counts[i]});
    }
    key.push_back(at);
    const auto [found, is_new] = instances_.try_emplace(std::move(key));
    Instance& result = found->second;
    if (is_new) {
      result.in = &in;
      result.at = at;
      result.counts = std::move(counts);
      result.inside = inside;
    }
    return {Target::Kind::Instance, &result};
  }

  void expand(const Key& key, Instance& i) {
    const Instruction& now = instruction(i);
    const auto to = [&](Location next, bool inside) {
      i.next.push_back(go(*i.in, i.at, i.counts, next, inside));
    };
    match(
        now.operation,
        [&](const Branch& b) {
          const bool is_known = b.condition.is_constant();
          if (!is_known || b.condition.value != 0) to(b.yes, i.inside);
          if (!is_known || b.condition.value == 0) to(b.no, i.inside);
        },
        [&](const Call& c) { i.next.push_back(call(key, i, c.procedure)); },
        [&](const Return&) {
          const Activation& in = *i.in;
          if (!in.caller) return i.next.push_back({Target::Kind::End, nullptr});
          const Location next = code_.at(in.caller->routine, in.called_at).next;
          i.next.push_back(go(*in.caller, in.called_at, in.caller_counts, next, i.inside));
        },
        [&](const AtomicBegin&) { to(now.next, true); },
        [&](const AtomicEnd&) { to(now.next, false); },
        [&](const auto&) { to(now.next, i.inside); });
  }

  Target call(const Key& key, Instance& i, ProcedureId procedure) {
    std::uint32_t level = 0;
    for (const Activation* a = i.in; a; a = a->caller) level += a->routine == procedure;
    if (level > unwind_) {
      cut_call_ = true;
      return {};
    }
    activations_.push_back({procedure, level, i.in, i.at, i.counts, key});
    i.callee = &activations_.back();
    return enter(activations_.back(), i.inside);
  }

  const Code& code_;
  const std::vector<Loops>& loops_;
  std::uint32_t unwind_;
  std::deque<Activation> activations_;
  std::map<Key, Instance> instances_;
  std::vector<Instance*> order_;
  Target start_;
  bool cut_loop_ = false, cut_call_ = false;
};

// ---- the translation ----------------------------------------------------------------------------

/// Code that may run as one thread.
struct Body {
  ThreadIndex thread = 0;
  ProcedureId process;
  std::optional<std::vector<Value>> arguments; ///< of a thread that exists from the start
  std::unique_ptr<Unrolled> code;
  std::uint32_t points = 0; ///< where a window may begin or end
  ProcedureId image, flush;
  LocalId pc, cs, tso, ended;
  std::vector<LocalId> asked_arguments; ///< of a thread that is started, if properties ask
  std::map<std::pair<LocalId, std::uint32_t>, LocalId> variables; ///< by source variable and level
  /// By SharedId, if the thread writes it.
  struct Pending {
    LocalId view, last, mask, queue;
    ProcedureId store;
  };
  std::map<SharedId, Pending> pending;
};

/// A place in the order of the threads: who may run there.
struct Slot {
  std::vector<Body> bodies;
  LocalId kind; ///< which of them, if there are several
};

class Lazy {
public:
  Lazy(const Program& source, std::uint32_t k, std::uint32_t unwind)
      : source_(with_explicit_faults(source)), code_(source_), places_(source_), k_(k),
        unwind_(unwind), out_{{}, {Bound::Kind::Sweeps, k}, {}, {}, {}}, build_(out_.program) {
    out_.program.source = source_.source;
    for (const Routine& routine : code_.routines) loops_.emplace_back(routine);
  }

  Translation run() {
    find_threads();
    for_each_body([&](Body& body) { unroll(body); });
    declare();
    for_each_body([&](Body& body) {
      write_stores(body);
      write_flush(body);
      write_image(body);
    });
    write_driver();
    return std::move(out_);
  }

private:
  template <class Visit> void for_each_body(Visit visit) {
    for (Slot& slot : slots_)
      for (Body& body : slot.bodies) visit(body);
  }

  // ---- threads ----------------------------------------------------------------------------------

  Body body(ProcedureId process, std::optional<std::vector<Value>> arguments) const {
    Body result;
    result.thread = static_cast<ThreadIndex>(slots_.size());
    result.process = process;
    result.arguments = std::move(arguments);
    return result;
  }

  void find_threads() {
    for (const InitialThread& thread : source_.threads) {
      Slot slot;
      slot.bodies.push_back(body(thread.process, thread.arguments));
      slots_.push_back(std::move(slot));
    }
    for (std::uint32_t p = 0; p < code_.routines.size(); ++p)
      for (Location at = 0; at < code_.routines[p].code.size(); ++at)
        if (is_spawn(code_.at({p}, at))) add_spawn({p}, at);
    for (std::size_t n = 0; n < spawns_.size(); ++n) {
      Slot slot;
      for (std::size_t s = n; s < spawns_.size(); ++s) {
        const bool is_known =
            std::any_of(slot.bodies.begin(), slot.bodies.end(),
                        [&](const Body& b) { return b.process == process_of(s); });
        if (may_start(s, n) && !is_known) slot.bodies.push_back(body(process_of(s), std::nullopt));
      }
      slots_.push_back(std::move(slot));
    }
  }

  static bool is_spawn(const Instruction& i) { return std::holds_alternative<Spawn>(i.operation); }

  void add_spawn(ProcedureId in, Location at) {
    const SourceSpan span = code_.at(in, at).span;
    if (source_[in].kind != Procedure::Kind::Main)
      throw Refused{{"only main itself can spawn, with a bound of sweeps", span}};
    if (!loops_[in.value].around(at).empty())
      throw Refused{{"a spawn in a loop is not possible in a lazy sequential program", span}};
    spawns_.push_back(at);
    main_ = in;
  }

  ProcedureId process_of(std::size_t spawn) const {
    return std::get<Spawn>(code_.at(main_, spawns_[spawn]).operation).process;
  }

  /// Whether this spawn can be the one that starts the n-th thread: others may be left out on the
  /// way only if there is a branch.
  bool may_start(std::size_t spawn, std::size_t n) const {
    const auto& code = code_.routines[main_.value].code;
    const bool may_skip =
        std::any_of(code.begin(), code.begin() + spawns_.back(),
                    [](const auto& i) { return std::holds_alternative<Branch>(i.operation); });
    return may_skip ? n <= spawn : n == spawn;
  }

  void unroll(Body& body) {
    body.code = std::make_unique<Unrolled>(code_, loops_, body.process, unwind_);
    body.points = 1; // the beginning
    std::size_t position = 0;
    for (Instance* i : body.code->order()) {
      i->points = body.points;
      i->position = position++;
      body.points += is_point(body, *i);
      const Operation& operation = body.code->instruction(*i).operation;
      if (const auto* store = std::get_if<Store>(&operation)) body.pending[store->to.variable] = {};
    }
    cut_loop_ = cut_loop_ || body.code->cut_loop();
    cut_call_ = cut_call_ || body.code->cut_call();
  }

  /// Whether other threads may run before this instance: if they can notice it or its place.
  bool is_point(const Body& body, const Instance& i) const {
    return !i.inside &&
           (is_visible(body.code->instruction(i).operation) || !counters_at(body, i).empty());
  }

  std::vector<std::size_t> counters_at(const Body& body, const Instance& i) const {
    std::vector<std::size_t> result;
    for (std::size_t c = 0; !i.in->caller && c < places_.counters().size(); ++c) {
      const Counter& counter = places_.counters()[c];
      const auto& wanted = counter.thread.arguments;
      const bool is_other = body.arguments && !wanted.empty() && wanted != *body.arguments;
      if (counter.thread.process == body.process && counter.at == i.at && !is_other)
        result.push_back(c);
    }
    return result;
  }

  // ---- declarations -----------------------------------------------------------------------------

  void declare() {
    const auto count = static_cast<std::uint32_t>(slots_.size());
    for (const Shared& x : source_.shared) {
      out_.memory.push_back(build_.local(x.name, x.type));
      start_at(out_.memory.back(), x.initial);
    }
    const Type sweep = Type::range(0, static_cast<Value>(k_));
    out_.r_sc = build_.local("r_SC", sweep);
    out_.r_tso = build_.local("r_TSO", sweep);
    out_.self = build_.local("self", Type::range(0, std::max<Value>(count, 1) - 1));
    done_ = build_.local("done", Type::array(Type::boolean(), std::max(count, 1U)));
    if (!spawns_.empty())
      count_ = build_.local("spawned", Type::range(0, static_cast<Value>(spawns_.size())));
    for (const Counter& counter : places_.counters())
      counters_.push_back(build_.local(counter.name, Type::range(0, count)));
    for (Slot& slot : slots_) {
      for (Body& body : slot.bodies) declare(body);
      if (slot.bodies.size() > 1)
        slot.kind = build_.local(fmt::format("kind_{}", slot.bodies[0].thread),
                                 Type::range(0, static_cast<Value>(slot.bodies.size()) - 1));
    }
    declare_results();
    visible_ = machinery("visible", Part::Visible);
    const char* plural = unwind_ == 1 ? "" : "s";
    if (cut_loop_)
      out_.bounds.push_back(fmt::format("at most {} iteration{} of each loop", unwind_, plural));
    if (cut_call_)
      out_.bounds.push_back(
          fmt::format("at most {} call{} of a procedure inside itself", unwind_, plural));
  }

  void declare(Body& body) {
    const auto named = [&](const std::string& name) {
      return fmt::format("{}_{}", name, body.thread);
    };
    const Type sweep = out_.program[out_.r_sc].type;
    body.pc = build_.local(named("pc"), Type::range(0, body.points));
    body.cs = build_.local(named("cs"), Type::range(1, body.points));
    body.tso = build_.local(named("tso"), sweep);
    body.ended = build_.local(named("ended"), Type::boolean());
    std::set<std::pair<ProcedureId, std::uint32_t>> levels;
    for (const Activation& a : body.code->activations()) levels.emplace(a.routine, a.level);
    for (std::uint32_t l = 0; l < source_.locals.size(); ++l) {
      const Local& local = source_.locals[l];
      for (std::uint32_t level = 0; level <= unwind_; ++level) {
        if (local.owner ? !levels.contains({*local.owner, level}) : level > 0) break;
        const auto name =
            level == 0 ? named(local.name) : fmt::format("{}_{}", named(local.name), level);
        const LocalId copy = build_.local(name, local.type);
        start_at(copy, local.initial);
        body.variables[{LocalId{l}, level}] = copy;
      }
    }
    const auto& parameters = source_[body.process].parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const LocalId copy = body.variables.at({parameters[i], 0});
      if (body.arguments)
        start_at(copy, {(*body.arguments)[i]});
      else if (properties_ask_for_arguments(body.process))
        body.asked_arguments.push_back(
            build_.local(named("arg_" + source_[parameters[i]].name), source_[parameters[i]].type));
    }
    for (auto& [x, pending] : body.pending) {
      const Shared& variable = source_[x];
      if (k_ > 0) {
        pending.view = build_.local(named("view_" + variable.name), variable.type);
        pending.last = build_.local(named("last_" + variable.name), shaped(variable.type, sweep));
        pending.mask = build_.local(named("mask_" + variable.name),
                                    Type::array(shaped(variable.type, Type::boolean()), k_));
        pending.queue =
            build_.local(named("queue_" + variable.name), Type::array(variable.type, k_));
      }
      pending.store = machinery(named("store_" + variable.name), Part::Update);
    }
    if (k_ > 0) body.flush = machinery(named("flush"), Part::Other);
    body.image = machinery(named(source_[body.process].name), Part::Image);
  }

  void start_at(LocalId local, const std::vector<Initial>& values) {
    auto& initial = out_.program.locals[local.value].initial;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i]) initial[i] = values[i];
  }

  bool properties_ask_for_arguments(ProcedureId process) const {
    const auto asks = [&](const ThreadName& name) {
      return name.process == process && !name.arguments.empty();
    };
    const auto in = [&](const auto& self, const Expr& e) -> bool {
      return (e.thread && asks(*e.thread)) ||
             std::any_of(e.args.begin(), e.args.end(),
                         [&](const Expr& a) { return self(self, a); });
    };
    return std::any_of(places_.counters().begin(), places_.counters().end(),
                       [&](const Counter& c) { return asks(c.thread); }) ||
           std::any_of(source_.finals.begin(), source_.finals.end(),
                       [&](const Final& f) { return in(in, f.condition); });
  }

  ProcedureId machinery(const std::string& name, Part part) {
    out_.parts.push_back(part);
    return build_.procedure(name);
  }
  Procedure& procedure(ProcedureId id) { return out_.program.procedures[id.value]; }

  // ---- short expressions ------------------------------------------------------------------------

  Expr r_sc() const { return build_.value(out_.r_sc); }
  Expr r_tso() const { return build_.value(out_.r_tso); }
  Expr memory(SharedId x, std::vector<Expr> path) const {
    return build_.value(out_.memory[x.value], std::move(path));
  }
  static Stmt set(LocalId local, Expr value, std::vector<Expr> path = {}) {
    return stmt(Assign{{local, std::move(path)}, std::move(value)});
  }
  static std::vector<Expr> in_sweep(const Expr& sweep, std::vector<Expr> path) {
    path.insert(path.begin(), sweep - number(1)); // nothing waits for the first
    return path;
  }
  static Expr constant(const Type& scalar, Value value) {
    Expr result = Expr::constant(value);
    result.is_bool = scalar.kind == Type::Kind::Bool;
    return result;
  }
  static Expr opposite(Expr a) {
    if (a.is_constant()) return Expr::boolean(a.value == 0);
    return a.op == Op::Not ? a.args[0] : negated(std::move(a));
  }
  static Expr either(Expr a, Expr b) { return Expr::binary(Op::Or, std::move(a), std::move(b)); }
  static Expr greater(Expr a, Expr b) { return Expr::binary(Op::Gt, std::move(a), std::move(b)); }

  // ---- machinery --------------------------------------------------------------------------------

  void write_stores(const Body& body) {
    for (const auto& [x, pending] : body.pending) {
      const Type& type = source_[x].type;
      const ProcedureId id = pending.store;
      std::vector<Expr> path;
      for (const Type& index : index_types(type))
        path.push_back(build_.value(build_.parameter(id, fmt::format("i{}", path.size()), index)));
      const Expr g = build_.value(build_.parameter(id, "g", type.scalar()));
      Block write{set(out_.memory[x.value], g, path)};
      if (k_ == 0) {
        procedure(id).body = std::move(write);
        continue;
      }
      const LocalId when = build_.local("n", out_.program[out_.r_tso].type, id);
      const Expr n = build_.value(when);
      Block delay{set(pending.view, g, path), set(pending.last, n, path),
                  set(pending.mask, Expr::boolean(true), in_sweep(n, path)),
                  set(pending.queue, g, in_sweep(n, path))};
      procedure(id).body = {
          stmt(Havoc{{when, {}}}), stmt(Assume{both(at_least(n, r_sc()), at_least(n, r_tso()))}),
          set(out_.r_tso, n), stmt(If{equal(n, r_sc()), std::move(write), std::move(delay)})};
    }
  }

  /// What is due in this sweep, if it is not the first, reaches memory.
  void write_flush(const Body& body) {
    for (const auto& [x, pending] : body.pending)
      for (const auto& path : paths(source_[x].type)) {
        if (k_ == 0) continue;
        const auto due = in_sweep(r_sc(), path);
        procedure(body.flush)
            .body.push_back(
                stmt(If{build_.value(pending.mask, due),
                        {set(out_.memory[x.value], build_.value(pending.queue, due), path)},
                        {}}));
      }
  }

  // ---- the unrolled code ------------------------------------------------------------------------

  /// What is being written: labels wait for the statement that they stand at.
  struct Image {
    Body& body;
    Procedure& code;
    std::vector<LabelId> waiting;
    std::map<std::size_t, LabelId> entries; ///< of instances by position, those jumped to
    std::vector<LabelId> points;            ///< by point; the last is the end of the code
    std::optional<LabelId> finish;

    LabelId label(std::string name) {
      code.labels.push_back(std::move(name));
      return {static_cast<std::uint32_t>(code.labels.size() - 1)};
    }
    LabelId entry(std::size_t position) {
      const auto found = entries.find(position);
      if (found != entries.end()) return found->second;
      return entries.emplace(position, label(fmt::format("at{}", position))).first->second;
    }
    void add(Stmt s, SourceSpan span) {
      s.span = span;
      s.labels.insert(s.labels.end(), waiting.begin(), waiting.end());
      waiting.clear();
      code.body.push_back(std::move(s));
    }
  };

  void write_image(Body& body) {
    Image image{body, procedure(body.image), {}, {}, {}, {}};
    for (std::uint32_t i = 1; i < body.points; ++i)
      image.points.push_back(image.label(fmt::format("point{}", i)));
    image.points.push_back(image.label("end"));
    const SourceSpan span = source_[body.process].span;
    begin_point(image, 0, span);
    for (Stmt& s : jump(image, body.code->start(), 0, 1)) image.add(std::move(s), span);
    for (const Instance* i : body.code->order()) write(image, *i);
    if (image.finish) {
      image.waiting.push_back(*image.finish);
      image.add(set(body.ended, Expr::boolean(true)), span);
    }
    image.waiting.push_back(image.points.back());
    image.add(stmt(Skip{}), span);
  }

  /// Executed only if it is within the window; else on to the next.
  void begin_point(Image& image, std::uint32_t point, SourceSpan span) const {
    if (point > 0) image.waiting.push_back(image.points[point - 1]);
    image.add(stmt(If{either(greater(build_.value(image.body.pc), number(point)),
                             at_least(number(point), build_.value(image.body.cs))),
                      {stmt(Goto{image.points[point]}, span)},
                      {}}),
              span);
  }

  /// Control leaves for another place, over points that the window therefore does not end at.
  Block jump(Image& image, const Target& target, std::size_t next_position,
             std::uint32_t points_so_far) const {
    Block result;
    const bool is_instance = target.kind == Target::Kind::Instance;
    const std::uint32_t points = is_instance ? target.instance->points : image.body.points;
    if (points > points_so_far)
      result.push_back(stmt(Assume{at_least(build_.value(image.body.cs), number(points))}));
    if (is_instance && target.instance->position == next_position) return result;
    if (is_instance)
      result.push_back(stmt(Goto{image.entry(target.instance->position)}));
    else if (target.kind == Target::Kind::Nowhere)
      result.push_back(stmt(Goto{image.points.back()}));
    else {
      if (!image.finish) image.finish = image.label("finish");
      if (next_position < image.body.code->order().size())
        result.push_back(stmt(Goto{*image.finish}));
    }
    return result;
  }

  void write(Image& image, const Instance& i) {
    const Instruction& instruction = image.body.code->instruction(i);
    const SourceSpan span = instruction.span;
    if (const auto label = image.entries.find(i.position); label != image.entries.end())
      image.waiting.push_back(label->second);
    const auto counters = counters_at(image.body, i);
    Block before, code;
    enter(image.body, counters, before);
    for (Stmt& s : before) image.add(std::move(s), span);
    const bool is_point = this->is_point(image.body, i);
    if (is_point) begin_point(image, i.points, span);
    if (is_point && is_visible(instruction.operation)) image.add(stmt(Call{visible_, {}}), span);
    change(image.body, counters, -1, code);
    const std::uint32_t points = i.points + is_point;
    const auto leave = [&](const Target& to) {
      if (i.inside && to.kind == Target::Kind::Nowhere) // nobody could move any more
        return Block{stmt(Assume{Expr::boolean(false)}, span)};
      Block result = jump(image, to, i.position + 1, points);
      for (Stmt& s : result) s.span = span;
      return result;
    };
    execute(image, i, instruction.operation, leave, code);
    for (Stmt& s : code) image.add(std::move(s), span);
  }

  template <class Leave>
  void execute(const Image& image, const Instance& i, const Operation& operation, Leave leave,
               Block& out) {
    const Scope scope{image.body, *i.in};
    const auto keep = [&](Action action) { out.push_back(stmt(std::move(action))); };
    match(
        operation, [&](const Skip&) {}, [&](const StoreFence&) {},
        [&](const Assume& a) {
          keep(If{opposite(own(scope, a.condition)), leave({}), {}});
        },
        [&](const Assert& a) { keep(Assert{own(scope, a.condition)}); },
        [&](const Assign& a) {
          keep(Assign{own(scope, a.to), own(scope, a.value)});
        },
        [&](const Havoc& a) { keep(Havoc{own(scope, a.to)}); },
        [&](const Load& a) { load(scope, a, out); },
        [&](const Store& a) {
          auto arguments = own(scope, a.to.path);
          arguments.push_back(own(scope, a.value));
          keep(Call{image.body.pending.at(a.to.variable).store, std::move(arguments)});
          if (i.inside) drained(out);
        },
        [&](const Cas& a) { compare_and_swap(scope, a, out); },
        [&](const Arw& a) { await_and_write(scope, a, out); }, [&](const Fence&) { drained(out); },
        [&](const AtomicBegin&) { drained(out); }, [&](const AtomicEnd&) { drained(out); },
        [&](const Spawn& a) { spawn(scope, a, i.at, out); },
        [&](const Join& a) { join(scope, a, out); }, [&](const Call& a) { call(scope, i, a, out); },
        [&](const Return&) {},
        [&](const Branch& b) {
          if (i.next.size() == 1) return;
          Block yes = leave(i.next[0]), no = leave(i.next[1]);
          if (b.condition.op == Op::Any)
            keep(If{b.condition, std::move(yes), std::move(no)});
          else if (yes.empty())
            keep(If{opposite(own(scope, b.condition)), std::move(no), {}});
          else
            keep(If{own(scope, b.condition), std::move(yes), std::move(no)});
        });
    if (i.next.size() > 1) return;
    for (Stmt& s : leave(i.next[0])) out.push_back(std::move(s));
  }

  /// Whose variables a statement means.
  struct Scope {
    const Body& body;
    const Activation& in;
  };

  LocalId own(const Scope& scope, LocalId local) const {
    return scope.body.variables.at({local, source_[local].owner ? scope.in.level : 0});
  }
  Expr own(const Scope& scope, Expr expr) const {
    if (expr.op == Op::Local) expr.local = own(scope, expr.local);
    for (Expr& arg : expr.args) arg = own(scope, std::move(arg));
    return expr;
  }
  std::vector<Expr> own(const Scope& scope, std::vector<Expr> exprs) const {
    for (Expr& e : exprs) e = own(scope, std::move(e));
    return exprs;
  }
  LocalPlace own(const Scope& scope, LocalPlace place) const {
    return {own(scope, place.variable), own(scope, std::move(place.path))};
  }

  void drained(Block& out) const { out.push_back(stmt(Assume{at_least(r_sc(), r_tso())})); }

  void load(const Scope& scope, const Load& a, Block& out) const {
    const auto path = own(scope, a.from.path);
    const Type& from = source_[a.from.variable].type.scalar();
    const Type& to = source_[a.into.variable].type.scalar();
    const auto take = [&](const Expr& value) {
      Block block;
      if (from.lo < to.lo || from.hi > to.hi)
        if (auto fit = fits(out_.program, value, to))
          block.push_back(stmt(Assert{std::move(*fit)}));
      block.push_back(stmt(Assign{own(scope, a.into), value}));
      return block;
    };
    Block seen = take(memory(a.from.variable, path));
    const auto pending = scope.body.pending.find(a.from.variable);
    if (k_ == 0 || pending == scope.body.pending.end()) {
      out.insert(out.end(), seen.begin(), seen.end());
      return;
    }
    out.push_back(stmt(If{greater(build_.value(pending->second.last, path), r_sc()),
                          take(build_.value(pending->second.view, path)), std::move(seen)}));
  }

  void write_now(SharedId x, const std::vector<Expr>& path, const Expr& value, Block& out) const {
    if (auto fit = fits(out_.program, value, source_[x].type.scalar()))
      out.push_back(stmt(Assert{std::move(*fit)}));
    out.push_back(set(out_.memory[x.value], value, path));
  }

  void compare_and_swap(const Scope& scope, const Cas& a, Block& out) const {
    drained(out);
    const auto path = own(scope, a.at.path);
    Block yes, no;
    write_now(a.at.variable, path, own(scope, a.desired), yes);
    if (a.into) {
      yes.push_back(stmt(Assign{own(scope, *a.into), Expr::boolean(true)}));
      no.push_back(stmt(Assign{own(scope, *a.into), Expr::boolean(false)}));
    }
    out.push_back(stmt(If{equal(memory(a.at.variable, path), own(scope, a.expected)),
                          std::move(yes), std::move(no)}));
  }

  void await_and_write(const Scope& scope, const Arw& a, Block& out) const {
    drained(out);
    const auto path = own(scope, a.at.path);
    out.push_back(stmt(Assume{equal(memory(a.at.variable, path), own(scope, a.expected))}));
    write_now(a.at.variable, path, own(scope, a.desired), out);
  }

  void call(const Scope& scope, const Instance& i, const Call& a, Block& out) const {
    if (!i.callee) return; // cut off
    const auto& parameters = source_[a.procedure].parameters;
    const Scope inner{scope.body, *i.callee};
    for (std::size_t p = 0; p < parameters.size(); ++p)
      out.push_back(set(own(inner, parameters[p]), own(scope, a.arguments[p])));
    for (std::uint32_t l = 0; l < source_.locals.size(); ++l) {
      const Local& local = source_.locals[l];
      if (local.owner != a.procedure ||
          std::find(parameters.begin(), parameters.end(), LocalId{l}) != parameters.end())
        continue;
      const auto all = paths(local.type);
      for (std::size_t c = 0; c < all.size(); ++c)
        out.push_back(
            set(own(inner, LocalId{l}), constant(local.type.scalar(), *local.initial[c]), all[c]));
    }
  }

  void spawn(const Scope& scope, const Spawn& a, Location at, Block& out) const {
    const auto spawn =
        static_cast<std::size_t>(std::find(spawns_.begin(), spawns_.end(), at) - spawns_.begin());
    const std::size_t first = source_.threads.size();
    if (a.into) {
      const Expr id = build_.value(count_) + number(first);
      if (auto fit = fits(out_.program, id, source_[a.into->variable].type.scalar()))
        out.push_back(stmt(Assert{std::move(*fit)}));
    }
    const bool is_only = !may_start(spawn, 0) || spawn == 0;
    for (std::size_t n = 0; n <= spawn; ++n) {
      if (!may_start(spawn, n)) continue;
      Block start = start_thread(scope, slots_[first + n], a);
      if (is_only)
        out.insert(out.end(), start.begin(), start.end());
      else
        out.push_back(stmt(If{equal(build_.value(count_), number(n)), std::move(start), {}}));
    }
    if (a.into)
      out.push_back(stmt(Assign{own(scope, *a.into), build_.value(count_) + number(first)}));
    out.push_back(set(count_, build_.value(count_) + number(1)));
  }

  Block start_thread(const Scope& scope, const Slot& slot, const Spawn& a) const {
    Block result;
    for (std::size_t b = 0; b < slot.bodies.size(); ++b) {
      const Body& body = slot.bodies[b];
      if (body.process != a.process) continue;
      if (slot.bodies.size() > 1) result.push_back(set(slot.kind, number(b)));
      const auto& parameters = source_[a.process].parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Expr value = own(scope, a.arguments[i]);
        result.push_back(set(body.variables.at({parameters[i], 0}), value));
        if (!body.asked_arguments.empty()) result.push_back(set(body.asked_arguments[i], value));
      }
    }
    return result;
  }

  void join(const Scope& scope, const Join& a, Block& out) const {
    const Expr other = own(scope, a.thread);
    const Expr count = spawns_.empty() ? number(source_.threads.size())
                                       : build_.value(count_) + number(source_.threads.size());
    const Interval values = interval(out_.program, other);
    if (values.lo < 0 || values.hi >= static_cast<Value>(source_.threads.size()))
      out.push_back(stmt(Assert{both(at_least(other, number(0)), less(other, count))}));
    out.push_back(stmt(Assume{build_.value(done_, {other})}));
  }

  // ---- forbidden places -------------------------------------------------------------------------

  void change(const Body& body, const std::vector<std::size_t>& counters, int by,
              Block& out) const {
    for (const std::size_t c : counters) {
      const Expr now = build_.value(counters_[c]);
      Stmt changed = set(counters_[c], by > 0 ? now + number(1) : now - number(1));
      if (const auto test = is_meant(body, places_.counters()[c].thread))
        changed = stmt(If{*test, {std::move(changed)}, {}});
      out.push_back(std::move(changed));
    }
  }

  void enter(const Body& body, const std::vector<std::size_t>& counters, Block& out) const {
    change(body, counters, 1, out);
    for (const std::size_t c : counters)
      for (const auto& forbid : places_.forbids_with(c)) {
        std::optional<Expr> reached;
        for (const AtLeast& need : forbid) {
          Expr enough = at_least(build_.value(counters_[need.counter]), number(need.threads));
          reached = reached ? both(std::move(*reached), std::move(enough)) : std::move(enough);
        }
        out.push_back(stmt(Assert{negated(std::move(*reached))}));
      }
  }

  /// Whether a thread of this process is the one: none if that is known already.
  std::optional<Expr> is_meant(const Body& body, const ThreadName& name) const {
    std::optional<Expr> result;
    if (body.arguments) return result;
    for (std::size_t i = 0; i < name.arguments.size(); ++i) {
      const Type& type = source_[source_[body.process].parameters[i]].type;
      Expr same = equal(build_.value(body.asked_arguments[i]), constant(type, name.arguments[i]));
      result = result ? both(std::move(*result), std::move(same)) : std::move(same);
    }
    return result;
  }

  // ---- final conditions -------------------------------------------------------------------------

  /// A variable of a thread that a final condition asks for.
  struct Result {
    ThreadName thread;
    LocalId local;
    LocalId kept;
  };

  void declare_results() {
    const auto find = [&](const auto& self, const Expr& e) -> void {
      if (e.op == Op::OfThread && !result_of(*e.thread, e.local)) {
        const Local& local = source_[e.local];
        const auto name = fmt::format("final_{}_{}", source_[e.thread->process].name, local.name);
        results_.push_back({*e.thread, e.local, build_.local(name, local.type)});
        start_at(results_.back().kept, local.initial);
      }
      for (const Expr& arg : e.args) self(self, arg);
    };
    for (const Final& f : source_.finals) find(find, f.condition);
  }

  const Result* result_of(const ThreadName& thread, LocalId local) const {
    for (const Result& one : results_)
      if (one.thread == thread && one.local == local) return &one;
    return nullptr;
  }

  Expr at_the_end(Expr e) const {
    for (Expr& arg : e.args) arg = at_the_end(std::move(arg));
    if (e.op == Op::Shared) return memory(e.shared, std::move(e.args));
    if (e.op == Op::OfThread)
      return build_.value(result_of(*e.thread, e.local)->kept, std::move(e.args));
    return e;
  }

  /// Of several threads with the name the first counts: it is looked at last.
  void keep_results(Block& out) const {
    for (const Result& one : results_)
      for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot)
        for (const Body& body : slot->bodies) {
          const auto& wanted = one.thread.arguments;
          if (body.process != one.thread.process ||
              (body.arguments && !wanted.empty() && *body.arguments != wanted))
            continue;
          Block copy;
          for (const auto& path : paths(source_[one.local].type))
            copy.push_back(
                set(one.kept, build_.value(body.variables.at({one.local, 0}), path), path));
          if (const auto test = is_meant(body, one.thread))
            copy = {stmt(If{*test, std::move(copy), {}})};
          if (const auto test = is_there(*slot, body))
            copy = {stmt(If{*test, std::move(copy), {}})};
          out.insert(out.end(), copy.begin(), copy.end());
        }
  }

  // ---- the driver -------------------------------------------------------------------------------

  /// Whether the thread was started; none: it exists from the start.
  std::optional<Expr> is_there(const Slot& slot, const Body& body) const {
    if (body.arguments) return std::nullopt;
    Expr result = greater(build_.value(count_), number(body.thread - source_.threads.size()));
    if (slot.bodies.size() == 1) return result;
    const auto kind = static_cast<std::uint64_t>(&body - slot.bodies.data());
    return both(std::move(result), equal(build_.value(slot.kind), number(kind)));
  }

  void write_driver() {
    Block out;
    for (std::size_t x = 0; x < source_.shared.size(); ++x) {
      const auto all = paths(source_.shared[x].type);
      for (std::size_t i = 0; i < all.size(); ++i)
        if (!source_.shared[x].initial[i]) out.push_back(stmt(Havoc{{out_.memory[x], all[i]}}));
    }
    for (std::uint32_t sweep = 0; sweep <= k_; ++sweep)
      for (const Slot& slot : slots_)
        for (const Body& body : slot.bodies) {
          Block round = run_window(body, sweep);
          if (const auto test = is_there(slot, body))
            round = {stmt(If{*test, std::move(round), {}})};
          out.insert(out.end(), round.begin(), round.end());
        }
    check_finals(out);
    Procedure driver;
    driver.kind = Procedure::Kind::Main;
    driver.name = "main";
    driver.body = std::move(out);
    out_.program.procedures.push_back(std::move(driver));
    out_.parts.push_back(Part::Driver);
    out_.program.threads.push_back(
        {{static_cast<std::uint32_t>(out_.program.procedures.size() - 1)}, {}});
  }

  /// One round of a thread: what is due is flushed, then it goes on for as long as it likes.
  Block run_window(const Body& body, std::uint32_t sweep) const {
    Block out{set(out_.r_sc, number(sweep)), set(out_.self, number(body.thread)),
              set(out_.r_tso, build_.value(body.tso))};
    if (sweep > 0) out.push_back(stmt(Call{body.flush, {}}));
    out.push_back(stmt(Havoc{{body.cs, {}}}));
    out.push_back(stmt(Assume{at_least(build_.value(body.cs), build_.value(body.pc))}));
    out.push_back(stmt(Call{body.image, {}}));
    out.push_back(set(body.pc, build_.value(body.cs)));
    out.push_back(set(body.tso, r_tso()));
    // Others see the end when the last store has reached memory.
    out.push_back(set(done_, both(build_.value(body.ended), at_least(r_sc(), r_tso())),
                      {number(body.thread)}));
    return out;
  }

  void check_finals(Block& out) const {
    if (source_.finals.empty()) return;
    Expr all = Expr::boolean(true);
    for (std::size_t t = 0; t < slots_.size(); ++t) {
      Expr is_done = build_.value(done_, {number(t)});
      if (t >= source_.threads.size())
        is_done = either(at_least(number(t - source_.threads.size()), build_.value(count_)),
                         std::move(is_done));
      all = t == 0 ? std::move(is_done) : both(std::move(all), std::move(is_done));
    }
    Block check;
    keep_results(check);
    for (const Final& f : source_.finals) {
      Expr holds = at_the_end(f.condition);
      if (auto fine = is_fine(out_.program, holds))
        holds = both(std::move(*fine), std::move(holds));
      check.push_back(stmt(Assert{std::move(holds)}, f.span));
    }
    out.push_back(stmt(If{std::move(all), std::move(check), {}}));
  }

  const Program source_;
  const Code code_;
  const Places places_;
  std::vector<Loops> loops_; ///< by ProcedureId
  std::uint32_t k_, unwind_;
  std::vector<Slot> slots_;      ///< by thread
  std::vector<Location> spawns_; ///< in main, ascending
  ProcedureId main_;
  bool cut_loop_ = false, cut_call_ = false;

  Translation out_;
  Builder build_;
  LocalId done_, count_;
  std::vector<LocalId> counters_; ///< by counter of places_
  std::vector<Result> results_;
  ProcedureId visible_;
};

} // namespace

std::variant<Translation, Unsupported> translate_lazy(const Program& source, std::uint32_t k,
                                                      std::uint32_t unwind) {
  try {
    return Lazy(source, k, unwind).run();
  } catch (const Refused& refused) { return refused.why; }
}

} // namespace weir::translate
