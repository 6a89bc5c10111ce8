#pragma once
// Which threads of a program can change places: automorphisms of its automata.

#include "lower/automorphism.h"

#include <vector>

namespace weir::lower {

/// A group of automorphisms, closed under composition, the identity first; at most one for each
/// permutation of the threads. Just the identity if there are no others or finding them is too hard.
std::vector<Automorphism> automorphisms(const Automata& automata);

} // namespace weir::lower
