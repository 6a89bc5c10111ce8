#pragma once
// What a program must not do, as targets of its automata.
//
// Before shrinking, what targets name is marked; afterwards targets are vectors of states and
// groups. A thread that a target does not name is "anywhere". With spawned threads, some vectors
// are nonsense: a thread that has begun although its spawner, in the end, has not spawned it. So
// there is a target for each history of the spawner, in which what it has not spawned is unborn.

#include "ir/code.h"
#include "lower/shrink.h"

#include <string>
#include <variant>

namespace weir::lower {

Apart marks(const ir::Code& code, const Unfolding& unfolding);

struct Targets {
  std::vector<Target> list;
  std::vector<std::vector<std::vector<bool>>> groups; ///< by thread: members by state
  std::string cut;                                    ///< a limit that kept one from being found
};

/// Variables in `memory` of the targets are unfolded ones, and their values are classes.
std::variant<Targets, Refusal> targets(const ir::Code& code, const Unfolding& unfolding,
                                       const Shrunk& shrunk, Watch& watch);

} // namespace weir::lower
