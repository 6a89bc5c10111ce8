#pragma once
// Small automata as text, and three naive ways to look at them: a backward search with the rules of
// src/certify that gives a certificate, an explicit search of TSO, and a random run of Dual-TSO.

#include "certify/certificate.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace weir::test {

/// Lines: `var x 0 1 2 = 0 1` (values, then initial ones); `thread P`, then its `0 w x 1 2` (from,
/// what, to), `n` for nop, `f` for a fence, `r x 0,1`, `a x=0,1 y:=1` for an atomic step, `group 2 3`,
/// `hold 4`; `target 3 3 x=0`. State 0 is initial. `group` and `hold` come after the transitions.
lower::Automata automata(const std::string& text);
/// Adds the group and the transitions into it.
void add_group(lower::Automaton& thread, std::vector<bool> members);

/// The minimal elements that can reach a target, or nothing if an initial configuration can.
/// Fails an invariant if there are more than `most`.
std::optional<certify::Certificate> prove(const lower::Automata& automata,
                                          std::size_t most = 20000);

struct Explored {
  bool reached = false;
  bool complete = true; ///< no buffer had to be cut
};
Explored explore_tso(const lower::Automata& automata, std::size_t longest_buffer);

/// Takes up to `steps` random steps of Dual-TSO and shows what is visited, in normal form.
void wander(const lower::Automata& automata, std::uint64_t seed, std::size_t steps,
            const std::function<void(const certify::Element&)>& visit);

/// Some two or three threads of a few states each. `loops`: transitions may lead back.
lower::Automata random_automata(std::uint64_t seed, bool loops);

} // namespace weir::test
