#pragma once
// The map of the CAV 2011 paper: TSO with bounded rounds or bounded store age as an SC program with
// view, mask and queue copies of the shared variables. [1]
//
// Exact: the shared valuations outside the atomic sections of the result are those at the round
// boundaries of the source, and the result violates its properties iff the source does, within the
// bound. Linear size for fixed k. Where we differ from the figures of [1]: see README.md.
// [1] Atig, Bouajjani, Parlato. Getting rid of store-buffers in TSO analysis. CAV 2011.

#include "translate/translation.h"

namespace weir::translate {

/// Mistakes that are easy to make, put back on purpose by tests only: crosscheck finds each.
enum class Trap : std::uint8_t {
  None,
  NoFlushRounds,    ///< a round starts only together with a statement
  NoRoundsAfterEnd, ///< nothing is flushed after the last statement
  RoundsInSections, ///< a round may end inside one of the program's own sections
  SignedModulo,     ///< the age test with C's remainder
  ForgottenSlot,    ///< the view is rebuilt although slot 0 has a pending store
  SlotKept,         ///< the slot of the round just started is not emptied
  OneMaskPerArray,  ///< elements of an array share their mask
  PendingAfterLast, ///< stores of the last round need not be committed
  ViewNotUpdated,   ///< a thread does not see its own pending stores
  FenceForgotten,   ///< cas does not wait for the buffer
};

/// `bound` is of rounds or of age.
Translation translate_paper(const ir::Program& source, Bound bound, Trap trap = Trap::None);

} // namespace weir::translate
