#pragma once
// What a run says about fences: one of these places must have one, or the run stays possible. [1]
//
// A place counts if its thread passes it between a store and something that overtook the store while
// it was pending: a read of memory, a read of an older store of its own, or a spawn. It counts too
// if another thread is inside an atomic section when the run ends, because the store cannot leave
// the buffer any more. Let F be places of which none counts. Then the run can be retimed to respect
// fences at F: what a thread does after such a place, up to the flush of the stores that are pending
// there, are steps that nobody else notices and that notice nobody else, and they can wait for it.
// So: a set of fences that makes the program right has a place of the clause (also if places were
// counted in excess), and the places that had a fence in the run never count.
// [1] Abdulla, Atig, Chen, Leonardsson, Rezine. Counter-example guided fence insertion under TSO.
//     TACAS 2012, section 6.

#include "fence/places.h"
#include "verdict/verdict.h"

#include <set>

namespace weir::fence {

/// The clause of a run of a program with marks, under TSO: indices of places.
std::set<std::size_t> clause(const ir::Code& marked, const Rules& rules, const Run& run);

/// The run without its marks: a run of the program they were put into.
Run without_marks(const ir::Code& marked, const Rules& rules, const Run& run);

/// The run in the same program with other marks chosen as fences: a thread that comes to a fence with
/// stores pending waits there until they are flushed. The run, if it ends in the violation too; it
/// always does if no place of the clause is chosen.
std::optional<Run> retry(const ir::Code& marked, const Rules& rules, const Run& run);

} // namespace weir::fence
