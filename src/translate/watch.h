#pragma once
// Forbidden combinations of places as assertions, for checkers that know nothing else.

#include "ir/program.h"

namespace weir::translate {

/// The same program, which is to run under SC, with counters of the threads at each place that a
/// forbid names: checked when a thread arrives. It has no forbids then.
ir::Program watch_places(ir::Program program);

} // namespace weir::translate
