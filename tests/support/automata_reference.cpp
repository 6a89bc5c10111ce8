#include "support/automata_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <deque>
#include <set>
#include <vector>

namespace weir::test {
namespace {

using namespace lower;

struct Configuration {
  std::vector<StateIndex> at;                ///< by thread
  std::vector<std::vector<Becomes>> buffers; ///< by thread, oldest first
  std::vector<std::uint32_t> memory;         ///< by variable
};

bool operator<(const Becomes& a, const Becomes& b) {
  return std::pair(a.variable, a.value) < std::pair(b.variable, b.value);
}

bool operator<(const Configuration& a, const Configuration& b) {
  if (a.at != b.at) return a.at < b.at;
  if (a.memory != b.memory) return a.memory < b.memory;
  return std::lexicographical_compare(
      a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(),
      [](const auto& left, const auto& right) {
        return std::lexicographical_compare(
            left.begin(), left.end(), right.begin(), right.end(),
            [](const Becomes& x, const Becomes& y) { return x < y; });
      });
}

std::vector<Configuration> initial_configurations(const Automata& automata) {
  std::vector<Configuration> all{{{}, {}, {}}};
  all.front().buffers.resize(automata.threads.size());
  const auto extend = [&](auto choices) {
    std::vector<Configuration> longer;
    for (const Configuration& c : all) choices(c, longer);
    all = std::move(longer);
  };
  for (const Automaton& thread : automata.threads)
    extend([&](const Configuration& c, auto& out) {
      for (StateIndex s = 0; s < thread.states; ++s)
        if (thread.initial[s]) out.push_back(c), out.back().at.push_back(s);
    });
  for (const Variable& variable : automata.variables)
    extend([&](const Configuration& c, auto& out) {
      for (std::uint32_t v = 0; v < variable.size(); ++v)
        if (variable.initial[v]) out.push_back(c), out.back().memory.push_back(v);
    });
  return all;
}

/// Whether another thread's section keeps p from doing anything.
bool must_wait(const Automata& automata, const Configuration& c, ThreadIndex p) {
  for (ThreadIndex other = 0; other < c.at.size(); ++other)
    if (other != p && automata.threads[other].holds_section[c.at[other]]) return true;
  return false;
}

std::uint32_t value_seen(const Configuration& c, ThreadIndex p, VariableIndex x) {
  const auto& buffer = c.buffers[p];
  const auto newest = std::find_if(buffer.rbegin(), buffer.rend(),
                                   [&](const Becomes& store) { return store.variable == x; });
  return newest == buffer.rend() ? c.memory[x] : newest->value;
}

/// What a transition between states leads to, if it can happen.
std::optional<Configuration> execute(const Automata& automata, Configuration c, ThreadIndex p,
                                     const Transition& t) {
  if (c.at[p] != t.from || must_wait(automata, c, p)) return std::nullopt;
  if (t.op.kind == Op::Kind::Atomic && !c.buffers[p].empty()) return std::nullopt;
  for (const Among& read : t.op.reads)
    if (!read.values[value_seen(c, p, read.variable)]) return std::nullopt;
  for (const Becomes& write : t.op.writes) {
    if (t.op.kind == Op::Kind::Write)
      c.buffers[p].push_back(write);
    else
      c.memory[write.variable] = write.value;
  }
  c.at[p] = t.to;
  return c;
}

std::optional<Configuration> flush(const Automata& automata, Configuration c, ThreadIndex p) {
  if (c.buffers[p].empty() || must_wait(automata, c, p)) return std::nullopt;
  c.memory[c.buffers[p].front().variable] = c.buffers[p].front().value;
  c.buffers[p].erase(c.buffers[p].begin());
  return c;
}

bool is_in(const Automata& automata, const Target& target, const Configuration& c) {
  for (ThreadIndex p = 0; p < c.at.size(); ++p)
    if (!automata.threads[p].covers(target.at[p], c.at[p])) return false;
  if (target.memory.empty()) return true;
  for (const auto& buffer : c.buffers)
    if (!buffer.empty()) return false;
  return std::all_of(target.memory.begin(), target.memory.end(),
                     [&](const Among& asked) { return asked.values[c.memory[asked.variable]]; });
}

bool is_in_any(const Automata& automata, const Configuration& c) {
  return std::any_of(automata.targets.begin(), automata.targets.end(),
                     [&](const Target& target) { return is_in(automata, target, c); });
}

/// The transitions between states that an event may be: several if it is one into a group.
std::vector<Transition> meanings(const Automaton& thread, std::uint32_t transition) {
  const Transition& t = thread.transitions[transition];
  if (transition < thread.own_transitions) return {t};
  std::vector<Transition> found;
  for (std::uint32_t i = 0; i < thread.own_transitions; ++i) {
    const Transition& own = thread.transitions[i];
    if (own.from == t.from && own.op == t.op && thread.covers(t.to, own.to)) found.push_back(own);
  }
  return found;
}

std::set<Configuration> after_event(const Automata& automata, const std::set<Configuration>& before,
                                    const Event& event) {
  std::set<Configuration> after;
  for (const Configuration& c : before) {
    if (event.transition == Event::flush) {
      if (auto next = flush(automata, c, event.thread)) after.insert(std::move(*next));
      continue;
    }
    for (const Transition& t : meanings(automata.threads[event.thread], event.transition))
      if (auto next = execute(automata, c, event.thread, t)) after.insert(std::move(*next));
  }
  return after;
}

} // namespace

std::optional<Explored> reaches_target(const Automata& automata, std::size_t buffer_bound,
                                       std::size_t most_states) {
  Explored explored;
  std::set<Configuration> seen;
  std::deque<const Configuration*> queue;
  const auto add = [&](Configuration c) {
    const auto [place, is_new] = seen.insert(std::move(c));
    if (!is_new) return;
    queue.push_back(&*place);
    explored.reached = explored.reached || is_in_any(automata, *place);
  };
  for (Configuration& c : initial_configurations(automata)) add(std::move(c));
  while (!queue.empty() && !explored.reached) {
    if (seen.size() > most_states) return std::nullopt;
    const Configuration& c = *queue.front();
    queue.pop_front();
    for (ThreadIndex p = 0; p < automata.threads.size(); ++p) {
      if (auto next = flush(automata, c, p)) add(std::move(*next));
      const Automaton& thread = automata.threads[p];
      for (std::uint32_t i = 0; i < thread.own_transitions; ++i) {
        auto next = execute(automata, c, p, thread.transitions[i]);
        if (!next) continue;
        if (next->buffers[p].size() <= buffer_bound)
          add(std::move(*next));
        else
          explored.is_complete = false;
      }
    }
  }
  return explored;
}

std::string replay(const Automata& automata, const Reached& reached) {
  std::set<Configuration> now;
  for (Configuration& c : initial_configurations(automata)) now.insert(std::move(c));
  for (std::size_t i = 0; i < reached.run.size(); ++i) {
    const Event& event = reached.run[i];
    if (event.thread >= automata.threads.size() ||
        (event.transition != Event::flush &&
         event.transition >= automata.threads[event.thread].transitions.size()))
      return fmt::format("event {} does not exist", i);
    now = after_event(automata, now, event);
    if (now.empty())
      return fmt::format("event {} cannot happen: thread {}, {}", i, event.thread,
                         event.transition == Event::flush
                             ? "flush"
                             : fmt::format("transition {}", event.transition));
  }
  if (reached.target >= automata.targets.size()) return "there is no such target";
  for (const Configuration& c : now)
    if (is_in(automata, automata.targets[reached.target], c)) return "";
  return "the run does not end in its target";
}

} // namespace weir::test
