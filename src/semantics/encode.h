#pragma once
// A thread as a short string and back: a key for tables of thread states.

#include "semantics/thread.h"

#include <string>
#include <string_view>

namespace weir::semantics {

std::string encode(const Thread& thread);
/// Of what encode() returned.
Thread decode(std::string_view bytes);

/// Appends a number, small ones in few bytes.
void put(std::string& out, ir::Value value);
void put(std::string& out, const std::vector<ir::Value>& values);

} // namespace weir::semantics
