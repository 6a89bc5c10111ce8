#include "support/random_automata.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace weir::test {
namespace {

using namespace lower;

class Generator {
public:
  Generator(std::uint64_t seed, const RandomAutomataOptions& options)
      : options_(options), random_(seed * 0x9E3779B97F4A7C15u + 1) {}

  Automata run() {
    const std::uint32_t variables = between(1, options_.most_variables);
    for (std::uint32_t x = 0; x < variables; ++x) out_.variables.push_back(variable(x));
    loops_ = chance(options_.loops);
    const std::uint32_t threads = between(2, chance(70) ? 2 : options_.most_threads);
    for (std::uint32_t p = 0; p < threads; ++p) out_.threads.push_back(thread(p));
    const std::uint32_t targets = chance(75) ? 1 : 2;
    for (std::uint32_t i = 0; i < targets; ++i) out_.targets.push_back(target());
    return std::move(out_);
  }

private:
  // (Distributions of the standard library differ between implementations.)
  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + static_cast<std::uint32_t>(random_() % (most - least + 1));
  }
  bool chance(std::uint32_t percent) { return random_() % 100 < percent; }

  Variable variable(std::uint32_t x) {
    Variable out{std::string(1, "xyzuvw"[x % 6]), {}, {}};
    const std::uint32_t size = between(2, options_.most_values);
    for (std::uint32_t v = 0; v < size; ++v) out.values.push_back(fmt::format("{}", v));
    out.initial.set(chance(80) ? 0 : between(0, size - 1));
    if (chance(15)) out.initial.set(between(0, size - 1));
    return out;
  }

  VariableIndex some_variable() {
    return between(0, static_cast<std::uint32_t>(out_.variables.size()) - 1);
  }
  std::uint32_t some_value(VariableIndex x) { return between(0, out_.variables[x].size() - 1); }
  ValueSet some_values(VariableIndex x) {
    ValueSet values;
    values.set(some_value(x));
    if (chance(20)) values.set(some_value(x));
    return values;
  }

  Op atomic() {
    Op op{Op::Kind::Atomic, {}, {}};
    const std::uint32_t kind = between(0, 9);
    if (kind < 3) return op; // a fence
    const VariableIndex one = some_variable();
    if (kind < 7) { // a locked instruction
      op.reads.push_back({one, chance(60) ? some_values(one) : out_.variables[one].all()});
      op.writes.push_back({one, some_value(one)});
      return op;
    }
    for (VariableIndex x = 0; x < out_.variables.size(); ++x) {
      if (chance(45)) op.reads.push_back({x, some_values(x)});
      if (chance(45)) op.writes.push_back({x, some_value(x)});
    }
    return op;
  }

  Op some_op() {
    const std::uint32_t kind = between(0, 99);
    const VariableIndex x = some_variable();
    if (kind < 4) return {};
    if (kind < 50) return read(x);
    if (kind >= 88) return atomic();
    written_.push_back({x, some_value(x)});
    return {Op::Kind::Write, {}, {written_.back()}};
  }

  Op read(VariableIndex x) {
    ValueSet values = some_values(x);
    if (!written_.empty() && chance(options_.own_reads)) {
      const Becomes& own = written_[between(0, static_cast<std::uint32_t>(written_.size()) - 1)];
      x = own.variable;
      values.reset();
      values.set(own.value);
      if (chance(15)) values.set(some_value(x));
    }
    return {Op::Kind::Read, {{x, values}}, {}};
  }

  Automaton thread(std::uint32_t p) {
    Automaton out;
    out.name = fmt::format("t{}", p);
    written_.clear();
    out.states = between(3, options_.most_states);
    out.initial.assign(out.states, false);
    out.holds_section.assign(out.states, false);
    out.initial[0] = true;
    if (chance(8)) out.initial[between(0, out.states - 1)] = true;
    for (StateIndex s = 0; s + 1 < out.states; ++s)
      out.transitions.push_back({s, s + 1, some_op()});
    const std::uint32_t extra = between(0, loops_ ? out.states : 1);
    for (std::uint32_t i = 0; i < extra; ++i) {
      const StateIndex from = between(0, out.states - 2);
      const StateIndex to = loops_ ? between(0, out.states - 1) : between(from + 1, out.states - 1);
      out.transitions.push_back({from, to, some_op()});
    }
    if (chance(options_.sections)) add_section(out);
    out.own_transitions = static_cast<std::uint32_t>(out.transitions.size());
    if (chance(options_.groups)) add_groups(out);
    return out;
  }

  void add_section(Automaton& thread) {
    const StateIndex inside = thread.states++;
    thread.initial.push_back(false);
    thread.holds_section.push_back(true);
    const std::uint32_t ways = between(1, 2);
    for (std::uint32_t i = 0; i < ways; ++i)
      thread.transitions.push_back({between(0, inside - 1), inside, atomic()});
  }

  void add_groups(Automaton& thread) {
    const std::uint32_t count = between(1, 2);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::vector<bool> members(thread.states);
      members[between(0, thread.states - 1)] = true;
      if (chance(30)) members[between(0, thread.states - 1)] = true;
      if (chance(15)) members.assign(thread.states, true);
      add_group(thread, std::move(members));
    }
  }

  StateIndex some_goal(const Automaton& thread) {
    const bool has_groups = !thread.groups.empty();
    if (has_groups && chance(70)) return between(thread.states, thread.size() - 1);
    if (chance(60)) return thread.states - 1;
    return between(0, thread.states - 1);
  }

  Target target() {
    Target out;
    bool is_in_section = false;
    for (const Automaton& thread : out_.threads) {
      out.at.push_back(some_goal(thread));
      is_in_section = is_in_section || thread.holds_section[out.at.back()];
    }
    if (is_in_section || !chance(options_.memory)) return out;
    for (VariableIndex x = 0; x < out_.variables.size(); ++x)
      if (chance(60)) out.memory.push_back({x, some_values(x)});
    return out;
  }

  RandomAutomataOptions options_;
  std::mt19937_64 random_;
  Automata out_;
  bool loops_ = false;
  std::vector<Becomes> written_; ///< by the thread that is being made
};

/// Runs threads at random and writes down what they do.
class Recorder {
public:
  Recorder(std::uint64_t seed, const RandomRunOptions& options)
      : options_(options), random_(seed * 0x9E3779B97F4A7C15u + 2) {}

  Automata run() {
    set_up();
    const std::uint32_t steps = between(6, options_.most_steps);
    for (std::uint32_t i = 0; i < steps; ++i) step();
    if (chance(options_.changed)) change_a_read();
    for (Automaton& thread : out_.threads) {
      thread.states = static_cast<std::uint32_t>(thread.transitions.size()) + 1;
      thread.own_transitions = thread.states - 1;
      thread.initial.assign(thread.states, false);
      thread.initial[0] = true;
      thread.holds_section.assign(thread.states, false);
      out_.targets[0].at.push_back(thread.states - 1);
    }
    return std::move(out_);
  }

private:
  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + static_cast<std::uint32_t>(random_() % (most - least + 1));
  }
  bool chance(std::uint32_t percent) { return random_() % 100 < percent; }

  void set_up() {
    const std::uint32_t variables = between(1, options_.most_variables);
    const std::uint32_t size = between(2, options_.most_values);
    for (std::uint32_t x = 0; x < variables; ++x) {
      Variable variable{std::string(1, "xyzuvw"[x % 6]), {}, {}};
      for (std::uint32_t v = 0; v < size; ++v) variable.values.push_back(fmt::format("{}", v));
      variable.initial.set(0);
      out_.variables.push_back(std::move(variable));
    }
    memory_.assign(variables, 0);
    out_.threads.resize(between(2, options_.most_threads));
    for (std::size_t p = 0; p < out_.threads.size(); ++p)
      out_.threads[p].name = fmt::format("t{}", p);
    buffers_.resize(out_.threads.size());
    out_.targets.emplace_back();
  }

  void step() {
    const std::uint32_t p = between(0, static_cast<std::uint32_t>(buffers_.size()) - 1);
    const VariableIndex x = between(0, static_cast<std::uint32_t>(memory_.size()) - 1);
    auto& buffer = buffers_[p];
    const std::uint32_t kind = between(0, 99);
    if (kind < 25 && !buffer.empty()) {
      memory_[buffer.front().variable] = buffer.front().value;
      buffer.erase(buffer.begin());
    } else if (kind < 60) {
      record(p, {Op::Kind::Read, {{x, around(seen(p, x), x)}}, {}});
    } else if (kind < 90 || !buffer.empty()) {
      buffer.push_back({x, between(0, out_.variables[x].size() - 1)});
      record(p, {Op::Kind::Write, {}, {buffer.back()}});
    } else {
      at_once(p, x);
    }
  }

  void at_once(std::uint32_t p, VariableIndex x) {
    Op op{Op::Kind::Atomic, {}, {}};
    if (chance(40)) op.reads.push_back({x, around(memory_[x], x)});
    if (chance(40)) {
      op.writes.push_back({x, between(0, out_.variables[x].size() - 1)});
      memory_[x] = op.writes[0].value;
    }
    record(p, std::move(op));
  }

  std::uint32_t seen(std::uint32_t p, VariableIndex x) const {
    std::uint32_t value = memory_[x];
    for (const Becomes& store : buffers_[p])
      if (store.variable == x) value = store.value;
    return value;
  }

  ValueSet around(std::uint32_t value, VariableIndex x) {
    ValueSet values;
    values.set(value);
    if (chance(20)) values.set(between(0, out_.variables[x].size() - 1));
    return values;
  }

  void record(std::uint32_t p, Op op) {
    auto& transitions = out_.threads[p].transitions;
    const auto from = static_cast<StateIndex>(transitions.size());
    transitions.push_back({from, from + 1, std::move(op)});
  }

  void change_a_read() {
    Automaton& thread = out_.threads[between(0, static_cast<std::uint32_t>(buffers_.size()) - 1)];
    if (thread.transitions.empty()) return;
    const auto last = static_cast<std::uint32_t>(thread.transitions.size()) - 1;
    Op& op = thread.transitions[between(0, last)].op;
    if (op.reads.empty()) return;
    op.reads[0].values = around(between(0, out_.variables[0].size() - 1), op.reads[0].variable);
  }

  RandomRunOptions options_;
  std::mt19937_64 random_;
  Automata out_;
  std::vector<std::uint32_t> memory_;
  std::vector<std::vector<Becomes>> buffers_; ///< by thread, oldest first
};

void close(const Automaton& automaton, std::vector<bool>& members) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < automaton.own_transitions; ++i) {
      const Transition& t = automaton.transitions[i];
      if (!members[t.from] || members[t.to]) continue;
      members[t.to] = true;
      changed = true;
    }
  }
}

} // namespace

void add_group(Automaton& automaton, std::vector<bool> members) {
  close(automaton, members);
  const StateIndex number = automaton.size();
  bool initial = false;
  for (StateIndex s = 0; s < automaton.states; ++s) {
    if (automaton.holds_section[s]) members[s] = false;
    initial = initial || (members[s] && automaton.initial[s]);
  }
  for (std::uint32_t i = 0; i < automaton.own_transitions; ++i) {
    const Transition t = automaton.transitions[i];
    if (members[t.to] && (!members[t.from] || !t.op.writes.empty()))
      automaton.transitions.push_back({t.from, number, t.op});
  }
  automaton.groups.push_back(std::move(members));
  automaton.initial.push_back(initial);
  automaton.holds_section.push_back(false);
}

Automata automata_of_random_run(std::uint64_t seed, const RandomRunOptions& options) {
  return Recorder(seed, options).run();
}

Automata random_automata(std::uint64_t seed, const RandomAutomataOptions& options) {
  return Generator(seed, options).run();
}

} // namespace weir::test
