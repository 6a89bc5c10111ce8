#include "support/eager_dual.h"

#include "base/invariant.h"
#include "certify/eager.h"
#include "certify/invariants.h"

#include <algorithm>
#include <deque>
#include <random>
#include <set>
#include <sstream>

namespace weir::test {
namespace {

using lower::Automata;
using lower::Automaton;
using lower::Op;
using lower::StateIndex;
using lower::Transition;
using lower::ValueSet;
using lower::VariableIndex;

// Text

std::vector<std::string> words(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);)
    if (!word.empty()) out.push_back(word);
  return out;
}

VariableIndex variable(const Automata& a, const std::string& name) {
  const auto found = std::ranges::find(a.variables, name, &lower::Variable::name);
  invariant(found != a.variables.end(), "a variable should be declared");
  return static_cast<VariableIndex>(found - a.variables.begin());
}

std::uint32_t value(const Automata& a, VariableIndex x, const std::string& name) {
  const auto& values = a.variables[x].values;
  const auto found = std::ranges::find(values, name);
  invariant(found != values.end(), "a value should be declared");
  return static_cast<std::uint32_t>(found - values.begin());
}

ValueSet values(const Automata& a, VariableIndex x, const std::string& names) {
  ValueSet set;
  for (const std::string& name : words(names, ',')) set.set(value(a, x, name));
  return set;
}

lower::Among among(const Automata& a, const std::string& name, const std::string& set) {
  const auto x = variable(a, name);
  return {x, values(a, x, set)};
}

lower::Becomes becomes(const Automata& a, const std::string& name, const std::string& to) {
  const auto x = variable(a, name);
  return {x, value(a, x, to)};
}

Op operation(const Automata& a, const std::vector<std::string>& line) {
  const std::string& what = line[1];
  if (what == "n") return {};
  if (what == "r") return {Op::Kind::Read, {among(a, line[2], line[3])}, {}};
  if (what == "w") return {Op::Kind::Write, {}, {becomes(a, line[2], line[3])}};
  Op op{Op::Kind::Atomic, {}, {}};
  for (std::size_t i = 2; what == "a" && i + 1 < line.size(); ++i) {
    const auto sign = line[i].find('=');
    if (line[i][sign - 1] == ':')
      op.writes.push_back(becomes(a, line[i].substr(0, sign - 1), line[i].substr(sign + 1)));
    else
      op.reads.push_back(among(a, line[i].substr(0, sign), line[i].substr(sign + 1)));
  }
  std::ranges::sort(op.reads, {}, &lower::Among::variable);
  std::ranges::sort(op.writes, {}, &lower::Becomes::variable);
  return op;
}

StateIndex number(const std::string& text) { return static_cast<StateIndex>(std::stoul(text)); }

void declare(Automata& a, const std::vector<std::string>& line) {
  lower::Variable x{line[1], {}, {}};
  const auto sign = std::ranges::find(line, "=");
  x.values.assign(line.begin() + 2, sign);
  a.variables.push_back(x);
  const auto index = static_cast<VariableIndex>(a.variables.size() - 1);
  for (auto name = sign + 1; name != line.end(); ++name)
    a.variables[index].initial.set(value(a, index, *name));
}

lower::Target target(const Automata& a, const std::vector<std::string>& line) {
  lower::Target t;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const auto sign = line[i].find('=');
    if (sign == std::string::npos)
      t.at.push_back(number(line[i]));
    else
      t.memory.push_back(among(a, line[i].substr(0, sign), line[i].substr(sign + 1)));
  }
  return t;
}

void resize(Automaton& thread, std::uint32_t states) {
  thread.states = std::max(thread.states, states);
  thread.initial.resize(thread.states);
  thread.holds_section.resize(thread.states);
}

void thread_line(const Automata& a, Automaton& thread, const std::vector<std::string>& line) {
  if (line[0] == "hold") {
    thread.holds_section[number(line[1])] = true;
  } else if (line[0] == "group") {
    std::vector<bool> members(thread.states);
    for (std::size_t i = 1; i < line.size(); ++i) members[number(line[i])] = true;
    add_group(thread, members);
  } else {
    const Transition t{number(line.front()), number(line.back()), operation(a, line)};
    resize(thread, std::max(t.from, t.to) + 1);
    thread.transitions.push_back(t);
    ++thread.own_transitions;
  }
}

// TSO

struct Tso {
  std::vector<StateIndex> at;
  std::vector<std::uint32_t> memory;
  std::vector<std::vector<std::pair<VariableIndex, std::uint32_t>>> buffers; ///< oldest first
  auto operator<=>(const Tso&) const = default;
};

/// All initial memories, with everything else as in the first.
template <class Configuration>
std::vector<Configuration> all_starts(const Automata& a, Configuration first) {
  std::vector<Configuration> starts{first};
  for (VariableIndex x = 0; x < a.variables.size(); ++x) {
    std::vector<Configuration> more;
    for (const Configuration& c : starts)
      for (std::uint32_t v = 0; v < a.variables[x].size(); ++v)
        if (a.variables[x].initial[v]) {
          more.push_back(c);
          more.back().memory.push_back(v);
        }
    starts = more;
  }
  return starts;
}

bool kept_waiting(const Automata& a, const std::vector<StateIndex>& at, ThreadIndex p) {
  for (ThreadIndex q = 0; q < at.size(); ++q)
    if (q != p && a.threads[q].holds_section[at[q]]) return true;
  return false;
}

bool is_target(const Automata& a, const Tso& c, const lower::Target& target) {
  for (ThreadIndex p = 0; p < a.threads.size(); ++p)
    if (!a.threads[p].covers(target.at[p], c.at[p])) return false;
  if (target.memory.empty()) return true;
  return std::ranges::all_of(c.buffers, [](const auto& b) { return b.empty(); }) &&
         std::ranges::all_of(target.memory,
                             [&](const auto& m) { return m.values[c.memory[m.variable]]; });
}

/// What memory has after an atomic step, if it can happen.
template <class Configuration> bool do_atomic(Configuration& c, ThreadIndex p, const Op& op) {
  if (!c.buffers[p].empty()) return false;
  for (const auto& read : op.reads)
    if (!read.values[c.memory[read.variable]]) return false;
  for (const auto& write : op.writes) c.memory[write.variable] = write.value;
  return true;
}

bool can_read(const Tso& c, ThreadIndex p, const lower::Among& read) {
  std::uint32_t seen = c.memory[read.variable];
  for (const auto& [x, v] : c.buffers[p])
    if (x == read.variable) seen = v;
  return read.values[seen];
}

std::optional<Tso> after(Tso c, ThreadIndex p, const Transition& t) {
  c.at[p] = t.to;
  switch (t.op.kind) {
  case Op::Kind::Nop: return c;
  case Op::Kind::Read: return can_read(c, p, t.op.reads[0]) ? std::optional(c) : std::nullopt;
  case Op::Kind::Write:
    c.buffers[p].emplace_back(t.op.writes[0].variable, t.op.writes[0].value);
    return c;
  case Op::Kind::Atomic: return do_atomic(c, p, t.op) ? std::optional(c) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<Tso> successors(const Automata& a, const Tso& c) {
  std::vector<Tso> out;
  for (ThreadIndex p = 0; p < a.threads.size(); ++p) {
    if (kept_waiting(a, c.at, p)) continue;
    const Automaton& thread = a.threads[p];
    for (std::uint32_t i = 0; i < thread.own_transitions; ++i)
      if (thread.transitions[i].from == c.at[p])
        if (auto next = after(c, p, thread.transitions[i])) out.push_back(*next);
    if (c.buffers[p].empty()) continue;
    Tso& next = out.emplace_back(c);
    next.memory[c.buffers[p][0].first] = c.buffers[p][0].second;
    next.buffers[p].erase(next.buffers[p].begin());
  }
  return out;
}

// Dual-TSO, as published: buffers are not kept in normal form.

struct Message {
  VariableIndex variable;
  std::uint32_t value;
  bool own;
};

struct Dual {
  std::vector<StateIndex> at;
  std::vector<std::uint32_t> memory;
  std::vector<std::deque<Message>> buffers; ///< newest first
};

bool can_read(const Dual& c, ThreadIndex p, const lower::Among& read) {
  for (const Message& m : c.buffers[p])
    if (m.own && m.variable == read.variable) return read.values[m.value];
  if (c.buffers[p].empty()) return false;
  const Message& oldest = c.buffers[p].back();
  return oldest.variable == read.variable && read.values[oldest.value];
}

std::optional<Dual> after(Dual c, ThreadIndex p, const Transition& t) {
  c.at[p] = t.to;
  switch (t.op.kind) {
  case Op::Kind::Nop: return c;
  case Op::Kind::Read: return can_read(c, p, t.op.reads[0]) ? std::optional(c) : std::nullopt;
  case Op::Kind::Write: {
    const auto [x, v] = t.op.writes[0];
    c.memory[x] = v;
    c.buffers[p].push_front({x, v, true});
    return c;
  }
  case Op::Kind::Atomic: return do_atomic(c, p, t.op) ? std::optional(c) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<Dual> successors(const Automata& a, const Dual& c) {
  std::vector<Dual> out;
  for (ThreadIndex p = 0; p < a.threads.size(); ++p) {
    const bool waits = kept_waiting(a, c.at, p);
    const Automaton& thread = a.threads[p];
    for (std::uint32_t i = 0; i < thread.own_transitions; ++i) {
      const Transition& t = thread.transitions[i];
      if (t.from != c.at[p] || (waits && t.op.kind == Op::Kind::Atomic)) continue;
      if (auto next = after(c, p, t)) out.push_back(*next);
    }
    for (VariableIndex x = 0; !waits && x < c.memory.size(); ++x)
      out.emplace_back(c).buffers[p].push_front({x, c.memory[x], false});
    if (!c.buffers[p].empty()) out.emplace_back(c).buffers[p].pop_back();
  }
  return out;
}

/// The buffer without what can never be read.
certify::Buffer normal_form(const std::deque<Message>& messages) {
  certify::Buffer buffer;
  std::set<VariableIndex> owned;
  for (const Message& m : messages) {
    if (owned.contains(m.variable)) continue;
    const ValueSet set = ValueSet{}.set(m.value);
    if (!m.own) {
      buffer.messages.push_back({m.variable, set});
      for (certify::Own& own : buffer.own) ++own.older;
    } else {
      owned.insert(m.variable);
      buffer.own.push_back({m.variable, set, 0});
    }
  }
  std::ranges::sort(buffer.own, {}, &certify::Own::variable);
  return buffer;
}

certify::Element element(const Dual& c) {
  certify::Element e{c.at, {}, {}};
  for (const std::uint32_t v : c.memory) e.memory.push_back(ValueSet{}.set(v));
  for (const auto& buffer : c.buffers) e.buffers.push_back(normal_form(buffer));
  return e;
}

// Random automata

class Generator {
public:
  Generator(std::uint64_t seed, bool loops) : random_(seed), loops_(loops) {}
  Automata make();

private:
  std::uint32_t below(std::uint32_t n) {
    return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random_);
  }
  ValueSet some(VariableIndex x, std::uint32_t more) {
    ValueSet set;
    set.set(below(a_.variables[x].size()));
    if (below(more) == 0) set.set(below(a_.variables[x].size()));
    return set;
  }
  Op operation();
  Op atomic();
  Automaton thread(ThreadIndex p);
  void section(Automaton& thread);
  lower::Target target();

  std::mt19937_64 random_;
  bool loops_;
  Automata a_;
};

Op Generator::atomic() {
  Op op{Op::Kind::Atomic, {}, {}};
  for (VariableIndex x = 0; x < a_.variables.size(); ++x) {
    if (below(3) == 0) op.reads.push_back({x, some(x, 2)});
    if (below(4) == 0) op.writes.push_back({x, below(a_.variables[x].size())});
  }
  return op;
}

Op Generator::operation() {
  const auto x = below(static_cast<std::uint32_t>(a_.variables.size()));
  switch (below(12)) {
  case 0: return {};
  case 1: return atomic();
  case 2:
  case 3:
  case 4:
  case 5: return {Op::Kind::Write, {}, {{x, below(a_.variables[x].size())}}};
  default: return {Op::Kind::Read, {{x, some(x, 2)}}, {}};
  }
}

/// Makes the last state one in which a section is held.
void Generator::section(Automaton& thread) {
  const StateIndex last = thread.states - 1;
  thread.holds_section[last] = true;
  std::erase_if(thread.transitions, [&](const Transition& t) { return t.from == last; });
  for (Transition& t : thread.transitions)
    if (t.to == last) t.op = atomic();
}

Automaton Generator::thread(ThreadIndex p) {
  Automaton thread;
  thread.name = std::string(1, static_cast<char>('P' + p));
  resize(thread, 3 + below(loops_ ? 3 : 4));
  thread.initial[0] = true;
  for (StateIndex s = 0; s + 1 < thread.states; ++s)
    thread.transitions.push_back({s, s + 1, operation()});
  for (auto extra = below(3); extra > 0; --extra) {
    StateIndex from = below(thread.states), to = below(thread.states);
    if (!loops_ && from == to) continue;
    if (!loops_ && from > to) std::swap(from, to);
    thread.transitions.push_back({from, to, operation()});
  }
  if (below(6) == 0) section(thread);
  thread.own_transitions = static_cast<std::uint32_t>(thread.transitions.size());
  std::vector<bool> members(thread.states);
  for (StateIndex s = 1 + below(thread.states - 1); s < thread.states; ++s) members[s] = true;
  for (std::uint32_t i = 0; i < thread.states; ++i) // Closed under transitions.
    for (const Transition& t : thread.transitions)
      if (members[t.from]) members[t.to] = true;
  // With members inside and outside of a section a group says too little to give exact answers.
  const bool mixed = thread.holds_section.back() && std::ranges::count(members, true) > 1;
  if (below(2) == 0 && !mixed) add_group(thread, members);
  return thread;
}

lower::Target Generator::target() {
  lower::Target t;
  bool sections = false;
  for (const Automaton& thread : a_.threads) {
    const bool group = !thread.groups.empty() && below(2) == 0;
    t.at.push_back(group ? thread.states : thread.states - 1 - below(below(2) + 1));
    sections = sections || std::ranges::count(thread.holds_section, true) != 0;
  }
  for (VariableIndex x = 0; !sections && x < a_.variables.size(); ++x)
    if (below(5) == 0) t.memory.push_back({x, some(x, 3)});
  return t;
}

Automata Generator::make() {
  for (const char* name : {"x", "y", "z"}) {
    if (a_.variables.size() == 2 && below(2) == 0) break;
    a_.variables.push_back({name, {"0", "1"}, ValueSet{1}});
    if (below(2) == 0) a_.variables.back().values.push_back("2");
    if (below(6) == 0) a_.variables.back().initial.set(1);
  }
  for (ThreadIndex p = 0, count = 2 + (below(4) == 0); p < count; ++p)
    a_.threads.push_back(thread(p));
  for (auto count = 1 + below(2); count > 0; --count) a_.targets.push_back(target());
  return a_;
}

} // namespace

void add_group(Automaton& thread, std::vector<bool> members) {
  const StateIndex group = thread.size();
  bool starts = false, holds = true;
  for (StateIndex s = 0; s < thread.states; ++s) {
    starts = starts || (members[s] && thread.initial[s]);
    holds = holds && (!members[s] || thread.holds_section[s]);
  }
  for (std::uint32_t i = 0; i < thread.own_transitions; ++i) {
    const Transition t = thread.transitions[i];
    if (members[t.to] && (!members[t.from] || !t.op.writes.empty()))
      thread.transitions.push_back({t.from, group, t.op});
  }
  thread.initial.push_back(starts);
  thread.holds_section.push_back(holds);
  thread.groups.push_back(std::move(members));
}

Automata automata(const std::string& text) {
  Automata a;
  for (const std::string& text_line : words(text, '\n')) {
    const auto line = words(text_line, ' ');
    if (line.empty()) continue;
    if (line[0] == "var") {
      declare(a, line);
    } else if (line[0] == "thread") {
      a.threads.emplace_back().name = line[1];
      resize(a.threads.back(), 1);
      a.threads.back().initial[0] = true;
    } else if (line[0] == "target") {
      a.targets.push_back(target(a, line));
    } else {
      thread_line(a, a.threads.back(), line);
    }
  }
  return a;
}

std::optional<certify::Certificate> prove(const Automata& a, std::size_t most) {
  const certify::Steps steps(a);
  const certify::Invariants invariants(a);
  std::vector<certify::Element> live;
  std::deque<certify::Element> work;
  bool reached = false;
  const auto insert = [&](certify::Element e) {
    if (!invariants.narrow(e)) return;
    const auto wider = [&](const auto& other) { return certify::subsumes(a, other, e); };
    if (std::ranges::any_of(live, wider)) return;
    std::erase_if(live, [&](const auto& other) { return certify::subsumes(a, e, other); });
    reached = reached || certify::is_initial(a, e);
    live.push_back(e);
    work.push_back(e);
    invariant(live.size() <= most, "a test should need no more elements");
  };
  for (const lower::Target& t : a.targets) insert(certify::element_of(a, t));
  std::vector<certify::Predecessor> before;
  while (!work.empty() && !reached) {
    const certify::Element e = work.front();
    work.pop_front();
    if (std::ranges::find(live, e) == live.end()) continue;
    steps.predecessors(e, before);
    for (const auto& predecessor : before) insert(predecessor.element);
  }
  if (reached) return std::nullopt;
  return certify::Certificate{"test", certify::fingerprint(a), live};
}

Explored explore_tso(const Automata& a, std::size_t longest_buffer) {
  Explored result;
  Tso first{std::vector<StateIndex>(a.threads.size()), {}, {}};
  first.buffers.resize(a.threads.size());
  std::set<Tso> seen;
  std::vector<Tso> work;
  const auto visit = [&](const Tso& c) {
    if (std::ranges::any_of(c.buffers, [&](auto& b) { return b.size() > longest_buffer; }))
      result.complete = false;
    else if (seen.insert(c).second)
      work.push_back(c);
  };
  for (const Tso& c : all_starts(a, first)) visit(c);
  while (!work.empty()) {
    const Tso c = work.back();
    work.pop_back();
    for (const lower::Target& t : a.targets) result.reached = result.reached || is_target(a, c, t);
    if (result.reached) return result;
    for (const Tso& next : successors(a, c)) visit(next);
  }
  return result;
}

void wander(const Automata& a, std::uint64_t seed, std::size_t steps,
            const std::function<void(const certify::Element&)>& visit) {
  std::mt19937_64 random(seed);
  Dual first{std::vector<StateIndex>(a.threads.size()), {}, {}};
  first.buffers.resize(a.threads.size());
  auto next = all_starts(a, first);
  for (std::size_t i = 0; i < steps && !next.empty(); ++i) {
    const Dual c = next[std::uniform_int_distribution<std::size_t>(0, next.size() - 1)(random)];
    visit(element(c));
    next = successors(a, c);
    std::erase_if(next, [](const Dual& d) {
      return std::ranges::any_of(d.buffers, [](const auto& b) { return b.size() > 5; });
    });
  }
}

Automata random_automata(std::uint64_t seed, bool loops) { return Generator(seed, loops).make(); }

} // namespace weir::test
