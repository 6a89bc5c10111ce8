#pragma once
// Keeps an eye on the limits while a program is lowered.

#include "verdict/verdict.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace weir::lower {

class Watch {
public:
  explicit Watch(const Limits& limits)
      : limits_(limits), started_(std::chrono::steady_clock::now()) {}

  /// Call it often; true once it is time to stop.
  bool is_over() {
    if (++looks_ % 256 == 0) look();
    return reason_.has_value();
  }
  /// So much more memory is in use.
  void use(std::uint64_t bytes) { bytes_ += bytes; }
  /// Why it is time to stop, if it is.
  const std::optional<std::string>& reason() const { return reason_; }

private:
  void look();

  const Limits& limits_;
  std::chrono::steady_clock::time_point started_;
  std::uint64_t looks_ = 0, bytes_ = 0;
  std::optional<std::string> reason_;
};

} // namespace weir::lower
