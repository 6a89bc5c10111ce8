#pragma once
// Maps of automata to themselves under which they look the same.
//
// An automorphism maps threads to threads, their states and groups, variables, and the values of
// each variable, one to one, so that initial states and values, sections, transitions and targets
// are mapped to each other. What is reachable is then mapped to each other too.

#include "lower/automata.h"

#include <cstdint>
#include <vector>

namespace weir::lower {

struct Automorphism {
  std::vector<ThreadIndex> thread;               ///< where each thread goes
  std::vector<std::vector<StateIndex>> position; ///< by thread: where its states and groups go
  std::vector<VariableIndex> variable;           ///< where each variable goes
  std::vector<std::vector<std::uint32_t>> value; ///< by variable: where its values go
  bool operator==(const Automorphism&) const = default;
};

Automorphism identity(const Automata& automata);

/// First `f`, then `g`.
Automorphism composed(const Automorphism& f, const Automorphism& g);

/// Whether it is one. By the definition, nothing assumed.
bool is_automorphism(const Automata& automata, const Automorphism& candidate);

} // namespace weir::lower
