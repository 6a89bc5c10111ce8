#include "engine/sb/run.h"

#include "base/invariant.h"

#include <algorithm>

namespace weir::engine::sb {
namespace {

using lower::Event;
using lower::Op;

/// A single-buffer configuration, and what has happened at each time so far.
class Forward {
public:
  Forward(const Model& model, const Constraint& first)
      : model_(model), image_(first.length, 0), pointers_(first.places.size(), 0),
        owns_(first.owns.size()) {
    Message initial;
    for (VariableIndex x = 0; x < model.full.size(); ++x) {
      ValueSet values = model.automata.variables[x].initial;
      for (Position i = 0; i < first.length; ++i) values &= model.sets[first.set(i, x)];
      std::uint32_t value = 0;
      while (value + 1 < values.size() && !values[value]) ++value;
      invariant(values[value], "the first constraint of a run should be initial");
      initial.values.push_back(value);
    }
    messages_.push_back(std::move(initial));
  }

  void take(const Constraint& before, Position next_length, const Step& step) {
    const lower::Transition& t = model_.automata.threads[step.thread].transitions[step.transition];
    switch (t.op.kind) {
    case Op::Kind::Nop: happens(step); break;
    case Op::Kind::Read: read(before, t.op, step); break;
    case Op::Kind::Write: write(t.op, step); break;
    case Op::Kind::Atomic: at_once(t.op, step); break;
    }
    follow(next_length, step);
  }

  /// Everything by time; without an entry all stores reach memory.
  std::vector<Event> events(const Seed& seed) const {
    const bool cut = seed.entry && seed.constraint.length > 1;
    const std::size_t end = cut ? image_[0] + 1 : messages_.size();
    std::vector<Event> out;
    for (std::size_t i = 0; i < end; ++i) {
      if (messages_[i].made_by) out.push_back(*messages_[i].made_by);
      out.insert(out.end(), messages_[i].meanwhile.begin(), messages_[i].meanwhile.end());
    }
    for (std::size_t i = end; i < messages_.size(); ++i)
      invariant(messages_[i].meanwhile.empty() && messages_[i].made_by->transition == Event::flush,
                "nothing should happen after the entry");
    if (seed.entry) out.push_back(*seed.entry);
    return out;
  }

private:
  struct Message {
    std::vector<std::uint32_t> values;
    std::optional<Event> made_by; ///< a flush or an Atomic
    std::vector<Event> meanwhile; ///< what happens while this is memory
  };

  std::optional<Position>& own(ThreadIndex p, VariableIndex x) {
    return owns_[p * model_.full.size() + x];
  }

  void happens(const Step& step) {
    messages_[pointers_[step.thread]].meanwhile.push_back({step.thread, step.transition});
  }

  /// Flushes until this message is memory for the thread.
  void move(ThreadIndex p, Position to) {
    pointers_[p] = std::max(pointers_[p], to);
    for (VariableIndex x = 0; x < model_.full.size(); ++x)
      if (own(p, x) && *own(p, x) <= pointers_[p]) own(p, x).reset();
  }

  void read(const Constraint& before, const Op& op, const Step& step) {
    const auto [x, values] = op.reads[0];
    if (!before.own(step.thread, x).is_exact)
      move(step.thread, image_[before.pointers[step.thread]]);
    const Position seen = own(step.thread, x).value_or(pointers_[step.thread]);
    invariant(values[messages_[seen].values[x]], "a read should see one of its values");
    happens(step);
  }

  void write(const Op& op, const Step& step) {
    happens(step);
    append(op, Event{step.thread, Event::flush});
    own(step.thread, op.writes[0].variable) = last();
  }

  void at_once(const Op& op, const Step& step) {
    move(step.thread, last());
    for (const auto& [x, values] : op.reads)
      invariant(values[messages_.back().values[x]], "an Atomic should see one of its values");
    if (op.writes.empty()) return happens(step);
    append(op, Event{step.thread, step.transition});
    move(step.thread, last());
  }

  void append(const Op& op, Event by) {
    Message message{messages_.back().values, by, {}};
    for (const auto& [x, value] : op.writes) message.values[x] = value;
    messages_.push_back(std::move(message));
  }

  Position last() const { return static_cast<Position>(messages_.size() - 1); }

  /// The messages of the next constraint to ours.
  void follow(Position length, const Step& step) {
    std::vector<Position> image(length);
    for (Position i = 0; i < length; ++i) {
      if (step.kind == Step::Kind::Keep || i < step.position)
        image[i] = image_[i];
      else if (step.kind == Step::Kind::Insert)
        image[i] = image_[i + 1];
      else
        image[i] = last();
    }
    image_ = std::move(image);
  }

  const Model& model_;
  std::vector<Message> messages_;
  std::vector<Position> image_; ///< of the messages of the current constraint
  std::vector<Position> pointers_;
  std::vector<std::optional<Position>> owns_; ///< by thread, then variable
};

} // namespace

std::vector<Event> rebuild_run(const Model& model, const std::vector<Link>& chain,
                               const Seed& seed) {
  if (chain.empty()) return Forward(model, seed.constraint).events(seed);
  Forward forward(model, *chain.front().constraint);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const bool is_last = i + 1 == chain.size();
    const Constraint& next = is_last ? seed.constraint : *chain[i + 1].constraint;
    forward.take(*chain[i].constraint, next.length, chain[i].step);
  }
  return forward.events(seed);
}

} // namespace weir::engine::sb
