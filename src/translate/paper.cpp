#include "translate/paper.h"

#include "base/invariant.h"
#include "base/match.h"
#include "ir/faults.h"
#include "translate/images.h"

namespace weir::translate {

using namespace ir;

namespace {

class Paper : Images {
public:
  Paper(const Program& source, Bound bound, Trap trap)
      : Images(source, bound), bound_(bound), trap_(trap), slots_(bound.k + 1) {
    invariant(bound.kind == Bound::Kind::Rounds || bound.kind == Bound::Kind::Age,
              "the paper's translation should have a bound of rounds or age");
  }

  Translation run() {
    declare();
    declare_copies();
    write_init_thread();
    write_init_round();
    write_is_init_round();
    write_flush_rounds();
    write_fence();
    write_memory_updates();
    write_images();
    return std::move(out_);
  }

private:
  bool is_age() const { return bound_.kind == Bound::Kind::Age; }

  // ---- declarations ---------------------------------------------------------------------------

  void declare() {
    counts_threads_ = false;
    for (const Procedure& code : source_.procedures)
      for_each_statement(code.body, [&](const Stmt& s) {
        counts_threads_ = counts_threads_ || std::holds_alternative<Spawn>(s.action);
        has_joins_ = has_joins_ || std::holds_alternative<Join>(s.action);
      });
    const auto threads = source_.threads.size();
    const Type id = counts_threads_ ? Type::integer() : Type::range(0, static_cast<Value>(threads));
    last_ = build_.shared("last", id);
    if (counts_threads_) threads_ = build_.shared("threads", id);
    me_ = build_.local("me", id);
    started_ = build_.local("started", Type::boolean());
    const Type slot = Type::range(0, static_cast<Value>(bound_.k));
    out_.r_sc = build_.local("r_SC", slot);
    out_.r_tso = build_.local("r_TSO", slot);
    for (const Shared& x : source_.shared) {
      view_.push_back(build_.local("view_" + x.name, x.type));
      mask_.push_back(
          build_.local("mask_" + x.name, Type::array(shaped(x.type, Type::boolean()), slots_)));
      queue_.push_back(build_.local("queue_" + x.name, Type::array(x.type, slots_)));
    }
    init_thread_ = machinery("init_thread", Part::Other);
    init_round_ = machinery("init_round", Part::InitRound);
    is_init_round_ = machinery("is_init_round", Part::Visible);
    flush_rounds_ = machinery("flush_rounds", Part::Flush);
    fence_ = machinery("fence_buffer", Part::Other);
    for (const Shared& x : source_.shared)
      update_.push_back(machinery("memory_update_" + x.name, Part::Update));
  }

  // ---- short expressions ----------------------------------------------------------------------

  Expr r_sc() const { return build_.value(out_.r_sc); }
  Expr r_tso() const { return build_.value(out_.r_tso); }
  static std::vector<Expr> in_slot(Expr slot, std::vector<Expr> path) {
    path.insert(path.begin(), std::move(slot));
    return path;
  }
  Expr mask(SharedId x, Expr slot, std::vector<Expr> path) const {
    return build_.value(mask_[x.value], in_slot(std::move(slot), std::move(path)));
  }
  Expr view(SharedId x, std::vector<Expr> path) const {
    return build_.value(view_[x.value], std::move(path));
  }
  /// The slot after this one; rounds are counted, ages go around.
  Expr next(Expr slot) const {
    Expr result = std::move(slot) + number(1);
    return is_age() ? std::move(result) % number(slots_) : result;
  }

  // ---- the paper's procedures -----------------------------------------------------------------

  void write_init_thread() {
    Block& body = procedure(init_thread_).body;
    body.push_back(set(out_.r_sc, number(0)));
    body.push_back(set(out_.r_tso, number(0)));
    for (std::uint32_t x = 0; x < source_.shared.size(); ++x)
      for (const auto& path : paths(source_.shared[x].type))
        body.push_back(stmt(Load{{view_[x], path}, {SharedId{x}, path}}));
  }

  void write_init_round() {
    Block& body = procedure(init_round_).body;
    if (!is_age() && bound_.k == 0) { // the only round is over
      body.push_back(stmt(Assume{Expr::boolean(false)}));
      return;
    }
    if (!is_age()) body.push_back(stmt(Assume{less(r_sc(), number(bound_.k))}));
    body.push_back(stmt(If{equal(r_tso(), r_sc()), {set(out_.r_tso, next(r_tso()))}, {}}));
    body.push_back(set(out_.r_sc, next(r_sc())));
    for (std::uint32_t i = 0; i < source_.shared.size(); ++i) {
      const SharedId x{i};
      const Type& type = source_.shared[i].type;
      for (const auto& path : paths(type)) {
        // What is due reaches memory; otherwise, if nothing is pending, the view is memory's.
        // One read of x at most: checkers want that (see README.md).
        const auto due = in_slot(r_sc(), path);
        const auto mask_path = mask_path_of(r_sc(), path);
        Block flush{stmt(Store{{x, path}, build_.value(queue_[i], due)})};
        if (trap_ != Trap::SlotKept)
          flush.push_back(set(mask_[i], Expr::boolean(false), mask_path));
        const Type& scalar = type.scalar();
        flush.push_back(set(queue_[i], idle(scalar), due)); // fewer states, same runs
        Expr none = Expr::boolean(true);
        bool is_first = true;
        for (std::uint64_t j = trap_ == Trap::ForgottenSlot ? 1 : 0; j < slots_; ++j) {
          Expr clear = negated(build_.value(mask_[i], mask_path_of(number(j), path)));
          none = is_first ? clear : both(std::move(none), std::move(clear));
          is_first = false;
        }
        Block look{stmt(If{std::move(none), {stmt(Load{{view_[i], path}, {x, path}})}, {}})};
        body.push_back(
            stmt(If{build_.value(mask_[i], mask_path), std::move(flush), std::move(look)}));
      }
    }
  }

  std::vector<Expr> mask_path_of(Expr slot, std::vector<Expr> path) const {
    if (trap_ == Trap::OneMaskPerArray)
      for (Expr& index : path) index = number(0);
    return in_slot(std::move(slot), std::move(path));
  }

  static Expr idle(const Type& scalar) {
    if (scalar.kind == Type::Kind::Bool) return Expr::boolean(false);
    return Expr::constant(scalar.contains(0) ? 0 : scalar.lo);
  }

  /// A round begins when another thread has run since.
  void write_is_init_round() {
    const LocalId previous = build_.local("previous", source_id_type(), is_init_round_);
    Block first;
    if (counts_threads_) {
      first.push_back(stmt(Load{{me_, {}}, {threads_, {}}}));
      first.push_back(set(me_, build_.value(me_) + number(1)));
      first.push_back(stmt(Store{{threads_, {}}, build_.value(me_)}));
    }
    first.push_back(set(started_, Expr::boolean(true)));
    first.push_back(stmt(Store{{last_, {}}, build_.value(me_)}));
    first.push_back(stmt(Call{init_thread_, {}}));
    Block again{stmt(Load{{previous, {}}, {last_, {}}}),
                stmt(If{differ(build_.value(previous), build_.value(me_)),
                        {stmt(Store{{last_, {}}, build_.value(me_)}), stmt(Call{init_round_, {}})},
                        {}})};
    procedure(is_init_round_)
        .body.push_back(stmt(If{build_.value(started_), std::move(again), std::move(first)}));
  }

  Type source_id_type() const { return out_.program[me_].type; }

  /// Up to k rounds that only flush: after k of them nothing is pending any more.
  void write_flush_rounds() {
    if (trap_ == Trap::NoFlushRounds) return;
    Block body;
    for (std::uint32_t i = 0; i < bound_.k; ++i) {
      Block round{stmt(AtomicBegin{}), stmt(Call{is_init_round_, {}}), stmt(AtomicEnd{})};
      round.insert(round.end(), body.begin(), body.end());
      body = {stmt(If{differ(r_tso(), r_sc()), {stmt(If{Expr::any(), std::move(round), {}})}, {}})};
    }
    procedure(flush_rounds_).body = std::move(body);
  }

  void write_fence() { procedure(fence_).body.push_back(stmt(Assume{equal(r_tso(), r_sc())})); }

  void write_memory_updates() {
    for (std::uint32_t i = 0; i < source_.shared.size(); ++i) {
      const Type& type = source_.shared[i].type;
      const ProcedureId id = update_[i];
      std::vector<Expr> path;
      for (const Type& index : index_types(type))
        path.push_back(
            build_.value(build_.parameter(id, "i" + std::to_string(path.size()), index)));
      const Expr g = build_.value(build_.parameter(id, "g", type.scalar()));
      const LocalId ahead = build_.local("n", out_.program[out_.r_sc].type, id);
      const Expr n = build_.value(ahead);
      Block& body = procedure(id).body;
      if (trap_ != Trap::ViewNotUpdated) body.push_back(set(view_[i], g, path));
      body.push_back(stmt(Havoc{{ahead, {}}})); // when it reaches memory: one choice, not a loop
      if (!is_age()) {
        body.push_back(stmt(Assume{at_least(n, r_tso())}));
        body.push_back(set(out_.r_tso, n));
      } else if (trap_ == Trap::SignedModulo) {
        // Fig. 5 as a C programmer writes it: one more step at a time, tested with C's remainder.
        Block step{set(out_.r_tso, next(r_tso()))};
        Expr test = differ((r_sc() - r_tso()) % number(slots_), number(1));
        for (std::uint32_t j = 0; j < bound_.k; ++j)
          body.push_back(stmt(If{less(number(j), n), {stmt(If{test, step, {}})}, {}}));
      } else {
        // n is how many rounds ahead: not less than the store before it.
        const Expr now = (r_tso() + number(slots_) - r_sc()) % number(slots_);
        body.push_back(stmt(Assume{at_least(n, now)}));
        body.push_back(set(out_.r_tso, (r_sc() + n) % number(slots_)));
      }
      Block delay{set(mask_[i], Expr::boolean(true), mask_path_of(r_tso(), path)),
                  set(queue_[i], g, in_slot(r_tso(), path))};
      Block write{stmt(Store{{SharedId{i}, path}, g})};
      if (trap_ == Trap::PendingAfterLast && !is_age())
        write = {stmt(If{both(equal(r_sc(), number(bound_.k)), equal(n, number(bound_.k))),
                         {stmt(If{Expr::any(), write, {}})},
                         write})};
      body.push_back(stmt(If{equal(r_tso(), r_sc()), std::move(write), std::move(delay)}));
    }
  }

  // ---- the map of statements ------------------------------------------------------------------

  Block copy_body_of(ProcedureId id, ProcedureId) override { return images(source_[id].body); }

  Block body_of(ProcedureId id) override {
    const Procedure& code = source_[id];
    if (code.kind == Procedure::Kind::Procedure) return images(code.body);
    is_process_ = true;
    Block result = who_am_i(id);
    Block rest = images(code.body);
    if (trap_ == Trap::NoRoundsAfterEnd && !rest.empty() &&
        rest.back().action == Action{Call{flush_rounds_, {}}})
      rest.pop_back();
    result.insert(result.end(), rest.begin(), rest.end());
    for (Stmt& s : ended(code.span)) result.push_back(std::move(s));
    is_process_ = false;
    return result;
  }

  /// A thread that exists from the start knows its number by its arguments.
  Block who_am_i(ProcedureId id) {
    if (counts_threads_) return {};
    Block result;
    for (std::size_t t = source_.threads.size(); t-- > 0;) {
      if (source_.threads[t].process != id) continue;
      Stmt mine = set(me_, number(t + 1));
      if (result.empty()) {
        result = {std::move(mine)};
        continue;
      }
      Expr test = Expr::boolean(true);
      for (std::size_t i = 0; i < source_.threads[t].arguments.size(); ++i) {
        const LocalId parameter = source_[id].parameters[i];
        Expr argument = Expr::constant(source_.threads[t].arguments[i]);
        argument.is_bool = source_[parameter].type.kind == Type::Kind::Bool;
        Expr same = equal(build_.value(parameter), std::move(argument));
        test = i == 0 ? same : both(std::move(test), std::move(same));
      }
      result = {stmt(If{std::move(test), {std::move(mine)}, std::move(result)})};
    }
    return result;
  }

  /// A thread has ended, for others, when its stores have reached memory. The end is a step in a
  /// round of its own if the thread had none: who joins it has been interrupted.
  Block ended(SourceSpan span) const {
    Block result{stmt(Assume{equal(r_tso(), r_sc())}, span)};
    if (has_joins_)
      result.push_back(stmt(If{negated(build_.value(started_)),
                               {stmt(AtomicBegin{}, span), stmt(Call{is_init_round_, {}}, span),
                                stmt(AtomicEnd{}, span)},
                               {}},
                            span));
    return result;
  }

  /// The statement's effect, in a section of its own that begins a round if it has to.
  void visible(const Stmt& s, bool inside, Block effect, Block& out,
               bool may_leave_pending = true) {
    for (Stmt& e : effect) e.span = s.span;
    if (inside) {
      out.insert(out.end(), effect.begin(), effect.end());
      return;
    }
    out.push_back(stmt(AtomicBegin{}, s.span));
    out.push_back(stmt(Call{is_init_round_, {}}, s.span));
    out.insert(out.end(), effect.begin(), effect.end());
    out.push_back(stmt(AtomicEnd{}, s.span));
    if (may_leave_pending && bound_.k > 0) out.push_back(stmt(Call{flush_rounds_, {}}, s.span));
  }

  void statement(const Stmt& s, bool inside, Block& out) override {
    if (trap_ == Trap::RoundsInSections) inside = false;
    const auto keep = [&](Action action) { out.push_back(stmt(std::move(action), s.span)); };
    match(
        s.action, [&](const Skip&) { keep(Skip{}); }, [&](const StoreFence&) { keep(Skip{}); },
        [&](const Assume& a) { keep(Assume{own(a.condition)}); },
        [&](const Assert& a) { keep(Assert{own(a.condition)}); },
        [&](const Assign& a) {
          keep(Assign{own(a.to), own(a.value)});
        },
        [&](const Havoc& a) { keep(Havoc{own(a.to)}); },
        [&](const Load& a) { visible(s, inside, load(a), out); },
        [&](const Store& a) {
          auto arguments = own(a.to.path);
          arguments.push_back(own(a.value));
          visible(s, inside, {stmt(Call{update_[a.to.variable.value], std::move(arguments)})}, out);
        },
        [&](const Cas& a) { visible(s, inside, compare_and_swap(a), out, false); },
        [&](const Arw& a) { visible(s, inside, await_and_write(a), out, false); },
        [&](const Fence&) {
          visible(s, inside, {stmt(Call{fence_, {}})}, out, false);
        },
        [&](const AtomicBegin&) {
          if (trap_ == Trap::RoundsInSections)
            return visible(s, false, {stmt(Call{fence_, {}})}, out, false);
          keep(AtomicBegin{});
          keep(Call{is_init_round_, {}});
          keep(Call{fence_, {}});
        },
        [&](const AtomicEnd&) {
          if (trap_ == Trap::RoundsInSections)
            return visible(s, false, {stmt(Call{fence_, {}})}, out, false);
          keep(Call{fence_, {}});
          keep(AtomicEnd{});
        },
        [&](const Spawn& a) {
          // Outside the section: C libraries have their own in it, and a later start is the same.
          visible(s, inside, {}, out, false);
          Spawn spawn = a;
          if (spawn.into) spawn.into = own(*spawn.into);
          spawn.arguments = own(spawn.arguments);
          keep(std::move(spawn));
          if (!inside && bound_.k > 0) keep(Call{flush_rounds_, {}});
        },
        [&](const Join& a) { visible(s, inside, {stmt(Join{own(a.thread)})}, out); },
        [&](const Call& a) { keep(own(a, inside)); },
        [&](const Return&) {
          if (is_process_)
            for (Stmt& e : ended(s.span)) out.push_back(std::move(e));
          keep(Return{});
        },
        [&](const Goto& a) { keep(a); },
        [&](const If& a) {
          keep(If{own(a.condition), images(a.yes), images(a.no)});
        },
        [&](const Loop& a) {
          keep(Loop{images(a.before), own(a.condition), images(a.body)});
        });
  }

  Block load(const Load& a) {
    const Type& from = source_[a.from.variable].type.scalar();
    const Type& to = source_[a.into.variable].type.scalar();
    const Expr value = view(a.from.variable, own(a.from.path));
    Block result;
    if (from.lo < to.lo || from.hi > to.hi)
      if (auto fit = fits(out_.program, value, to)) result.push_back(stmt(Assert{std::move(*fit)}));
    result.push_back(stmt(Assign{own(a.into), value}));
    return result;
  }

  /// Memory is written at once: nothing is pending, so the view is memory.
  Block write_now(const Place& at, const Expr& value) {
    Block result;
    if (auto fit = fits(out_.program, value, source_[at.variable].type.scalar()))
      result.push_back(stmt(Assert{std::move(*fit)}));
    result.push_back(stmt(Store{at, value}));
    result.push_back(stmt(Assign{{view_[at.variable.value], at.path}, value}));
    return result;
  }

  Block compare_and_swap(const Cas& a) {
    const Place at = own(a.at);
    const Expr desired = own(a.desired);
    Block result;
    if (trap_ != Trap::FenceForgotten) result.push_back(stmt(Call{fence_, {}}));
    if (auto fine = is_fine(out_.program, desired)) // also if it does not happen
      result.push_back(stmt(Assert{std::move(*fine)}));
    Block yes = write_now(at, desired), no;
    if (a.into) {
      yes.push_back(stmt(Assign{own(*a.into), Expr::boolean(true)}));
      no.push_back(stmt(Assign{own(*a.into), Expr::boolean(false)}));
    }
    result.push_back(stmt(
        If{equal(view(at.variable, at.path), own(a.expected)), std::move(yes), std::move(no)}));
    return result;
  }

  Block await_and_write(const Arw& a) {
    const Place at = own(a.at);
    Block result{stmt(Call{fence_, {}}),
                 stmt(Assume{equal(view(at.variable, at.path), own(a.expected))})};
    Block write = write_now(at, own(a.desired));
    result.insert(result.end(), write.begin(), write.end());
    return result;
  }

  Bound bound_;
  Trap trap_;
  std::uint32_t slots_;
  bool counts_threads_ = false, has_joins_ = false;
  SharedId last_, threads_;
  LocalId me_, started_;
  std::vector<LocalId> view_, mask_, queue_; ///< by SharedId
  ProcedureId init_thread_, init_round_, is_init_round_, flush_rounds_, fence_;
  std::vector<ProcedureId> update_; ///< by SharedId
  bool is_process_ = false;
};

} // namespace

Translation translate_paper(const Program& source, Bound bound, Trap trap) {
  return Paper(source, bound, trap).run();
}

} // namespace weir::translate
