#pragma once
// Backward reachability over the Dual-TSO semantics: the exact engine.
//
// Exact for finite data and unbounded buffers: Unreachable and Reached are both final. Starts from
// the targets and takes predecessors, keeping only minimal constraints, in an ordering coarser than
// the published one [1]; values are sets. Rules: README.md in this folder.
// [1] Abdulla, Atig, Bouajjani, Ngo. A load-buffer semantics for TSO. LMCS 14(1), 2018.

#include "certify/certificate.h"
#include "lower/reachability.h"

#include <vector>

namespace weir::engine {

struct DualOptions {
  lower::SearchOptions search;
  bool wants_certificate = false;
  // What makes it fast; each can be switched off to see what it is worth.
  bool own_values = true;     ///< which values a pending own store can have at a state
  bool last_values = true;    ///< what memory has if only one thread writes the variable
  bool signatures = true;     ///< compare 64 bits before comparing constraints
  bool removes = true;        ///< forget constraints that a later one includes
  bool lightest_first = true; ///< fewest messages first; else in the order they were found
  bool symmetry = true;       ///< one constraint for all exchanges of threads; not for certificates
  std::uint32_t without_symmetry = 250; ///< so many constraints are tried first: looking for
                                        ///< symmetry takes longer than a small search
};

struct DualAnswer {
  lower::Reachability reachability;
  Statistics statistics;                       ///< states: constraints stored
  std::vector<certify::Element> certificate{}; ///< if it was wanted and no target is reachable
};

DualAnswer check_dual(const lower::Automata& automata, const DualOptions& options);

} // namespace weir::engine
