#pragma once
// A constraint of the search: where each thread is, what memory may have, and for each thread the
// messages and own stores of its load buffer; and the same packed for storage.
//
// Stands for the upward closure of its instances: c <= c' if threads and memory are the same and
// for each buffer (1) every own store of c is in c', (2) the messages of c are mapped, in order, to
// those of c', neighbours perhaps to the same one, (3) what is older than an own store in c is mapped
// to something older than it in c'.

#include "engine/dual/sets.h"

#include <span>
#include <vector>

namespace weir::engine::dual {

template <class Set> struct Message {
  lower::VariableIndex variable;
  Set values;
};

template <class Set> struct OwnStore {
  lower::VariableIndex variable;
  std::uint32_t older; ///< messages of the buffer that are older than it
  Set values;
};

template <class Set> struct LoadBuffer {
  std::vector<Message<Set>> messages; ///< newest first
  std::vector<OwnStore<Set>> own;     ///< sorted by variable, at most one each

  OwnStore<Set>* find_own(lower::VariableIndex x) {
    for (OwnStore<Set>& one : own)
      if (one.variable == x) return &one;
    return nullptr;
  }
  void erase_own(lower::VariableIndex x) {
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i].variable == x)
        return static_cast<void>(own.erase(own.begin() + static_cast<std::ptrdiff_t>(i)));
  }
  void insert_own(const OwnStore<Set>& one) {
    auto at = own.begin();
    while (at != own.end() && at->variable < one.variable) ++at;
    own.insert(at, one);
  }
};

template <class Set> struct Constraint {
  std::vector<lower::StateIndex> at;
  std::vector<Set> memory;
  std::vector<LoadBuffer<Set>> buffers;
};

// Packed: memory; then of each thread the numbers of messages and of own stores, the messages
// (variable, values) and the own stores (variable, older, values).

template <class Set> void pack(const Constraint<Set>& constraint, std::vector<Set>& out) {
  const auto put = [&](std::size_t n) { out.push_back(static_cast<Set>(n)); };
  out.assign(constraint.memory.begin(), constraint.memory.end());
  for (const LoadBuffer<Set>& buffer : constraint.buffers) {
    put(buffer.messages.size());
    put(buffer.own.size());
    for (const Message<Set>& message : buffer.messages) {
      put(message.variable);
      out.push_back(message.values);
    }
    for (const OwnStore<Set>& own : buffer.own) {
      put(own.variable);
      put(own.older);
      out.push_back(own.values);
    }
  }
}

template <class Set>
void unpack(const Set* in, std::size_t variables, std::size_t threads, Constraint<Set>& out) {
  out.memory.assign(in, in + variables);
  in += variables;
  out.buffers.resize(threads);
  for (LoadBuffer<Set>& buffer : out.buffers) {
    buffer.messages.resize(number(in[0]));
    buffer.own.resize(number(in[1]));
    in += 2;
    for (Message<Set>& message : buffer.messages) {
      message = {number(in[0]), in[1]};
      in += 2;
    }
    for (OwnStore<Set>& own : buffer.own) {
      own = {number(in[0]), number(in[1]), in[2]};
      in += 3;
    }
  }
}

/// Whether every configuration of the packed constraint `c` is one of `a`, threads being at the
/// same places.
template <class Set>
bool includes(const Set* a, const Set* c, std::size_t variables, std::size_t threads) {
  for (std::size_t x = 0; x < variables; ++x)
    if (!is_inside(c[x], a[x])) return false;
  a += variables;
  c += variables;
  for (std::size_t t = 0; t < threads; ++t) {
    const std::uint32_t a_messages = number(a[0]), a_own = number(a[1]);
    const std::uint32_t c_messages = number(c[0]), c_own = number(c[1]);
    if (a_own > c_own) return false;
    const Set* const a_message = a + 2;
    const Set* const c_message = c + 2;
    const Set* const a_stores = a_message + 2 * a_messages;
    const Set* const c_stores = c_message + 2 * c_messages;
    a = a_stores + 3 * a_own;
    c = c_stores + 3 * c_own;
    // Own stores: each of a is in c.
    const Set* other = c_stores;
    for (const Set* own = a_stores; own != a; own += 3) {
      while (other != c && number(other[0]) < number(own[0])) other += 3;
      if (other == c || number(other[0]) != number(own[0]) || !is_inside(other[2], own[2]))
        return false;
      other += 3;
    }
    // Messages: each goes to the first that fits, behind the own stores that are newer than it.
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < a_messages; ++i) {
      other = c_stores;
      for (const Set* own = a_stores; own != a; own += 3) {
        if (a_messages - number(own[1]) > i) continue; // m_i is newer than it
        while (number(other[0]) != number(own[0])) other += 3;
        const std::uint32_t behind = c_messages - number(other[1]);
        if (behind > next) next = behind;
      }
      while (next < c_messages && (number(c_message[2 * next]) != number(a_message[2 * i]) ||
                                   !is_inside(c_message[2 * next + 1], a_message[2 * i + 1])))
        ++next;
      if (next == c_messages) return false; // the next message may go to the same one
    }
  }
  return true;
}

} // namespace weir::engine::dual
