#include "lower/realise.h"

#include "base/invariant.h"
#include "lower/liveness.h"
#include "semantics/encode.h"
#include "semantics/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_set>

namespace weir::lower {

using namespace ir;
using semantics::State;
using semantics::Thread;

namespace {

constexpr std::size_t most_tried = 200'000;

/// Values of the variables that anyone cares about, as the automata number them.
using Seen = std::vector<std::pair<VariableIndex, std::uint32_t>>;

class Realiser {
public:
  Realiser(const Code& code, const Rules& rules, const Lowered& lowered, const Reached& reached,
           Watch& watch)
      : code_(code), rules_(rules), machine_(code, rules_), lowered_(lowered), reached_(reached),
        watch_(watch), liveness_(code, false), histories_(lowered.unfolding.threads.size()),
        begun_(lowered.unfolding.threads.size()), announced_(lowered.unfolding.threads.size()) {}

  std::variant<Run, GaveUp> run() {
    run_.initial = initial_memory();
    state_ = machine_.start(run_.initial);
    for (Thread& thread : state_.threads) liveness_.forget_dead(thread);
    std::fill_n(begun_.begin(), code_.program->threads.size(), true);
    set_out();
    for (const Event& event : reached_.run) {
      if (fault_ || gave_up_) break;
      if (event.transition == Event::flush)
        flush(event.thread);
      else
        follow(event.thread, lowered_.automata.threads[event.thread].transitions[event.transition]);
    }
    if (gave_up_) return *gave_up_;
    if (!fault_ && !machine_.violation(state_)) flush_rest();
    return conclude();
  }

private:
  /// The search of one thread for the place where a step of its automaton leads.
  struct Node {
    State state;
    std::vector<std::uint32_t> history;
    bool begun = false, announced = false;
    std::optional<FaultAt> fault{};
    std::size_t parent = 0;
    std::vector<Step> steps{}; ///< that led here
  };

  // ---- the beginning --------------------------------------------------------------------------

  /// Initial values that allow every read of the run which finds a variable not yet written.
  std::vector<Value> initial_memory() const {
    const Automata& automata = lowered_.automata;
    std::vector<ValueSet> initial;
    for (const Variable& variable : automata.variables) initial.push_back(variable.initial);
    std::vector<bool> written(initial.size());
    std::vector<std::deque<VariableIndex>> pending(automata.threads.size());
    for (const Event& event : reached_.run) {
      auto& buffer = pending[event.thread];
      if (event.transition == Event::flush) {
        invariant(!buffer.empty(), "a flush should have something to flush");
        written[buffer.front()] = true;
        buffer.pop_front();
        continue;
      }
      const lower::Op& op = automata.threads[event.thread].transitions[event.transition].op;
      for (const Among& read : op.reads)
        if (!written[read.variable] &&
            std::find(buffer.begin(), buffer.end(), read.variable) == buffer.end())
          initial[read.variable] &= read.values;
      for (const Becomes& write : op.writes) {
        if (op.kind == lower::Op::Kind::Write)
          buffer.push_back(write.variable);
        else
          written[write.variable] = true;
      }
    }
    for (const Among& memory : automata.targets[reached_.target].memory)
      if (!written[memory.variable]) initial[memory.variable] &= memory.values;

    std::vector<Value> result;
    for (VariableIndex v = 0; v < code_.layout.cell_count(); ++v) {
      const UnfoldedVariable& variable = lowered_.unfolding.variables[v];
      const auto seen = lowered_.variable_of[v];
      const auto fits =
          std::find_if(variable.initial.begin(), variable.initial.end(), [&](std::uint32_t value) {
            return !seen || initial[*seen][lowered_.shrunk.variables[v].class_of[value]];
          });
      invariant(fits != variable.initial.end(), "a run should have an initial memory");
      result.push_back(variable.values[*fits]);
    }
    return result;
  }

  /// A thread without a step in the automata may need local ones to be where the target wants it:
  /// now, because later somebody may be in a section.
  void set_out() {
    const Target& target = lowered_.automata.targets[reached_.target];
    for (ThreadIndex t = 0; t < target.at.size() && !fault_ && !gave_up_; ++t) {
      const bool moves = std::any_of(reached_.run.begin(), reached_.run.end(),
                                     [&](const Event& event) { return event.thread == t; });
      if (!moves && target.at[t] < lowered_.automata.threads[t].states)
        follow(t, {target.at[t], target.at[t], {}});
    }
  }

  // ---- where things are -----------------------------------------------------------------------

  std::optional<std::pair<VariableIndex, std::uint32_t>> seen(Cell cell, Value value) const {
    const auto variable = lowered_.variable_of[cell.value];
    if (!variable) return std::nullopt;
    const UnfoldedVariable& unfolded = lowered_.unfolding.variables[cell.value];
    const auto index = unfolded.index.find(value);
    invariant(index != unfolded.index.end(), "memory should hold a value that was foreseen");
    return std::pair(*variable, lowered_.shrunk.variables[cell.value].class_of[index->second]);
  }

  Seen memory(const State& state) const {
    Seen result;
    for (std::uint32_t c = 0; c < state.memory.size(); ++c)
      if (const auto one = seen(Cell{c}, state.memory[c])) result.push_back(*one);
    return result;
  }

  Seen buffer(const State& state, ThreadIndex t) const {
    Seen result;
    if (t < state.threads.size())
      for (const semantics::Pending& pending : state.threads[t].buffer)
        if (const auto one = seen(pending.cell, pending.value)) result.push_back(*one);
    return result;
  }

  /// The state of the automaton that the thread is in, if it is in one.
  std::optional<StateIndex> place(ThreadIndex t, const Node& node) const {
    using Kind = Location::Kind;
    Location location{Kind::Running, "", node.history};
    if (!node.begun) {
      location.kind = Kind::Unborn;
    } else if (node.fault) {
      location.kind = Kind::Failed;
    } else {
      Thread thread = node.state.threads[t];
      thread.buffer.clear();
      location.key = semantics::encode(thread);
      if (node.announced) location.kind = Kind::Announced;
      if (node.state.section == t) location.kind = Kind::InSection;
    }
    const auto number = lowered_.unfolding.threads[t].find(location);
    return number ? lowered_.shrunk.threads[t].state_of[*number] : std::nullopt;
  }

  bool is_at(ThreadIndex t, const Node& node, StateIndex goal) const {
    const auto at = place(t, node);
    return at && lowered_.automata.threads[t].covers(goal, *at);
  }

  // ---- one step of the automata ---------------------------------------------------------------

  void flush(ThreadIndex t) {
    for (bool done = false; !done;) {
      invariant(!state_.threads[t].buffer.empty(), "a flush should have something to flush");
      done = lowered_.variable_of[state_.threads[t].buffer.front().cell.value].has_value();
      take({t, Step::Kind::Flush, 0, state_.threads[t].buffer.front().cell});
    }
  }

  void take(const Step& step) {
    for (semantics::Transition& next : machine_.transitions(state_, step.thread))
      if (next.step == step) {
        state_ = std::move(next.after);
        run_.steps.push_back(step);
        return;
      }
    invariant(false, "a step of a realised run should be possible");
  }

  void follow(ThreadIndex t, const lower::Transition& transition) {
    const lower::Op& op = transition.op;
    const bool is_atomic = op.kind == lower::Op::Kind::Atomic;
    Seen goal_memory = memory(state_), goal_buffer = buffer(state_, t);
    for (const Becomes& write : op.writes) {
      if (!is_atomic) goal_buffer.emplace_back(write.variable, write.value);
      for (auto& [variable, value] : goal_memory)
        if (is_atomic && variable == write.variable) value = write.value;
    }
    // Once something has gone wrong, nothing else matters.
    const auto has_done = [&](const Node& node) {
      const bool is_drained = !is_atomic || !node.begun || node.state.threads[t].buffer.empty();
      return is_drained && (node.announced || !sets(op, UnfoldedVariable::Kind::Ended)) &&
             (node.begun || !sets(op, UnfoldedVariable::Kind::Begun)) &&
             memory(node.state) == goal_memory && buffer(node.state, t) == goal_buffer;
    };
    std::vector<Node> nodes{{state_, histories_[t], begun_[t], announced_[t]}};
    if (nodes.front().begun && t < state_.threads.size()) drop_unseen(t, nodes.front());
    std::unordered_set<std::string> known{key(t, nodes.front())};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes.size() >= most_tried || watch_.is_over()) {
        gave_up_ = GaveUp{"a violation was found, but to follow its run through the program is too "
                          "hard"};
        if (watch_.reason()) gave_up_->reason += ": " + *watch_.reason();
        return;
      }
      if (is_at(t, nodes[i], transition.to) && (nodes[i].fault || has_done(nodes[i])))
        return accept(t, nodes, i);
      for (Node& next : successors(t, nodes[i], is_atomic)) {
        const Seen pending = buffer(next.state, t);
        const bool fits = pending.size() <= goal_buffer.size() &&
                          std::equal(pending.begin(), pending.end(), goal_buffer.begin());
        if ((!is_atomic && !fits) || !known.insert(key(t, next)).second) continue;
        next.parent = i;
        nodes.push_back(std::move(next));
      }
    }
    invariant(false, fmt::format("{} should be able to take a step of its automaton",
                                 lowered_.automata.threads[t].name));
  }

  /// Whether the step sets a flag of this kind.
  bool sets(const lower::Op& op, UnfoldedVariable::Kind kind) const {
    return std::any_of(op.writes.begin(), op.writes.end(), [&](const Becomes& write) {
      for (VariableIndex v = 0; v < lowered_.variable_of.size(); ++v)
        if (lowered_.variable_of[v] == write.variable)
          return lowered_.unfolding.variables[v].kind == kind;
      return false;
    });
  }

  /// What matters of a node: stores that nobody can see do not.
  std::string key(ThreadIndex t, const Node& node) const {
    std::string result{node.begun ? 'b' : '-', node.announced ? 'a' : '-', node.fault ? 'f' : '-',
                       node.state.section ? 's' : '-'};
    if (t < node.state.threads.size()) {
      Thread thread = node.state.threads[t];
      thread.buffer.clear();
      result += semantics::encode(thread);
    }
    for (const Seen& all : {memory(node.state), buffer(node.state, t)}) {
      semantics::put(result, static_cast<Value>(all.size()));
      for (const auto& [variable, value] : all) {
        semantics::put(result, variable);
        semantics::put(result, value);
      }
    }
    semantics::put(result, static_cast<Value>(node.history.size()));
    return result;
  }

  /// What the thread alone can do next. Stores that someone could see leave its buffer only on the
  /// way through an atomic step; others at once.
  std::vector<Node> successors(ThreadIndex t, const Node& node, bool may_flush) const {
    std::vector<Node> result;
    if (node.fault) return result;
    if (!node.begun) {
      if (t < node.state.threads.size()) {
        Node next = node;
        next.begun = true;
        next.history = {alternative(t, node.state)};
        next.steps.clear();
        result.push_back(std::move(next));
      }
      return result;
    }
    const Thread& thread = node.state.threads[t];
    if (thread.ended && thread.buffer.empty() && !node.announced) {
      Node next = node;
      next.announced = true;
      next.steps.clear();
      result.push_back(std::move(next));
    }
    for (semantics::Transition& transition : machine_.transitions(node.state, t)) {
      if (transition.step.kind == Step::Kind::Flush && !may_flush) continue;
      Node next{std::move(transition.after), node.history, true, node.announced};
      // Always, as in unfolding: what is dead here may count as alive inside a call.
      for (Thread& one : next.state.threads) liveness_.forget_dead(one);
      if (transition.effect.fault) {
        if (semantics::is_limit(*transition.effect.fault)) continue;
        next.fault = FaultAt{*transition.effect.fault, t, transition.span};
      } else if (transition.effect.spawned) {
        const auto child = static_cast<ThreadIndex>(next.state.threads.size() - 1);
        if (child >= lowered_.unfolding.threads.size()) continue;
        next.history.push_back(alternative(child, next.state));
      }
      next.steps.push_back(transition.step);
      if (!next.fault) drop_unseen(t, next);
      result.push_back(std::move(next));
    }
    return result;
  }

  /// Stores that nobody can see leave the buffer as soon as they are the oldest.
  void drop_unseen(ThreadIndex t, Node& node) const {
    const auto is_unseen = [&] {
      const auto& buffer = node.state.threads[t].buffer;
      return !buffer.empty() && !lowered_.variable_of[buffer.front().cell.value].has_value();
    };
    while (is_unseen()) {
      const auto next = machine_.transitions(node.state, t);
      if (next.empty() || next.front().step.kind != Step::Kind::Flush) return;
      node.steps.push_back(next.front().step);
      node.state = next.front().after;
    }
  }

  std::uint32_t alternative(ThreadIndex t, const State& state) const {
    const auto& all = lowered_.unfolding.threads[t].alternatives;
    const Alternative wanted{state.threads[t].process, state.threads[t].arguments};
    return static_cast<std::uint32_t>(std::find(all.begin(), all.end(), wanted) - all.begin());
  }

  void accept(ThreadIndex t, const std::vector<Node>& nodes, std::size_t at) {
    const Node& last = nodes[at];
    state_ = last.state;
    histories_[t] = last.history;
    begun_[t] = last.begun;
    announced_[t] = last.announced;
    fault_ = last.fault;
    std::vector<Step> steps;
    for (;; at = nodes[at].parent) {
      steps.insert(steps.end(), nodes[at].steps.rbegin(), nodes[at].steps.rend());
      if (at == 0) break;
    }
    run_.steps.insert(run_.steps.end(), steps.rbegin(), steps.rend());
  }

  // ---- the end --------------------------------------------------------------------------------

  /// What nobody looked at may still be pending.
  void flush_rest() {
    for (ThreadIndex t = 0; t < state_.threads.size(); ++t)
      while (!state_.threads[t].buffer.empty())
        take({t, Step::Kind::Flush, 0, state_.threads[t].buffer.front().cell});
  }

  Run conclude() {
    if (fault_) {
      run_.violation = *fault_;
    } else {
      const auto violation = machine_.violation(state_);
      invariant(violation.has_value(), "a realised run should end in a violation");
      run_.violation = *violation;
    }
    const auto played = semantics::replay(machine_, run_);
    const auto* derailed = std::get_if<semantics::Derailed>(&played);
    invariant(!derailed, derailed ? "a realised run should replay: " + derailed->reason : "");
    return std::move(run_);
  }

  const Code& code_;
  Rules rules_;
  semantics::Machine machine_;
  const Lowered& lowered_;
  const Reached& reached_;
  Watch& watch_;
  Liveness liveness_;
  std::vector<std::vector<std::uint32_t>> histories_; ///< by thread
  std::vector<bool> begun_, announced_;               ///< by thread
  State state_;
  std::optional<FaultAt> fault_;
  std::optional<GaveUp> gave_up_;
  Run run_;
};

} // namespace

std::variant<Run, GaveUp> realise(const Code& code, const Rules& rules, const Lowered& lowered,
                                  const Reached& reached, Watch& watch) {
  return Realiser(code, rules, lowered, reached, watch).run();
}

} // namespace weir::lower
