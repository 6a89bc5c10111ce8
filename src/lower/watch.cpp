#include "lower/watch.h"

#include <fmt/format.h>

namespace weir::lower {

void Watch::look() {
  if (reason_) return;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started_;
  if (limits_.interrupted && *limits_.interrupted)
    reason_ = "interrupted";
  else if (limits_.seconds && spent.count() > *limits_.seconds)
    reason_ = fmt::format("the time limit of {} s is reached", *limits_.seconds);
  else if (limits_.bytes && bytes_ > *limits_.bytes)
    reason_ = fmt::format("the memory limit of {} MB is reached", *limits_.bytes >> 20);
}

} // namespace weir::lower
