#pragma once
// The ordering on elements, and what comes before an element by one step of Dual-TSO: the rules in
// README.md, one function for each.
//
// Eager: a message is propagated by a step of its own. Complete: whatever can step into the upward
// closure of an element is itself in it (then it is not listed), or in that of a predecessor.

#include "certify/certificate.h"

namespace weir::certify {

/// Whether every configuration that `narrow` stands for is one that `wide` stands for.
bool subsumes(const lower::Automata& automata, const Element& wide, const Element& narrow);

/// What a target stands for: its positions and memory; nothing is said of buffers.
Element element_of(const lower::Automata& automata, const lower::Target& target);

/// Whether an initial configuration is among those it stands for.
bool is_initial(const lower::Automata& automata, const Element& element);

struct Predecessor {
  Element element;
  ThreadIndex thread = 0;
  const lower::Transition* transition = nullptr; ///< none: the newest message was propagated
};

class Steps {
public:
  /// Keeps a reference to the automata.
  explicit Steps(const lower::Automata& automata);
  /// Replaces `out` by what comes before the element.
  void predecessors(const Element& element, std::vector<Predecessor>& out) const;

private:
  const lower::Automata& automata_;
  std::vector<std::vector<std::vector<const lower::Transition*>>> into_; ///< by thread and position
};

} // namespace weir::certify
