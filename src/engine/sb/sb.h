#pragma once
#include "lower/reachability.h"
namespace weir::engine {
lower::Reachability check_single_buffer(const lower::Automata& automata, const lower::SearchOptions& options, Statistics& statistics);
}
