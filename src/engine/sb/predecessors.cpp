#include "engine/sb/predecessors.h"

#include <algorithm>

namespace weir::engine::sb {
namespace {

using lower::Op;

/// The predecessors of one constraint by one transition.
class Backward {
public:
  Backward(Model& model, const Constraint& after, ThreadIndex thread, std::uint32_t transition,
           std::vector<Predecessor>& out)
      : model_(model), after_(after), p_(thread), transition_(transition),
        t_(model.automata.threads[thread].transitions[transition]), out_(out) {}

  void run() {
    switch (t_.op.kind) {
    case Op::Kind::Nop: return emit(after_, Step::Kind::Keep, 0);
    case Op::Kind::Read: return read();
    case Op::Kind::Write: return write();
    case Op::Kind::Atomic: return t_.op.writes.empty() ? wait_for_all() : write_at_once();
    }
  }

private:
  void read() {
    const Own own = after_.own(p_, variable());
    if (own.is_exact) return read_known_store(own.position);
    read_memory();
    read_some_store(own.position);
  }

  void read_known_store(Position i) {
    Constraint before = after_;
    Sets::Id& set = before.set(i, variable());
    set = model_.sets.intersection(set, read_set());
    emit(std::move(before), Step::Kind::Keep, 0);
  }

  // The thread sees a message at or left of where its pointer has to get to, and goes on from there.
  // (Results that another one includes are left out.)
  void read_memory() {
    const VariableIndex x = variable();
    const Position pointer = after_.pointers[p_];
    if (model_.sets.is_subset(after_.set(pointer, x), read_set())) {
      Constraint before = after_;
      before.own(p_, x) = {pointer, false};
      return emit(std::move(before), Step::Kind::Keep, 0);
    }
    for (Position i = pointer + 1; i-- > 0;) {
      Constraint before = after_;
      before.insert(i, read_message());
      before.pointers[p_] = i;
      before.own(p_, x) = {i, false};
      emit(std::move(before), Step::Kind::Insert, i);
      if (i > 0 && model_.sets.is_subset(after_.set(i - 1, x), read_set())) return;
    }
  }

  // The store is right of where the pointer has to get to; those left of it are no different from
  // memory there.
  void read_some_store(Position most) {
    for (Position i = after_.pointers[p_] + 1; i <= most; ++i) {
      Constraint before = after_;
      before.insert(i, read_message());
      before.own(p_, variable()) = {i, true};
      emit(std::move(before), Step::Kind::Insert, i);
    }
  }

  // The new message is the last one, and the messages of `after` from some position on are mapped
  // to it. No pointer is on it yet and it is nobody else's.
  void write() {
    const VariableIndex x = t_.op.writes[0].variable;
    const Own own = after_.own(p_, x);
    append(own.position, [&](Constraint& before, Position i) { before.own(p_, x) = {i, false}; });
  }

  // The same, but the thread's pointer is on the new message, so it has no pending stores.
  void write_at_once() {
    if (after_.has_exact_own(p_)) return;
    append(after_.pointers[p_], [](Constraint&, Position) {});
  }

  template <class Adjust> void append(Position most, Adjust adjust) {
    std::vector<Sets::Id> message = model_.full;
    for (Position i = after_.length; i-- > 0;) {
      if (!can_be_new(i) || !meet_unwritten(message, i)) return;
      if (i > most) continue;
      std::vector<Sets::Id> last = message;
      if (!meet_reads(last)) continue;
      Constraint before = after_;
      before.fold(i, last);
      adjust(before, i);
      emit(std::move(before), Step::Kind::Append, i);
    }
  }

  bool can_be_new(Position i) const {
    for (const lower::Becomes& write : t_.op.writes)
      if (!model_.sets[after_.set(i, write.variable)][write.value]) return false;
    for (ThreadIndex p = 0; p < after_.places.size(); ++p)
      for (VariableIndex x = 0; x < after_.variables; ++x) {
        const Own& own = after_.own(p, x);
        const bool is_this =
            t_.op.kind == Op::Kind::Write && p == p_ && x == t_.op.writes[0].variable;
        if (own.is_exact && own.position == i && !is_this) return false;
      }
    return true;
  }

  bool writes(VariableIndex x) const {
    return std::any_of(t_.op.writes.begin(), t_.op.writes.end(),
                       [&](const lower::Becomes& write) { return write.variable == x; });
  }

  /// What is not written has the same value before.
  bool meet_unwritten(std::vector<Sets::Id>& message, Position i) {
    for (VariableIndex x = 0; x < after_.variables; ++x) {
      if (writes(x)) continue;
      message[x] = model_.sets.intersection(message[x], after_.set(i, x));
      if (message[x] == Sets::empty) return false;
    }
    return true;
  }

  bool meet_reads(std::vector<Sets::Id>& message) {
    for (const lower::Among& read : t_.op.reads) {
      Sets::Id& set = message[read.variable];
      set = model_.sets.intersection(set, model_.sets.id(read.values));
      if (set == Sets::empty) return false;
    }
    return true;
  }

  // The pointer is on the last message and nothing is made: all messages from where the pointer has
  // to get to are mapped to that one, which is the store of at most one thread.
  void wait_for_all() {
    if (after_.has_exact_own(p_)) return;
    const Position pointer = after_.pointers[p_];
    if (std::count_if(after_.owns.begin(), after_.owns.end(),
                      [&](const Own& own) { return own.is_exact && own.position >= pointer; }) > 1)
      return;
    std::vector<Sets::Id> message = model_.full;
    for (Position i = pointer; i < after_.length; ++i)
      if (!meet_unwritten(message, i)) return;
    if (!meet_reads(message)) return;
    Constraint before = after_;
    before.fold(pointer, message);
    emit(std::move(before), Step::Kind::Fold, pointer);
  }

  VariableIndex variable() const { return t_.op.reads[0].variable; }
  Sets::Id read_set() {
    return model_.sets.intersection(model_.full[variable()], model_.sets.id(t_.op.reads[0].values));
  }
  std::vector<Sets::Id> read_message() {
    std::vector<Sets::Id> message = model_.full;
    message[variable()] = read_set();
    return message;
  }

  /// Cuts the thread's pending stores to what they can be, and drops what nothing satisfies.
  void emit(Constraint before, Step::Kind kind, Position position) {
    before.places[p_] = t_.from;
    for (VariableIndex x = 0; x < before.variables; ++x) {
      const Own& own = before.own(p_, x);
      if (!own.is_exact) continue;
      Sets::Id& set = before.set(own.position, x);
      set = model_.sets.intersection(set, model_.sets.id(model_.pending(p_, t_.from, x)));
      if (set == Sets::empty) return;
    }
    out_.push_back({std::move(before), {kind, position, p_, transition_}});
  }

  Model& model_;
  const Constraint& after_;
  ThreadIndex p_;
  std::uint32_t transition_;
  const lower::Transition& t_;
  std::vector<Predecessor>& out_;
};

} // namespace

void find_predecessors(Model& model, const Constraint& after, std::vector<Predecessor>& out) {
  for (ThreadIndex p = 0; p < after.places.size(); ++p)
    for (const std::uint32_t t : model.into(p, after.places[p]))
      Backward(model, after, p, t, out).run();
}

} // namespace weir::engine::sb
