#include "cli/console.h"

#include "frontend/load.h"
#include "report/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/ioctl.h>
#include <unistd.h>

namespace weir::cli {

std::atomic<bool> interrupted = false;

namespace {

report::Style style_of(int descriptor) {
  report::Style style;
  if (isatty(descriptor) == 0) return style;
  const char* term = std::getenv("TERM");
  style.colour = std::getenv("NO_COLOR") == nullptr && (!term || std::string_view(term) != "dumb");
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0) style.width = size.ws_col;
  return style;
}

std::atomic<std::int64_t> first_signal_ms = 0;

extern "C" void on_signal(int signal) {
  // Once: end the work in order. Again, by someone who has waited: at once, as the signal is meant.
  // (timeout(1) and shells may send one request twice, to the process and to its group.)
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t ms = now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
  if (!interrupted) {
    first_signal_ms = ms;
    interrupted = true;
  } else if (ms - first_signal_ms > 500) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

} // namespace

void catch_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN); // a reader that has seen enough does not change the answer
}

Console::Console() : out_(style_of(STDOUT_FILENO)), err_(style_of(STDERR_FILENO)) {}

void Console::print(std::string_view text) {
  end_progress();
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && errno != EPIPE) {
    complain(fmt::format("weir: error: cannot write the result: {}\n", std::strerror(errno)));
    std::_Exit(static_cast<int>(ExitCode::Internal));
  }
}

void Console::complain(std::string_view text) {
  end_progress();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

ExitCode Console::reject(const Source& source, const Diagnostics& diagnostics, Format format) {
  if (format == Format::Json) print(report::diagnostics_json(source, diagnostics).dump(2) + "\n");
  complain(report::diagnostics_text(source, diagnostics, err_));
  return ExitCode::BadInput;
}

void Console::complain_of(const Source& source, const Diagnostics& diagnostics) {
  complain(report::diagnostics_text(source, diagnostics, err_));
}

ExitCode Console::reject(const std::string& file, const std::string& reason) {
  complain(fmt::format("{}: {} {}\n", file, report::red(err_, "error:"), reason));
  return ExitCode::BadInput;
}

std::optional<ir::Program> Console::load(const std::string& file, Format format) {
  const auto source = frontend::read_source(file);
  if (const auto* problem = std::get_if<frontend::Unreadable>(&source)) {
    reject(file, problem->message);
    return std::nullopt;
  }
  auto program = frontend::parse(std::get<0>(source));
  if (program) return std::move(*program);
  reject(*std::get<0>(source), program.error(), format);
  return std::nullopt;
}

ExitCode Console::refuse(const Source& source, const std::string& reason, SourceSpan span) {
  if (span.end > span.begin) {
    Diagnostics diagnostics;
    diagnostics.error(span, reason);
    complain(report::diagnostics_text(source, diagnostics, err_));
  } else {
    complain(fmt::format("{}: {}\n", source.name(), reason));
  }
  return ExitCode::Undecided;
}

void Console::progress(const Statistics& s, const std::string& before) {
  if (err_.width == 0) return;
  const auto now = std::chrono::steady_clock::now();
  if ((s.seconds < 0.5 && before.empty()) || now - last_progress_ < std::chrono::milliseconds(200))
    return;
  last_progress_ = now;
  progress_shown_ = true;
  const double count = static_cast<double>(s.states),
               megabytes = static_cast<double>(s.bytes) / (1 << 20);
  if (s.unit == Statistics::Unit::Constraints)
    fmt::print(stderr, "\r\x1b[K{}{:.0f} thousand constraints, {:.0f} MB, {:.0f} s", before,
               count / 1e3, megabytes, s.seconds);
  else
    fmt::print(stderr, "\r\x1b[K{}{:.1f} million states, depth {}, {:.0f} MB, {:.0f} s", before,
               count / 1e6, s.depth, megabytes, s.seconds);
  std::fflush(stderr);
}

void Console::end_progress() {
  if (!progress_shown_) return;
  progress_shown_ = false;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

} // namespace weir::cli
