#include "translate/eager.h"

#include "base/invariant.h"
#include "base/match.h"
#include "ir/faults.h"
#include "translate/images.h"
#include "translate/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weir::translate {

using namespace ir;

namespace {

constexpr std::uint32_t most_in_loop = 4; ///< threads that one spawn in a loop may start

struct Refused {
  Unsupported why;
};

class Eager : Images {
public:
  Eager(const Program& source, Bound bound)
      : Images(with_explicit_faults(source), bound), sweeps_(bound.k + 1), places_(source_) {}

  Translation run() {
    find_threads();
    find_endless_jumps();
    if (out_.bound.kind == Bound::Kind::Rounds) cover_rounds();
    declare();
    declare_copies();
    write_switch_point();
    write_stores();
    write_start_thread();
    write_images();
    write_driver();
    return std::move(out_);
  }

private:
  // ---- threads ----------------------------------------------------------------------------------

  /// One place in the order of the threads: an initial thread, or one that main may start.
  struct Slot {
    std::optional<InitialThread> initial;
  };

  void find_threads() {
    for (const InitialThread& thread : source_.threads) slots_.push_back({thread});
    for (std::uint32_t i = 0; i < source_.procedures.size(); ++i) {
      in_loop_ = false;
      count_spawns(source_.procedures[i].body, ProcedureId{i});
    }
    slots_.resize(slots_.size() + spawn_slots_);
    if (spawns_in_loops_) out_.bounds.push_back(fmt::format("at most {} threads", slots_.size()));
    for (const Procedure& code : source_.procedures)
      for_each_statement(code.body, [&](const Stmt& s) {
        if (!std::holds_alternative<Join>(s.action)) return;
        has_joins_ = true;
        if (spawn_slots_ > 0 && code.kind != Procedure::Kind::Main)
          throw Refused{
              {"only main can join in a program that spawns, with a bound of sweeps", s.span}};
      });
  }

  /// So many sweeps that every run with bounded rounds is among theirs: a new sweep begins where
  /// the next round is of a thread with a lower number, which with m rounds of each of n threads
  /// can be at most m * (n - 1) times; one more for stores that stay pending to the end.
  void cover_rounds() {
    const auto others = static_cast<std::uint32_t>(slots_.size() - 1);
    out_.bound = {Bound::Kind::Sweeps, (out_.bound.k + 1) * others + 1};
    sweeps_ = out_.bound.k + 1;
  }

  void count_spawns(const Block& block, ProcedureId in) {
    for (const Stmt& s : block) {
      if (const auto* spawn = std::get_if<Spawn>(&s.action)) {
        if (source_[in].kind != Procedure::Kind::Main)
          throw Refused{{"only main itself can spawn, with a bound of sweeps", s.span}};
        const bool again = in_loop_ || has_gotos(in);
        spawns_in_loops_ = spawns_in_loops_ || again;
        spawn_slots_ += again ? most_in_loop : 1;
        if (std::find(spawned_.begin(), spawned_.end(), spawn->process) == spawned_.end())
          spawned_.push_back(spawn->process);
      } else if (const auto* branch = std::get_if<If>(&s.action)) {
        count_spawns(branch->yes, in);
        count_spawns(branch->no, in);
      } else if (const auto* loop = std::get_if<Loop>(&s.action)) {
        const bool outer = std::exchange(in_loop_, true);
        count_spawns(loop->before, in);
        count_spawns(loop->body, in);
        in_loop_ = outer;
      }
    }
  }

  bool has_gotos(ProcedureId in) const {
    bool found = false;
    for_each_statement(source_[in].body, [&](const Stmt& s) {
      found = found || std::holds_alternative<Goto>(s.action);
    });
    return found;
  }

  // ---- declarations -----------------------------------------------------------------------------

  /// A variable with one copy per sweep.
  struct Copied {
    LocalId memory, guess;
    Type type;
  };

  Copied copied(const std::string& name, const Type& type) {
    Copied result{build_.local("mem_" + name, Type::array(type, sweeps_)), {}, type};
    if (sweeps_ > 1) result.guess = build_.local("guess_" + name, Type::array(type, sweeps_ - 1));
    all_copied_.push_back(result);
    return result;
  }

  void declare() {
    Program& program = out_.program;
    program.threads.clear();
    program.forbids.clear();
    program.finals.clear();
    program.shared.clear();
    const Value k = static_cast<Value>(sweeps_) - 1;
    out_.r_sc = build_.local("r_SC", Type::range(0, k + 1));
    out_.r_tso = build_.local("r_TSO", Type::range(0, k));
    err_ = build_.local("err", Type::boolean());
    for (const Shared& x : source_.shared) {
      shared_.push_back(copied(x.name, x.type));
      out_.memory.push_back(shared_.back().memory);
      out_.has_silent_fences = true;
      view_.push_back(build_.local("view_" + x.name, x.type));
      last_.push_back(build_.local("last_" + x.name, shaped(x.type, Type::range(0, k))));
    }
    const auto count = static_cast<Value>(slots_.size());
    for (const Counter& counter : places_.counters())
      counters_.push_back(copied(counter.name, Type::range(0, most_at(counter))));
    if (has_joins_)
      ended_ = copied("ended", Type::array(Type::boolean(), static_cast<std::uint32_t>(count)));
    out_.self = build_.local("self", Type::range(0, count));
    if (!source_.finals.empty()) finished_ = build_.local("finished", Type::range(0, count));
    if (spawn_slots_ > 0) {
      const auto n = static_cast<std::uint32_t>(spawn_slots_);
      count_ = build_.local("spawned", Type::range(0, n));
      start_ = build_.local("start", Type::array(Type::range(0, k), n));
      kind_ = build_.local(
          "kind",
          Type::array(Type::range(0, static_cast<Value>(source_.procedures.size()) - 1), n));
      for (const ProcedureId p : spawned_) {
        auto& list = arguments_[p];
        for (const LocalId parameter : source_[p].parameters)
          list.push_back(
              build_.local(fmt::format("arg_{}_{}", source_[p].name, source_[parameter].name),
                           Type::array(source_[parameter].type, n)));
      }
    }
    // A thread variable starts anew with each thread; what is any value is chosen in its code.
    for (Local& local : program.locals)
      for (Initial& value : local.initial)
        if (!value) value = local.type.scalar().contains(0) ? 0 : local.type.scalar().lo;
    for (Procedure& code : program.procedures) {
      const bool is_process = code.kind != Procedure::Kind::Procedure;
      code.kind = Procedure::Kind::Procedure;
      end_label_.push_back({static_cast<std::uint32_t>(code.labels.size())});
      code.labels.push_back(fresh_label(code, "end"));
      finish_label_.push_back({static_cast<std::uint32_t>(code.labels.size())});
      if (is_process) code.labels.push_back(fresh_label(code, "finish"));
    }
    switch_point_ = machinery("switch_point", Part::Visible);
    wait_point_ = machinery("wait_point", Part::Other);
    for (const Shared& x : source_.shared)
      store_.push_back(machinery("store_" + x.name, Part::Update));
    start_thread_ = machinery("start_thread", Part::Other);
    declare_results();
  }

  /// How many threads a counter can count.
  Value most_at(const Counter& counter) const {
    Value result = 0;
    for (const InitialThread& t : source_.threads)
      result += t.process == counter.thread.process &&
                (counter.thread.arguments.empty() || t.arguments == counter.thread.arguments);
    if (std::find(spawned_.begin(), spawned_.end(), counter.thread.process) != spawned_.end())
      result += static_cast<Value>(spawn_slots_);
    return std::max<Value>(result, 1);
  }

  static std::string fresh_label(const Procedure& code, std::string name) {
    while (std::find(code.labels.begin(), code.labels.end(), name) != code.labels.end())
      name += '_';
    return name;
  }

  // ---- short expressions ------------------------------------------------------------------------

  Expr r() const { return build_.value(out_.r_sc); }
  Expr r_tso() const { return build_.value(out_.r_tso); }
  static std::vector<Expr> in_copy(Expr sweep, std::vector<Expr> path) {
    path.insert(path.begin(), std::move(sweep));
    return path;
  }
  Expr memory(const Copied& x, Expr sweep, std::vector<Expr> path) const {
    return build_.value(x.memory, in_copy(std::move(sweep), std::move(path)));
  }
  Stmt set_memory(const Copied& x, Expr sweep, std::vector<Expr> path, Expr value) const {
    return set(x.memory, std::move(value), in_copy(std::move(sweep), std::move(path)));
  }

  // ---- machinery --------------------------------------------------------------------------------

  /// The thread goes on now, or in a later sweep, or never again.
  void write_switch_point() {
    for (const ProcedureId id : {switch_point_, wait_point_}) {
      const LocalId n = build_.local("n", out_.program[out_.r_sc].type, id);
      procedure(id).body = {stmt(Havoc{{n, {}}}), stmt(Assume{at_least(build_.value(n), r())}),
                            set(out_.r_sc, build_.value(n))};
    }
  }

  /// The sweep in which it reaches memory, or never: then the thread stops before it. It can be
  /// executed in the round that goes on: a later one changes only when it is due.
  void write_stores() {
    for (std::uint32_t i = 0; i < source_.shared.size(); ++i) {
      const Type& type = source_.shared[i].type;
      std::vector<Expr> path;
      for (const Type& index : index_types(type))
        path.push_back(
            build_.value(build_.parameter(store_[i], fmt::format("i{}", path.size()), index)));
      const Expr g = build_.value(build_.parameter(store_[i], "g", type.scalar()));
      const LocalId n = build_.local("n", out_.program[out_.r_sc].type, store_[i]);
      procedure(store_[i]).body = {
          stmt(Havoc{{n, {}}}),
          stmt(Assume{both(at_least(build_.value(n), r()), at_least(build_.value(n), r_tso()))}),
          stmt(If{equal(build_.value(n), number(sweeps_)),
                  {set(out_.r_sc, number(sweeps_))},
                  {set(out_.r_tso, build_.value(n)), set_memory(shared_[i], r_tso(), path, g),
                   set(view_[i], g, path), set(last_[i], r_tso(), path)}}),
      };
    }
  }

  void write_start_thread() {
    Block& body = procedure(start_thread_).body;
    body.push_back(set(out_.r_sc, number(0)));
    body.push_back(set(out_.r_tso, number(0)));
    for (std::uint32_t x = 0; x < source_.shared.size(); ++x)
      for (const auto& path : paths(source_.shared[x].type))
        body.push_back(set(last_[x], number(0), path));
    for (std::uint32_t l = 0; l < source_.locals.size(); ++l) {
      const Local& local = source_.locals[l];
      if (local.owner) continue;
      const auto all = paths(local.type);
      for (std::size_t i = 0; i < all.size(); ++i)
        if (local.initial[i])
          body.push_back(set(LocalId{l}, constant(local.type.scalar(), *local.initial[i]), all[i]));
    }
  }

  static Expr constant(const Type& scalar, Value value) {
    Expr result = Expr::constant(value);
    result.is_bool = scalar.kind == Type::Kind::Bool;
    return result;
  }

  // ---- images -----------------------------------------------------------------------------------

  Block copy_body_of(ProcedureId id, ProcedureId copy) override {
    at_ = copy;
    procedure(copy).labels = procedure(id).labels;
    is_process_ = false;
    end_ = end_label_[id.value];
    return with_end(images(source_[id].body));
  }

  Block body_of(ProcedureId id) override {
    at_ = id;
    end_ = end_label_[id.value];
    finish_ = finish_label_[id.value];
    const Procedure& code = source_[id];
    is_process_ = code.kind != Procedure::Kind::Procedure;
    if (!is_process_) return with_end(images(code.body));
    Block result;
    for (std::uint32_t l = 0; l < source_.locals.size(); ++l) { // as any thread's first steps
      const Local& local = source_.locals[l];
      const auto all = paths(local.type);
      for (std::size_t i = 0; !local.owner && i < all.size(); ++i)
        if (!local.initial[i]) result.push_back(stmt(Havoc{{LocalId{l}, all[i]}}, local.span));
    }
    Block rest = images(code.body);
    result.insert(result.end(), rest.begin(), rest.end());
    Stmt finish = stmt(Skip{}, code.span);
    finish.labels = {finish_};
    result.push_back(std::move(finish));
    if (!source_.finals.empty())
      result.push_back(set(finished_, build_.value(finished_) + number(1)));
    for (const Result& one : results_)
      if (source_[one.local].owner == id)
        for (const auto& path : paths(source_[one.local].type))
          result.push_back(set(one.inner, build_.value(one.local, path), path));
    if (has_joins_) { // others see the end when the last store has reached memory
      wait_here(code.span, result);
      result.push_back(stmt(Assume{at_least(r(), r_tso())}));
      result.push_back(set_memory(ended_, r(), {build_.value(out_.self)}, Expr::boolean(true)));
    }
    return with_end(std::move(result));
  }

  Block with_end(Block body) const {
    Stmt end = stmt(Skip{});
    end.labels = {end_};
    body.push_back(std::move(end));
    return body;
  }

  Stmt leave(SourceSpan span) const { return stmt(Goto{end_}, span); }
  Stmt leave_if_stopped(SourceSpan span) const {
    return stmt(If{equal(r(), number(sweeps_)), {leave(span)}, {}}, span);
  }
  /// This thread does nothing more in this run; the others do.
  Block stop(SourceSpan span) const { return {set(out_.r_sc, number(sweeps_)), leave(span)}; }
  Block fail(SourceSpan span) {
    has_errors_ = true;
    Block result = stop(span);
    result.insert(result.begin(), set(err_, Expr::boolean(true)));
    return result;
  }

  void switch_here(SourceSpan span, Block& out) const {
    out.push_back(stmt(Call{switch_point_, {}}, span));
    out.push_back(leave_if_stopped(span));
  }

  /// The same where no statement follows that others can notice.
  void wait_here(SourceSpan span, Block& out) const {
    out.push_back(stmt(Call{wait_point_, {}}, span));
    out.push_back(leave_if_stopped(span));
  }

  void drained(Block& out, SourceSpan span) const {
    out.push_back(stmt(Assume{at_least(r(), r_tso())}, span));
  }

  void statement(const Stmt& s, bool inside, Block& out) override {
    const auto counters = is_process_ ? places_.at(at_, s.labels) : std::vector<std::size_t>{};
    const auto* loop = std::get_if<Loop>(&s.action);
    if (!counters.empty() && !loop) enter(counters, s.span, out);
    const bool has_own_choice =
        std::holds_alternative<Store>(s.action) || std::holds_alternative<Fence>(s.action);
    if (!inside && ir::is_visible(operation_kind(s)) && (!has_own_choice || !counters.empty()))
      has_own_choice ? wait_here(s.span, out) : switch_here(s.span, out);
    else if (!inside && !counters.empty() && !loop)
      wait_here(s.span, out);
    if (!counters.empty() && !loop) change(counters, -1, s.span, out);
    const auto keep = [&](Action action) { out.push_back(stmt(std::move(action), s.span)); };
    match(
        s.action, [&](const Skip&) { keep(Skip{}); }, [&](const StoreFence&) { keep(Skip{}); },
        [&](const Assume& a) {
          if (inside) return keep(Assume{own(a.condition)}); // nobody could move any more
          keep(If{negated(own(a.condition)), stop(s.span), {}});
        },
        [&](const Assert& a) {
          keep(If{negated(own(a.condition)), fail(s.span), {}});
        },
        [&](const Assign& a) {
          keep(Assign{own(a.to), own(a.value)});
        },
        [&](const Havoc& a) { keep(Havoc{own(a.to)}); },
        [&](const Load& a) { load(a, s.span, out); },
        [&](const Store& a) {
          auto arguments = own(a.to.path);
          if (inside) { // nothing is pending there, and nothing may be
            out.push_back(set_memory(shared_[a.to.variable.value], r(), arguments, own(a.value)));
            out.back().span = s.span;
            return;
          }
          arguments.push_back(own(a.value));
          keep(Call{store_[a.to.variable.value], std::move(arguments)});
          out.push_back(leave_if_stopped(s.span));
        },
        [&](const Cas& a) { compare_and_swap(a, s.span, out); },
        [&](const Arw& a) { await_and_write(a, s.span, out); },
        [&](const Fence&) { // the first moment at which nothing is pending
          keep(If{less(r(), r_tso()), {set(out_.r_sc, r_tso())}, {}});
        },
        [&](const AtomicBegin&) { drained(out, s.span); },
        [&](const AtomicEnd&) { drained(out, s.span); },
        [&](const Spawn& a) { spawn(a, s.span, out); },
        [&](const Join& a) { join(a, s.span, out); },
        [&](const Call& a) {
          if (!inside && endless_.contains(&s)) wait_here(s.span, out);
          keep(own(a, inside));
          out.push_back(leave_if_stopped(s.span));
        },
        [&](const Return&) {
          if (is_process_)
            keep(Goto{finish_});
          else
            keep(Return{});
        },
        [&](const Goto& a) {
          if (!inside && endless_.contains(&s)) wait_here(s.span, out); // else it could only go on
          keep(a);
        },
        [&](const If& a) {
          keep(If{own(a.condition), images(a.yes), images(a.no)});
        },
        [&](const Loop& a) {
          Block before;
          if (!inside && !must_stop(a)) wait_here(s.span, before); // else it could only go on
          if (!counters.empty()) {                                 // each time around
            enter(counters, s.span, before);
            if (!inside) wait_here(s.span, before);
            change(counters, -1, s.span, before);
          }
          Block rest = images(a.before);
          before.insert(before.end(), rest.begin(), rest.end());
          keep(Loop{std::move(before), own(a.condition), images(a.body)});
        });
  }

  /// A thread can stop where it has a choice.
  static bool can_stop(const Stmt& s) {
    return ir::is_visible(operation_kind(s)) && !std::holds_alternative<Fence>(s.action);
  }

  static bool has_jumps(const Stmt& s) {
    bool found = std::holds_alternative<Goto>(s.action);
    const auto look = [&](const Stmt& inner) {
      found = found || std::holds_alternative<Goto>(inner.action);
    };
    if (const auto* branch = std::get_if<If>(&s.action)) {
      for_each_statement(branch->yes, look);
      for_each_statement(branch->no, look);
    } else if (const auto* loop = std::get_if<Loop>(&s.action)) {
      for_each_statement(loop->before, look);
      for_each_statement(loop->body, look);
    }
    return found;
  }

  /// Whether every way through the statements comes to a place where the thread can stop. Errs on
  /// the side of no where there are jumps.
  static bool must_stop(const Block& block) { return must_stop(block.begin(), block.end()); }
  static bool must_stop(Block::const_iterator from, Block::const_iterator to) {
    for (; from != to; ++from) {
      if (can_stop(*from)) return true;
      if (has_jumps(*from)) return false;
      if (const auto* branch = std::get_if<If>(&from->action)) {
        if (must_stop(branch->yes) && must_stop(branch->no)) return true;
      } else if (const auto* loop = std::get_if<Loop>(&from->action)) {
        if (must_stop(loop->before)) return true;
      }
    }
    return false;
  }
  static bool must_stop(const Loop& loop) { return must_stop(loop.before) || must_stop(loop.body); }

  /// The jumps back that may go over statements at none of which the thread can stop, and the calls
  /// that may come back to themselves.
  void find_endless_jumps() {
    for (const Procedure& code : source_.procedures) {
      std::set<LabelId> targets, passed;
      for_each_statement(code.body, [&](const Stmt& s) {
        if (const auto* jump = std::get_if<Goto>(&s.action)) targets.insert(jump->target);
      });
      for_each_statement(code.body, [&](const Stmt& s) {
        passed.insert(s.labels.begin(), s.labels.end());
        const auto* jump = std::get_if<Goto>(&s.action);
        if (jump && passed.contains(jump->target)) endless_.insert(&s);
      });
      look_for_stops(code.body, targets);
    }
    const std::size_t count = source_.procedures.size();
    for (std::uint32_t p = 0; p < count; ++p)
      for_each_statement(source_.procedures[p].body, [&](const Stmt& s) {
        const auto* call = std::get_if<Call>(&s.action);
        if (call && calls(call->procedure, ProcedureId{p})) endless_.insert(&s);
      });
  }

  bool calls(ProcedureId from, ProcedureId to) const {
    std::set<ProcedureId> seen{from};
    std::vector<ProcedureId> work{from};
    while (!work.empty()) {
      const ProcedureId at = work.back();
      work.pop_back();
      if (at == to) return true;
      for_each_statement(source_[at].body, [&](const Stmt& s) {
        const auto* call = std::get_if<Call>(&s.action);
        if (call && seen.insert(call->procedure).second) work.push_back(call->procedure);
      });
    }
    return false;
  }

  /// A jump back to a label of the same block, or out of a statement of it, is fine if between the
  /// two the thread must come to a stop and nothing else jumps in there.
  void look_for_stops(const Block& block, const std::set<LabelId>& targets) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      for (const LabelId label : block[i].labels)
        for (std::size_t j = i; j < block.size() && targets.contains(label); ++j) {
          const bool jumped_into =
              j > i && std::any_of(block[j].labels.begin(), block[j].labels.end(),
                                   [&](LabelId l) { return targets.contains(l); });
          if (jumped_into) break;
          const auto begin = block.begin() + static_cast<std::ptrdiff_t>(i);
          const auto end = block.begin() + static_cast<std::ptrdiff_t>(j);
          if (!must_stop(begin, end)) continue;
          const auto release = [&](const Stmt& s) {
            const auto* jump = std::get_if<Goto>(&s.action);
            if (jump && jump->target == label) endless_.erase(&s);
          };
          release(block[j]);
          if (const auto* branch = std::get_if<If>(&block[j].action)) {
            for_each_statement(branch->yes, release);
            for_each_statement(branch->no, release);
          } else if (const auto* loop = std::get_if<Loop>(&block[j].action)) {
            for_each_statement(loop->before, release);
            for_each_statement(loop->body, release);
          }
        }
      if (const auto* branch = std::get_if<If>(&block[i].action)) {
        look_for_stops(branch->yes, targets);
        look_for_stops(branch->no, targets);
      } else if (const auto* loop = std::get_if<Loop>(&block[i].action)) {
        look_for_stops(loop->before, targets);
        look_for_stops(loop->body, targets);
      }
    }
  }

  static Operation operation_kind(const Stmt& s) {
    return match(
        s.action, [](const Goto&) { return Operation{Skip{}}; },
        [](const If&) { return Operation{Skip{}}; }, [](const Loop&) { return Operation{Skip{}}; },
        [](const auto& simple) { return Operation{simple}; });
  }

  void load(const Load& a, SourceSpan span, Block& out) {
    const std::uint32_t x = a.from.variable.value;
    const auto path = own(a.from.path);
    const Expr pending = build_.value(view_[x], path);
    const Expr seen = memory(shared_[x], r(), path);
    const Type& from = source_[a.from.variable].type.scalar();
    const Type& to = source_[a.into.variable].type.scalar();
    const auto take = [&](const Expr& value) {
      Block block;
      if (from.lo < to.lo || from.hi > to.hi)
        if (auto fit = fits(out_.program, value, to))
          block.push_back(stmt(If{negated(std::move(*fit)), fail(span), {}}));
      block.push_back(stmt(Assign{own(a.into), value}));
      return block;
    };
    const Expr is_pending = Expr::binary(Op::Gt, build_.value(last_[x], path), r());
    out.push_back(stmt(If{is_pending, take(pending), take(seen)}, span));
  }

  void write_now(const Place& at, const Expr& value, SourceSpan span, Block& out) {
    const std::uint32_t x = at.variable.value;
    if (auto fit = fits(out_.program, value, source_[at.variable].type.scalar()))
      out.push_back(stmt(If{negated(std::move(*fit)), fail(span), {}}, span));
    out.push_back(set_memory(shared_[x], r(), at.path, value));
  }

  void compare_and_swap(const Cas& a, SourceSpan span, Block& out) {
    const Place at = own(a.at);
    drained(out, span);
    Block yes, no;
    write_now(at, own(a.desired), span, yes);
    if (a.into) {
      yes.push_back(stmt(Assign{own(*a.into), Expr::boolean(true)}));
      no.push_back(stmt(Assign{own(*a.into), Expr::boolean(false)}));
    }
    const Expr now = memory(shared_[at.variable.value], r(), at.path);
    out.push_back(stmt(If{equal(now, own(a.expected)), std::move(yes), std::move(no)}, span));
  }

  void await_and_write(const Arw& a, SourceSpan span, Block& out) {
    const Place at = own(a.at);
    drained(out, span);
    const Expr now = memory(shared_[at.variable.value], r(), at.path);
    out.push_back(stmt(Assume{equal(now, own(a.expected))}, span));
    if (auto fine = is_fine(out_.program, own(a.desired)))
      out.push_back(stmt(If{negated(std::move(*fine)), fail(span), {}}, span));
    write_now(at, own(a.desired), span, out);
  }

  void spawn(const Spawn& a, SourceSpan span, Block& out) {
    const Expr n = build_.value(count_);
    out.push_back(stmt(Assume{less(n, number(spawn_slots_))}, span));
    out.push_back(set(start_, r(), {n}));
    out.push_back(set(kind_, number(a.process.value), {n}));
    const auto& slots = arguments_[a.process];
    for (std::size_t i = 0; i < slots.size(); ++i)
      out.push_back(set(slots[i], own(a.arguments[i]), {n}));
    out.push_back(set(count_, n + number(1)));
    if (!a.into) return;
    Expr id = build_.value(count_);
    if (source_.threads.size() > 1) id = std::move(id) + number(source_.threads.size() - 1);
    if (auto fit = fits(out_.program, id, source_[a.into->variable].type.scalar()))
      out.push_back(stmt(If{negated(std::move(*fit)), fail(span), {}}, span));
    out.push_back(stmt(Assign{own(*a.into), id}, span));
  }

  void join(const Join& a, SourceSpan span, Block& out) {
    const Expr other = own(a.thread);
    const Expr count = spawn_slots_ > 0 ? build_.value(count_) + number(source_.threads.size())
                                        : number(source_.threads.size());
    const Interval values = interval(out_.program, other);
    if (values.lo < 0 || values.hi >= static_cast<Value>(source_.threads.size()))
      out.push_back(stmt(
          If{Expr::binary(Op::Or, less(other, number(0)), at_least(other, count)), fail(span), {}},
          span));
    out.push_back(stmt(Assume{memory(ended_, r(), {other})}, span));
  }

  // ---- forbidden places -------------------------------------------------------------------------

  /// The thread is counted if it has the arguments asked for.
  void change(const std::vector<std::size_t>& counters, int by, SourceSpan span, Block& out) {
    for (const std::size_t c : counters) {
      const Expr now = memory(counters_[c], r(), {});
      const Value most = counters_[c].type.hi;
      Block changed;
      if (most == 1) {
        changed = {set_memory(counters_[c], r(), {}, number(by > 0 ? 1 : 0))};
      } else { // a wrong guess does not matter, but it has to stay one of the type's values
        const Expr edge = by > 0 ? Expr::constant(most) : number(0);
        changed = {stmt(Assume{differ(now, edge)}),
                   set_memory(counters_[c], r(), {}, by > 0 ? now + number(1) : now - number(1))};
      }
      for (Stmt& one : changed) one.span = span;
      if (const auto test = is_meant(places_.counters()[c].thread, at_))
        changed = {stmt(If{*test, std::move(changed), {}}, span)};
      out.insert(out.end(), changed.begin(), changed.end());
    }
  }

  void enter(const std::vector<std::size_t>& counters, SourceSpan span, Block& out) {
    change(counters, 1, span, out);
    for (const std::size_t c : counters)
      for (const auto& forbid : places_.forbids_with(c)) {
        Expr reached = Expr::boolean(true);
        for (std::size_t i = 0; i < forbid.size(); ++i) {
          Expr enough =
              at_least(memory(counters_[forbid[i].counter], r(), {}), number(forbid[i].threads));
          reached = i == 0 ? enough : both(std::move(reached), std::move(enough));
        }
        out.push_back(stmt(If{std::move(reached), fail(span), {}}, span));
      }
  }

  std::optional<Expr> is_meant(const ThreadName& name, ProcedureId process) {
    std::optional<Expr> result;
    for (std::size_t i = 0; i < name.arguments.size(); ++i) {
      const LocalId parameter = source_[process].parameters[i];
      if (is_assigned(process, parameter))
        throw Refused{{fmt::format("'{}' is assigned, and a forbid asks for its first value: not "
                                   "with a bound of sweeps",
                                   source_[parameter].name),
                       source_[parameter].span}};
      Expr same =
          equal(build_.value(parameter), constant(source_[parameter].type, name.arguments[i]));
      result = result ? both(std::move(*result), std::move(same)) : std::move(same);
    }
    return result;
  }

  bool is_assigned(ProcedureId process, LocalId local) const {
    bool found = false;
    const auto look = [&](const LocalPlace& place) { found = found || place.variable == local; };
    for_each_statement(source_[process].body, [&](const Stmt& s) {
      match(
          s.action, [&](const Assign& a) { look(a.to); }, [&](const Havoc& a) { look(a.to); },
          [&](const Load& a) { look(a.into); },
          [&](const Cas& a) {
            if (a.into) look(*a.into);
          },
          [&](const Spawn& a) {
            if (a.into) look(*a.into);
          },
          [](const auto&) {});
    });
    return found;
  }

  // ---- final conditions -------------------------------------------------------------------------

  /// A variable of a thread that a final condition asks for.
  struct Result {
    ThreadName thread;
    LocalId local;
    LocalId inner; ///< where the thread leaves it (its own locals are gone when it has ended)
    LocalId kept;  ///< where it is kept for the end
    LocalId known; ///< whether it is
  };

  void declare_results() {
    const auto find = [&](const auto& self, const Expr& e) -> void {
      if (e.op == Op::OfThread && !result_of(*e.thread, e.local)) {
        const Local& local = source_[e.local];
        const auto name = fmt::format("{}_{}", source_[e.thread->process].name, local.name);
        Result one{*e.thread, e.local, e.local, build_.local("final_" + name, local.type), {}};
        for (std::size_t i = 0; i < local.initial.size(); ++i)
          out_.program.locals[one.kept.value].initial[i] = local.initial[i].value_or(0);
        if (local.owner) one.inner = build_.local("result_" + name, local.type);
        one.known = build_.local("known_" + name, Type::boolean());
        results_.push_back(std::move(one));
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

  /// A final condition on the last copy of memory.
  Expr at_the_end(Expr e) const {
    for (Expr& arg : e.args) arg = at_the_end(std::move(arg));
    if (e.op == Op::Shared) {
      Expr result = memory(shared_[e.shared.value], number(sweeps_ - 1), std::move(e.args));
      result.span = e.span;
      return result;
    }
    if (e.op == Op::OfThread) {
      Expr result = build_.value(result_of(*e.thread, e.local)->kept, std::move(e.args));
      result.span = e.span;
      return result;
    }
    return e;
  }

  /// After a thread: what final conditions want of it, if it is the first that is meant.
  void keep_results(ProcedureId process, const std::vector<Expr>& arguments, Block& out) {
    for (const Result& one : results_) {
      if (one.thread.process != process) continue;
      Expr test = negated(build_.value(one.known));
      for (std::size_t i = 0; i < one.thread.arguments.size(); ++i)
        test = both(std::move(test),
                    equal(arguments[i], constant(source_[source_[process].parameters[i]].type,
                                                 one.thread.arguments[i])));
      Block copy{set(one.known, Expr::boolean(true))};
      for (const auto& path : paths(source_[one.local].type))
        copy.push_back(set(one.kept, build_.value(one.inner, path), path));
      out.push_back(stmt(If{std::move(test), std::move(copy), {}}));
    }
  }

  // ---- the driver -------------------------------------------------------------------------------

  void write_driver() {
    Procedure driver;
    driver.kind = Procedure::Kind::Main;
    driver.name = "main";
    Block& body = driver.body;
    guess(body);
    for (std::size_t t = 0; t < slots_.size(); ++t) {
      if (slots_[t].initial) {
        run_thread(t, slots_[t].initial->process, constants(*slots_[t].initial), nullptr, body);
        continue;
      }
      const std::size_t n = t - source_.threads.size();
      Block choice;
      for (const ProcedureId p : spawned_) {
        std::vector<Expr> arguments;
        for (const LocalId slot : arguments_[p])
          arguments.push_back(build_.value(slot, {number(n)}));
        Block one;
        const Expr start = build_.value(start_, {number(n)});
        run_thread(t, p, arguments, &start, one);
        if (spawned_.size() == 1)
          choice = std::move(one);
        else
          choice.push_back(stmt(
              If{equal(build_.value(kind_, {number(n)}), number(p.value)), std::move(one), {}}));
      }
      body.push_back(stmt(If{less(number(n), build_.value(count_)), std::move(choice), {}}));
    }
    check(body);
    out_.program.procedures.push_back(std::move(driver));
    out_.parts.push_back(Part::Driver);
    const ProcedureId id{static_cast<std::uint32_t>(out_.program.procedures.size() - 1)};
    for (Procedure& code : out_.program.procedures) // the name belongs to the driver now
      if (&code != &out_.program.procedures.back() && code.name == "main")
        code.name = "main_thread";
    out_.program.threads.push_back({id, {}});
  }

  std::vector<Expr> constants(const InitialThread& thread) const {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < thread.arguments.size(); ++i)
      result.push_back(
          constant(source_[source_[thread.process].parameters[i]].type, thread.arguments[i]));
    return result;
  }

  void guess(Block& body) {
    for (std::size_t x = 0; x < shared_.size(); ++x) {
      const Shared& variable = source_.shared[x];
      const auto all = paths(variable.type);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto at = in_copy(number(0), all[i]);
        if (variable.initial[i])
          body.push_back(
              set(shared_[x].memory, constant(variable.type.scalar(), *variable.initial[i]), at));
        else
          body.push_back(stmt(Havoc{{shared_[x].memory, at}}));
      }
    }
    for (const Copied& x : all_copied_)
      for (std::uint32_t sweep = 1; sweep < sweeps_; ++sweep)
        for (const auto& path : paths(x.type)) {
          const auto at = in_copy(number(sweep - 1), path);
          body.push_back(stmt(Havoc{{x.guess, at}}));
          body.push_back(set_memory(x, number(sweep), path, build_.value(x.guess, at)));
        }
  }

  void run_thread(std::size_t slot, ProcedureId process, const std::vector<Expr>& arguments,
                  const Expr* start, Block& body) {
    body.push_back(stmt(Call{start_thread_, {}}));
    body.push_back(set(out_.self, number(slot)));
    if (start) body.push_back(set(out_.r_sc, *start));
    body.push_back(stmt(Call{process, arguments}));
    keep_results(process, arguments, body);
  }

  /// What was guessed is what the sweep before left; then, was there an error?
  void check(Block& body) {
    for (const Copied& x : all_copied_)
      for (std::uint32_t sweep = 1; sweep < sweeps_; ++sweep)
        for (const auto& path : paths(x.type))
          body.push_back(
              stmt(Assume{equal(memory(x, number(sweep - 1), path),
                                build_.value(x.guess, in_copy(number(sweep - 1), path)))}));
    for (const Final& f : source_.finals) {
      Expr all = equal(build_.value(finished_), started());
      Expr holds = at_the_end(f.condition);
      if (auto fine = is_fine(out_.program, holds))
        holds = both(std::move(*fine), std::move(holds));
      body.push_back(
          stmt(Assert{Expr::binary(Op::Or, negated(std::move(all)), std::move(holds))}, f.span));
    }
    if (!source_.finals.empty() && !has_errors_) return;
    body.push_back(stmt(Assert{negated(build_.value(err_))}));
  }

  Expr started() const {
    const Expr initial = number(source_.threads.size());
    return spawn_slots_ > 0 ? build_.value(count_) + initial : initial;
  }

  std::uint32_t sweeps_;
  Places places_;
  std::vector<Slot> slots_;
  std::size_t spawn_slots_ = 0;
  std::vector<ProcedureId> spawned_;
  bool has_errors_ = false; ///< anything can set err
  bool in_loop_ = false, spawns_in_loops_ = false, has_joins_ = false, is_process_ = false;

  LocalId err_, finished_, count_, start_, kind_;
  std::map<ProcedureId, std::vector<LocalId>> arguments_;
  std::vector<Copied> shared_;   ///< by SharedId
  std::vector<Copied> counters_; ///< by counter of places_
  Copied ended_;
  std::vector<Copied> all_copied_;
  std::vector<LocalId> view_, last_; ///< by SharedId
  std::vector<Result> results_;
  ProcedureId switch_point_, wait_point_, start_thread_;
  std::vector<ProcedureId> store_; ///< by SharedId
  std::vector<LabelId> end_label_, finish_label_;
  std::set<const Stmt*> endless_;

  ProcedureId at_; ///< the image being written
  LabelId end_, finish_;
};

} // namespace

std::variant<Translation, Unsupported> translate_eager(const Program& source, Bound bound) {
  try {
    return Eager(source, bound).run();
  } catch (const Refused& refused) { return refused.why; }
}

} // namespace weir::translate
