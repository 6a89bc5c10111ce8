#pragma once
// The only code that prints, with main: results to stdout, the rest to stderr.

#include "base/diagnostic.h"
#include "base/source.h"
#include "ir/program.h"
#include "report/diagnostics.h"
#include "verdict/verdict.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace weir::cli {

enum class Format : std::uint8_t { Text, Json };

class Console {
public:
  Console();

  void print(std::string_view text);
  void complain(std::string_view text);
  /// Reports bad input and returns its exit code.
  ExitCode reject(const Source& source, const Diagnostics& diagnostics, Format format);
  ExitCode reject(const std::string& file, const std::string& reason);
  /// Says what is wrong with one of several files.
  void complain_of(const Source& source, const Diagnostics& diagnostics);
  /// The program in the file; if there is none, what is wrong has been said.
  std::optional<ir::Program> load(const std::string& file, Format format);

  /// A program that is right but that a translation cannot take: undecided.
  ExitCode refuse(const Source& source, const std::string& reason, SourceSpan span);

  /// A line on a terminal that is overwritten as work goes on; nothing elsewhere.
  void progress(const Statistics& statistics, const std::string& before = {});
  void end_progress();

  const report::Style& style() const { return out_; }

private:
  report::Style out_, err_;
  std::chrono::steady_clock::time_point last_progress_;
  bool progress_shown_ = false;
};

/// Set by Ctrl-C and by a request to terminate; engines look at it.
extern std::atomic<bool> interrupted;
void catch_signals();

} // namespace weir::cli
