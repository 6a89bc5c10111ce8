#pragma once
// Runs an external checker to its end or to a limit, and leaves nothing of it behind. Linux only.
//
// The child leads a process group of its own; whenever run() returns, that whole group has been
// killed and the child is waited for. What escapes: a descendant that leaves the group (setsid),
// and, if this process itself is killed, everything but the child (the kernel kills only that one).
// The kernel ties the child to the *thread* that called run(), which is here until it has ended.
// May be called from several threads at once.

#include "verdict/verdict.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::process {

struct Command {
  std::vector<std::string> words; ///< the first is a program, as for find_program
  std::string directory;          ///< where it runs; empty: where we are
};

struct Finished {
  enum class How : std::uint8_t {
    Exited,
    Signalled,
    TimedOut,    ///< stopped by us
    OutOfMemory, ///< failed under a memory limit, and said so on its standard error
    Interrupted, ///< stopped by us
    NotFound     ///< did not start; `err` says why, `code` is the errno
  };
  How how = How::Exited;
  int code = 0;         ///< the exit code, or the signal it died of
  std::string out, err; ///< what it wrote, also if it was stopped
  bool truncated = false;
  double cpu_seconds = 0; ///< with the children it waited for
  /// Of its largest process. Never less than what this process had when it started the child:
  /// Linux counts the copy before exec.
  std::uint64_t peak_bytes = 0;
};

/// So much of both streams together is kept; the rest is read and dropped.
inline constexpr std::size_t kept_output = std::size_t{256} << 20;

/// Limits: `seconds` of wall time, `bytes` of address space for each process. The child's standard
/// input is empty. To stop it, the group gets SIGTERM, and SIGKILL half a second later.
Finished run(const Command& command, const Limits& limits);

/// The absolute path of a program on PATH; a name with a slash in it as it is, if executable.
std::optional<std::string> find_program(const std::string& name_or_path);

} // namespace weir::process
