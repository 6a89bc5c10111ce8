#include "translate/flush.h"

#include "base/match.h"
#include "ir/faults.h"
#include "translate/images.h"

namespace weir::translate {

using namespace ir;

namespace {

class Flush : Images {
public:
  Flush(const Program& source, std::uint32_t k) : Images(source, {Bound::Kind::Age, k}), k_(k) {}

  Translation run() {
    declare();
    declare_copies();
    write_flush_oldest();
    write_flush_points();
    write_fence();
    write_newest();
    write_stores();
    write_images();
    return std::move(out_);
  }

private:
  // ---- declarations -----------------------------------------------------------------------------

  void declare() {
    const Type ahead = Type::range(0, static_cast<Value>(k_));
    out_.r_sc = build_.local("r_SC", ahead); // rounds do not matter here: always 0
    out_.r_tso = build_.local("r_TSO", ahead);
    for (const Shared& x : source_.shared) {
      got_.push_back(build_.local("got_" + x.name, x.type.scalar()));
      if (k_ == 0) continue;
      mask_.push_back(
          build_.local("mask_" + x.name, Type::array(shaped(x.type, Type::boolean()), k_)));
      queue_.push_back(build_.local("queue_" + x.name, Type::array(x.type, k_)));
    }
    visible_ = machinery("visible", Part::Visible);
    flush_oldest_ = machinery("flush_oldest", Part::InitRound);
    flush_points_ = machinery("flush_points", Part::Flush);
    fence_ = machinery("fence_buffer", Part::Other);
    for (const Shared& x : source_.shared) {
      newest_.push_back(machinery("newest_" + x.name, Part::Other));
      store_.push_back(machinery("store_" + x.name, Part::Update));
    }
  }

  // ---- short expressions ------------------------------------------------------------------------

  Expr r_tso() const { return build_.value(out_.r_tso); }
  static std::vector<Expr> in_group(std::uint32_t group, std::vector<Expr> path) {
    path.insert(path.begin(), number(group));
    return path;
  }
  Expr mask(std::uint32_t x, std::uint32_t group, std::vector<Expr> path) const {
    return build_.value(mask_[x], in_group(group, std::move(path)));
  }
  Expr queue(std::uint32_t x, std::uint32_t group, std::vector<Expr> path) const {
    return build_.value(queue_[x], in_group(group, std::move(path)));
  }
  Stmt set_group(LocalId of, std::uint32_t group, const std::vector<Expr>& path, Expr value) const {
    return set(of, std::move(value), in_group(group, path));
  }
  static Expr idle(const Type& scalar) {
    if (scalar.kind == Type::Kind::Bool) return Expr::boolean(false);
    return Expr::constant(scalar.contains(0) ? 0 : scalar.lo);
  }
  /// Parameters for the indices of a variable's cell, as a path.
  std::vector<Expr> index_parameters(ProcedureId of, const Type& type) {
    std::vector<Expr> path;
    for (const Type& index : index_types(type))
      path.push_back(build_.value(build_.parameter(of, "i" + std::to_string(path.size()), index)));
    return path;
  }

  // ---- machinery --------------------------------------------------------------------------------

  /// The oldest group reaches memory, and all others are one flush nearer to it.
  void write_flush_oldest() {
    if (k_ == 0) return; // nothing is ever pending
    Block& body = procedure(flush_oldest_).body;
    for (std::uint32_t x = 0; x < source_.shared.size(); ++x) {
      const Type& type = source_.shared[x].type;
      for (const auto& path : paths(type)) {
        body.push_back(
            stmt(If{mask(x, 0, path), {stmt(Store{{SharedId{x}, path}, queue(x, 0, path)})}, {}}));
        for (std::uint32_t group = 0; group + 1 < k_; ++group) {
          body.push_back(set_group(mask_[x], group, path, mask(x, group + 1, path)));
          body.push_back(set_group(queue_[x], group, path, queue(x, group + 1, path)));
        }
        body.push_back(set_group(mask_[x], k_ - 1, path, Expr::boolean(false)));
        body.push_back(set_group(queue_[x], k_ - 1, path, idle(type.scalar()))); // fewer states
      }
    }
    body.push_back(set(out_.r_tso, r_tso() - number(1)));
  }

  /// Up to k of them: after k nothing is pending any more.
  void write_flush_points() {
    Block body;
    for (std::uint32_t i = 0; i < k_; ++i) {
      Block point{stmt(AtomicBegin{}), stmt(Call{flush_oldest_, {}}), stmt(AtomicEnd{})};
      point.insert(point.end(), body.begin(), body.end());
      body = {
          stmt(If{differ(r_tso(), number(0)), {stmt(If{Expr::any(), std::move(point), {}})}, {}})};
    }
    procedure(flush_points_).body = std::move(body);
  }

  void write_fence() { procedure(fence_).body.push_back(drained({})); }

  Stmt drained(SourceSpan span) const { return stmt(Assume{equal(r_tso(), number(0))}, span); }

  /// What memory holds was read: the thread's own pending stores come before it, the newest first.
  void write_newest() {
    for (std::uint32_t x = 0; x < source_.shared.size(); ++x) {
      const auto path = index_parameters(newest_[x], source_.shared[x].type);
      Block& body = procedure(newest_[x]).body;
      for (std::uint32_t group = 0; group < k_; ++group)
        body.push_back(stmt(If{mask(x, group, path), {set(got_[x], queue(x, group, path))}, {}}));
    }
  }

  void write_stores() {
    for (std::uint32_t x = 0; x < source_.shared.size(); ++x) {
      const Type& type = source_.shared[x].type;
      const ProcedureId id = store_[x];
      const auto path = index_parameters(id, type);
      const Expr g = build_.value(build_.parameter(id, "g", type.scalar()));
      Block write{stmt(Store{{SharedId{x}, path}, g})};
      if (k_ == 0) {
        procedure(id).body = std::move(write);
        continue;
      }
      // How many flushes ahead: not fewer than the store before it, so 0 only if none is pending.
      const LocalId ahead = build_.local("n", out_.program[out_.r_tso].type, id);
      const Expr n = build_.value(ahead);
      for (std::uint32_t group = 0; group < k_; ++group) {
        Block delay{set_group(mask_[x], group, path, Expr::boolean(true)),
                    set_group(queue_[x], group, path, g)};
        const Expr is_here = equal(n, number(group + 1));
        write = {stmt(If{is_here, std::move(delay), std::move(write)})};
      }
      procedure(id).body = {stmt(Havoc{{ahead, {}}}), stmt(Assume{at_least(n, r_tso())}),
                            set(out_.r_tso, n)};
      procedure(id).body.insert(procedure(id).body.end(), write.begin(), write.end());
    }
  }

  // ---- the map of statements --------------------------------------------------------------------

  Block copy_body_of(ProcedureId id, ProcedureId) override { return images(source_[id].body); }

  Block body_of(ProcedureId id) override {
    const Procedure& code = source_[id];
    is_process_ = code.kind != Procedure::Kind::Procedure;
    Block result = images(code.body);
    if (is_process_) result.push_back(drained(code.span)); // only then it has ended, for others
    is_process_ = false;
    return result;
  }

  enum class Leaves : std::uint8_t { NothingPending, PerhapsPending };

  /// The statement's effect, in a section of its own.
  void visible(const Stmt& s, bool inside, Block effect, Block& out,
               Leaves leaves = Leaves::PerhapsPending) {
    for (Stmt& e : effect) e.span = s.span;
    if (!inside) {
      out.push_back(stmt(AtomicBegin{}, s.span));
      out.push_back(stmt(Call{visible_, {}}, s.span));
    }
    out.insert(out.end(), effect.begin(), effect.end());
    if (inside) return;
    out.push_back(stmt(AtomicEnd{}, s.span));
    if (leaves == Leaves::PerhapsPending) flush_here(s.span, out);
  }

  void flush_here(SourceSpan span, Block& out) const {
    if (k_ > 0) out.push_back(stmt(Call{flush_points_, {}}, span));
  }

  void statement(const Stmt& s, bool inside, Block& out) override {
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
        [&](const Store& a) { visible(s, inside, store(a, inside), out); },
        [&](const Cas& a) { visible(s, inside, compare_and_swap(a), out, Leaves::NothingPending); },
        [&](const Arw& a) { visible(s, inside, await_and_write(a), out, Leaves::NothingPending); },
        [&](const Fence&) {
          visible(s, inside, {stmt(Call{fence_, {}})}, out, Leaves::NothingPending);
        },
        [&](const AtomicBegin&) {
          keep(AtomicBegin{});
          keep(Call{visible_, {}});
          keep(Call{fence_, {}});
        },
        [&](const AtomicEnd&) {
          keep(Call{fence_, {}});
          keep(AtomicEnd{});
        },
        [&](const Spawn& a) {
          // Outside the section: C libraries have their own in it, and a later start is the same.
          visible(s, inside, {}, out, Leaves::NothingPending);
          Spawn spawn = a;
          if (spawn.into) spawn.into = own(*spawn.into);
          spawn.arguments = own(spawn.arguments);
          keep(std::move(spawn));
          if (!inside) flush_here(s.span, out);
        },
        [&](const Join& a) { visible(s, inside, {stmt(Join{own(a.thread)})}, out); },
        [&](const Call& a) { keep(own(a, inside)); },
        [&](const Return&) {
          if (is_process_) out.push_back(drained(s.span));
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
    const std::uint32_t x = a.from.variable.value;
    const Type& from = source_[a.from.variable].type.scalar();
    const Type& to = source_[a.into.variable].type.scalar();
    const Place place = own(a.from);
    const Expr value = build_.value(got_[x]);
    Block result{stmt(Load{{got_[x], {}}, place})};
    if (k_ > 0) result.push_back(stmt(Call{newest_[x], place.path}));
    if (from.lo < to.lo || from.hi > to.hi)
      if (auto fit = fits(out_.program, value, to)) result.push_back(stmt(Assert{std::move(*fit)}));
    result.push_back(stmt(Assign{own(a.into), value}));
    return result;
  }

  Block store(const Store& a, bool inside) {
    auto arguments = own(a.to.path);
    arguments.push_back(own(a.value));
    Block result{stmt(Call{store_[a.to.variable.value], std::move(arguments)})};
    if (inside) result.push_back(stmt(Call{fence_, {}})); // the section ends with nothing pending
    return result;
  }

  /// Memory is written at once: nothing is pending.
  Block write_now(const Place& at, const Expr& value) {
    Block result;
    if (auto fit = fits(out_.program, value, source_[at.variable].type.scalar()))
      result.push_back(stmt(Assert{std::move(*fit)}));
    result.push_back(stmt(Store{at, value}));
    return result;
  }

  Block compare_and_swap(const Cas& a) {
    const Place at = own(a.at);
    const LocalId got = got_[at.variable.value];
    const Expr desired = own(a.desired);
    Block result{stmt(Call{fence_, {}}), stmt(Load{{got, {}}, at})};
    if (auto fine = is_fine(out_.program, desired)) // also if it does not happen
      result.push_back(stmt(Assert{std::move(*fine)}));
    Block yes = write_now(at, desired), no;
    if (a.into) {
      yes.push_back(stmt(Assign{own(*a.into), Expr::boolean(true)}));
      no.push_back(stmt(Assign{own(*a.into), Expr::boolean(false)}));
    }
    result.push_back(
        stmt(If{equal(build_.value(got), own(a.expected)), std::move(yes), std::move(no)}));
    return result;
  }

  Block await_and_write(const Arw& a) {
    const Place at = own(a.at);
    const LocalId got = got_[at.variable.value];
    Block result{stmt(Call{fence_, {}}), stmt(Load{{got, {}}, at}),
                 stmt(Assume{equal(build_.value(got), own(a.expected))})};
    Block write = write_now(at, own(a.desired));
    result.insert(result.end(), write.begin(), write.end());
    return result;
  }

  std::uint32_t k_;
  std::vector<LocalId> got_;          ///< by SharedId: what a read of it returned
  std::vector<LocalId> mask_, queue_; ///< by SharedId: its cells in each group, the oldest first
  ProcedureId visible_, flush_oldest_, flush_points_, fence_;
  std::vector<ProcedureId> newest_, store_; ///< by SharedId
  bool is_process_ = false;
};

} // namespace

Translation translate_flush(const Program& source, std::uint32_t k) {
  return Flush(source, k).run();
}

} // namespace weir::translate
