#include "engine/sb/constraint.h"

#include <algorithm>

namespace weir::engine::sb {

Sets::Id Sets::id(const ValueSet& set) {
  const auto [found, is_new] = ids_.try_emplace(set, static_cast<Id>(sets_.size()));
  if (is_new) sets_.push_back(set);
  return found->second;
}

Sets::Id Sets::intersection(Id a, Id b) {
  if (is_subset(a, b)) return a;
  if (is_subset(b, a)) return b;
  return id(sets_[a] & sets_[b]);
}

Constraint::Constraint(std::vector<StateIndex> places_, std::vector<Sets::Id> sets_)
    : variables(static_cast<std::uint32_t>(sets_.size())), places(std::move(places_)),
      pointers(places.size(), 0), owns(places.size() * variables), sets(std::move(sets_)) {}

bool Constraint::has_exact_own(ThreadIndex p) const {
  const auto first = owns.begin() + p * variables;
  return std::any_of(first, first + variables, [](const Own& own) { return own.is_exact; });
}

void Constraint::insert(Position i, const std::vector<Sets::Id>& message) {
  ++length;
  sets.insert(sets.begin() + i * variables, message.begin(), message.end());
  for (Position& pointer : pointers) pointer += pointer >= i;
  for (Own& own : owns) own.position += own.position >= i;
}

void Constraint::fold(Position i, const std::vector<Sets::Id>& message) {
  length = i + 1;
  sets.resize(i * variables);
  sets.insert(sets.end(), message.begin(), message.end());
  for (Position& pointer : pointers) pointer = std::min(pointer, i);
  for (Own& own : owns) own.position = std::min(own.position, i);
}

std::uint64_t Constraint::bytes() const {
  return sizeof *this + places.capacity() * sizeof(StateIndex) +
         pointers.capacity() * sizeof(Position) + owns.capacity() * sizeof(Own) +
         sets.capacity() * sizeof(Sets::Id);
}

namespace {

bool message_includes(const Sets& sets, const Constraint& wide, Position i,
                      const Constraint& narrow, Position k) {
  for (VariableIndex x = 0; x < wide.variables; ++x)
    if (!sets.is_subset(narrow.set(k, x), wide.set(i, x))) return false;
  return true;
}

/// Where a message may be mapped to, as far as pointers and own stores say.
struct Range {
  Position least = 0;
  Position most = ~Position{0};
};

/// By message of `wide`; false if own stores differ in kind.
bool ranges(const Constraint& wide, const Constraint& narrow, std::vector<Range>& out) {
  out.assign(wide.length, {});
  for (std::size_t p = 0; p < wide.pointers.size(); ++p) {
    Range& range = out[wide.pointers[p]];
    range.least = std::max(range.least, narrow.pointers[p]);
  }
  for (std::size_t k = 0; k < wide.owns.size(); ++k) {
    const Own& asked = wide.owns[k];
    const Own& given = narrow.owns[k];
    if (asked.is_exact && !given.is_exact) return false;
    Range& range = out[asked.position];
    range.least = std::max(range.least, given.position);
    if (asked.is_exact) range.most = given.position;
  }
  Range& last = out.back();
  last.least = narrow.length - 1;
  return true;
}

} // namespace

// A map of messages to messages that composes with every g of `narrow`. The leftmost choice for each
// message leaves most room for the next, so there is no need to try another.
bool includes(const Sets& sets, const Constraint& wide, const Constraint& narrow) {
  thread_local std::vector<Range> allowed;
  if (!ranges(wide, narrow, allowed)) return false;
  Position k = 0;
  for (Position i = 0; i < wide.length; ++i) {
    k = std::max(k, allowed[i].least);
    const Position most = std::min(allowed[i].most, narrow.length - 1);
    while (k <= most && !message_includes(sets, wide, i, narrow, k)) ++k;
    if (k > most) return false;
  }
  return true;
}

} // namespace weir::engine::sb
