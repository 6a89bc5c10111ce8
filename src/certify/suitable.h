#pragma once
// What the rules of eager.h take for granted about automata and elements.

#include "certify/certificate.h"

#include <optional>
#include <string>

namespace weir::certify {

/// What is wrong with groups or atomic sections, going by the transitions between states:
/// - a group has every transition that enters it or writes inside it, starts where a member starts,
///   and holds the section only if all members do;
/// - a section is held from an atomic step on, for ever.
std::optional<std::string> unsuitable(const lower::Automata& automata);

/// What keeps an element from being one of these automata in normal form, as "has ..." or "is ...":
/// everything exists, sets are not empty, own-messages are of different variables in their order and
/// older than all messages of theirs, and the buffer of a thread in a group is empty.
std::optional<std::string> malformed(const lower::Automata& automata, const Element& element);

} // namespace weir::certify
