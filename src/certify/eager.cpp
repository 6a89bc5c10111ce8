#include "certify/eager.h"

#include <algorithm>

namespace weir::certify {
namespace {

using lower::Among;
using lower::Automata;
using lower::is_subset;
using lower::Op;
using lower::Transition;
using lower::ValueSet;
using lower::VariableIndex;

auto own_of(auto& buffer, VariableIndex variable) {
  return std::ranges::find(buffer.own, variable, &Own::variable);
}

/// Own-messages of `wide` are in `narrow`, with no more values than there.
bool own_agree(const Buffer& wide, const Buffer& narrow) {
  return std::ranges::all_of(wide.own, [&](const Own& own) {
    const auto other = own_of(narrow, own.variable);
    return other != narrow.own.end() && is_subset(other->values, own.values);
  });
}

/// The first place in `narrow` for message i of `wide`: what is older than an own-message stays so.
std::size_t first_place(const Buffer& wide, const Buffer& narrow, std::size_t i) {
  std::size_t place = 0;
  for (const Own& own : wide.own)
    if (i >= wide.messages.size() - own.older)
      place = std::max(place, narrow.messages.size() - own_of(narrow, own.variable)->older);
  return place;
}

bool subsumes(const Buffer& wide, const Buffer& narrow) {
  if (!own_agree(wide, narrow)) return false;
  std::size_t place = 0; // Where the message before went: the next may go there too.
  for (std::size_t i = 0; i < wide.messages.size(); ++i) {
    const Among& message = wide.messages[i];
    place = std::max(place, first_place(wide, narrow, i));
    while (place < narrow.messages.size() &&
           !(narrow.messages[place].variable == message.variable &&
             is_subset(narrow.messages[place].values, message.values)))
      ++place;
    if (place == narrow.messages.size()) return false;
  }
  return true;
}

/// One thread's part in taking predecessors of an element.
struct Before {
  const Automata& automata;
  const Element& after;
  ThreadIndex thread;
  std::vector<Predecessor>& out;

  const Buffer& buffer() const { return after.buffers[thread]; }

  Predecessor& add(const Transition* transition) const {
    Predecessor& added = out.emplace_back(Predecessor{after, thread, transition});
    if (transition != nullptr) added.element.at[thread] = transition->from;
    return added;
  }

  void propagate() const;
  void transition(const Transition& t) const;
  void read(const Transition& t) const;
  void read_own(const Transition& t) const;
  void read_oldest(const Transition& t) const;
  void read_older(const Transition& t) const;
  void write(const Transition& t) const;
  void atomic(const Transition& t) const;
};

/// What came from memory is the newest message, and perhaps others of its variable next to it, which
/// went to the same place. It cannot be if an own-message is newer.
void Before::propagate() const {
  const auto& messages = buffer().messages;
  ValueSet memory;
  for (std::size_t j = 0; j < messages.size(); ++j) {
    const VariableIndex x = messages.front().variable;
    const std::size_t left = messages.size() - j - 1;
    memory = (j == 0 ? after.memory[x] : memory) & messages[j].values;
    if (messages[j].variable != x || memory.none() ||
        std::ranges::any_of(buffer().own, [&](const Own& own) { return own.older > left; }))
      return;
    Element& element = add(nullptr).element;
    element.memory[x] = memory;
    Buffer& before = element.buffers[thread];
    before.messages.erase(before.messages.begin(),
                          before.messages.begin() + static_cast<std::ptrdiff_t>(j) + 1);
  }
}

void Before::transition(const Transition& t) const {
  switch (t.op.kind) {
  case Op::Kind::Nop: add(&t); return;
  case Op::Kind::Read: return read(t);
  case Op::Kind::Write: return write(t);
  case Op::Kind::Atomic: return atomic(t);
  }
}

void Before::read(const Transition& t) const {
  read_own(t);
  if (own_of(buffer(), t.op.reads.front().variable) != buffer().own.end()) return;
  read_oldest(t);
  read_older(t);
}

/// There was an own-message with one of the values: the one the element has, or a further one, of
/// which nothing is known but that, so it has no message behind it.
void Before::read_own(const Transition& t) const {
  const auto& [variable, values] = t.op.reads.front();
  const auto found = own_of(buffer(), variable);
  if (found != buffer().own.end() && (found->values & values).none()) return;
  Buffer& before = add(&t).element.buffers[thread];
  if (found != buffer().own.end())
    own_of(before, variable)->values &= values;
  else
    before.own.insert(std::ranges::lower_bound(before.own, variable, {}, &Own::variable),
                      Own{variable, values, 0});
}

/// The message that was read is the oldest of the element: all own-messages were newer.
void Before::read_oldest(const Transition& t) const {
  const auto& [variable, values] = t.op.reads.front();
  if (buffer().messages.empty()) return;
  const Among& oldest = buffer().messages.back();
  if (oldest.variable != variable || (oldest.values & values).none()) return;
  Buffer& before = add(&t).element.buffers[thread];
  before.messages.back().values &= values;
  for (Own& own : before.own) own.older = std::max(own.older, 1U);
}

/// The message that was read is one the element does not speak of, older than all of it.
void Before::read_older(const Transition& t) const {
  Buffer& before = add(&t).element.buffers[thread];
  before.messages.push_back(t.op.reads.front());
  for (Own& own : before.own) ++own.older;
}

/// Just after it memory and the own-message have the value and no message of the variable is left.
void Before::write(const Transition& t) const {
  const auto& [variable, value] = t.op.writes.front();
  const auto own = own_of(buffer(), variable);
  if (!after.memory[variable][value]) return;
  if (own != buffer().own.end() && !own->values[value]) return;
  if (std::ranges::count(buffer().messages, variable, &Among::variable) != 0) return;
  Element& element = add(&t).element;
  element.memory[variable] = automata.variables[variable].all();
  std::erase_if(element.buffers[thread].own, [&](const Own& o) { return o.variable == variable; });
}

void Before::atomic(const Transition& t) const {
  if (!buffer().messages.empty() || !buffer().own.empty()) return;
  std::vector<ValueSet> memory = after.memory;
  for (const auto& [variable, value] : t.op.writes) {
    if (!memory[variable][value]) return;
    memory[variable] = automata.variables[variable].all();
  }
  for (const auto& [variable, values] : t.op.reads)
    if ((memory[variable] &= values).none()) return;
  add(&t).element.memory = std::move(memory);
}

} // namespace

bool subsumes(const Automata& automata, const Element& wide, const Element& narrow) {
  for (VariableIndex x = 0; x < automata.variables.size(); ++x)
    if (!is_subset(narrow.memory[x], wide.memory[x])) return false;
  for (ThreadIndex p = 0; p < automata.threads.size(); ++p)
    if (!automata.threads[p].covers(wide.at[p], narrow.at[p])) return false;
  for (ThreadIndex p = 0; p < automata.threads.size(); ++p)
    if (!subsumes(wide.buffers[p], narrow.buffers[p])) return false;
  return true;
}

Element element_of(const Automata& automata, const lower::Target& target) {
  Element element{target.at, {}, std::vector<Buffer>(automata.threads.size())};
  for (const lower::Variable& variable : automata.variables)
    element.memory.push_back(variable.all());
  for (const auto& [variable, values] : target.memory) element.memory[variable] &= values;
  return element;
}

bool is_initial(const Automata& automata, const Element& element) {
  for (ThreadIndex p = 0; p < automata.threads.size(); ++p)
    if (!automata.threads[p].initial[element.at[p]] || element.buffers[p] != Buffer{}) return false;
  for (VariableIndex x = 0; x < automata.variables.size(); ++x)
    if ((element.memory[x] & automata.variables[x].initial).none()) return false;
  return true;
}

Steps::Steps(const Automata& automata) : automata_(automata) {
  for (const lower::Automaton& thread : automata.threads) {
    auto& into = into_.emplace_back(thread.size());
    for (const Transition& t : thread.transitions) into[t.to].push_back(&t);
  }
}

void Steps::predecessors(const Element& element, std::vector<Predecessor>& out) const {
  out.clear();
  std::vector<ThreadIndex> holders;
  for (ThreadIndex p = 0; p < automata_.threads.size(); ++p)
    if (automata_.threads[p].holds_section[element.at[p]]) holders.push_back(p);
  if (holders.size() > 1) return; // Each keeps the other from having come here.
  for (ThreadIndex p = 0; p < automata_.threads.size(); ++p) {
    // A thread kept waiting has seen all it will see, but may still be behind with what it did.
    const bool waits = !holders.empty() && holders.front() != p;
    const Before before{automata_, element, p, out};
    if (!waits) before.propagate();
    for (const Transition* t : into_[p][element.at[p]])
      if (!waits || t->op.kind != Op::Kind::Atomic) before.transition(*t);
  }
}

} // namespace weir::certify
