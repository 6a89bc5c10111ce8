#include "backend/esbmc_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace weir::backend {

namespace {

using Kind = EsbmcReading::Kind;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string without_colours(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b' || i + 1 == text.size() || text[i + 1] != '[') {
      result += text[i];
      continue;
    }
    i += 2;
    while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
  }
  return result;
}

template <class T> std::optional<T> number(std::string_view text) {
  T result{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(result)
                                                                  : std::nullopt;
}

/// "-2 (11111110)", "1" (a _Bool) or "TRUE"; not "{ 1, 2 }", "&x" or "(signed int)y".
std::optional<std::int64_t> integer(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  const std::string_view rest = text.substr(word.size());
  if (!rest.empty() && !(rest.starts_with(" (") && rest.ends_with(')'))) return std::nullopt;
  if (word == "TRUE") return 1;
  if (word == "FALSE") return 0;
  return number<std::int64_t>(word);
}

/// Takes the text line by line.
class Reader {
public:
  void line(std::string_view line) {
    if (line.starts_with("ESBMC version ")) {
      line.remove_prefix(14);
      reading_.version = line.substr(0, line.find(' '));
    } else if (const auto at = line.find("pruned_by_cs_bound "); at != line.npos) {
      reading_.context_bound_cut = number<std::uint64_t>(line.substr(at + 19)).value_or(1) > 0;
    } else if (line == "[Counterexample]" || line == "Counterexample:") {
      reading_.trace.clear();
      property_.clear();
      awaits_property_ = false;
      step_.reset();
    } else if (!verdict(line) && !failure(line)) {
      counterexample(line);
    }
    if (first_error_.empty() && contains(line, ": error: ")) first_error_ = line;
    if (line.starts_with("ERROR")) last_error_ = line;
  }

  EsbmcReading finish(int exit_code) {
    if (reading_.kind == Kind::Garbled)
      reading_.message = fmt::format("no verdict in ESBMC's output (exit code {}){}{}", exit_code,
                                     last_error_.empty() ? "" : ": ", last_error_);
    if (reading_.kind == Kind::SyntaxError && !first_error_.empty())
      reading_.message = first_error_; // ESBMC's own line says only that there is one.
    if (reading_.kind != Kind::Failed && reading_.kind != Kind::UnwindingTooSmall)
      reading_.trace.clear();
    return std::move(reading_);
  }

private:
  bool decide(Kind kind, std::string_view message) {
    reading_.kind = kind;
    reading_.message = message;
    step_.reset();
    return true;
  }

  bool verdict(std::string_view line) {
    if (line == "VERIFICATION SUCCESSFUL") return decide(Kind::Successful, "");
    if (line == "VERIFICATION UNKNOWN") return decide(Kind::Unknown, "ESBMC does not know");
    if (line != "VERIFICATION FAILED") return false;
    const bool bound = property_.starts_with("unwinding assertion loop") ||
                       property_.starts_with("recursion unwinding assertion");
    return decide(bound ? Kind::UnwindingTooSmall : Kind::Failed, property_);
  }

  bool failure(std::string_view line) {
    if (line == "Timed out") return decide(Kind::TimedOut, line); // old releases
    if (line.starts_with("terminate called") && contains(line, "bad_alloc"))
      return decide(Kind::OutOfMemory, line);
    if (!line.starts_with("ERROR:") && !line.starts_with("LLVM ERROR:")) return false;
    if (contains(line, "Timed out")) return decide(Kind::TimedOut, line);
    if (contains(line, "ut of memory") || contains(line, "bad_alloc"))
      return decide(Kind::OutOfMemory, line);
    if (contains(line, "PARSING ERROR") || contains(line, "CONVERSION ERROR") ||
        contains(line, "failed to open input file"))
      return decide(Kind::SyntaxError, line);
    if (contains(line, "option '") || contains(line, "cannot be combined with"))
      return decide(Kind::BadOption, line);
    return false;
  }

  void counterexample(std::string_view line) {
    if (line.starts_with("State ")) return state(line);
    if (line == "Violated property:") {
      step_.reset();
      awaits_property_ = true;
    } else if (line.starts_with("** Results:")) {
      step_.reset();
    } else if (line.starts_with("  ") && !line.starts_with("   ")) { // More: an aggregate goes on.
      line.remove_prefix(2);
      if (awaits_property_ && !line.starts_with("file ")) {
        property_ = line;
        awaits_property_ = false;
      }
      if (step_) assignment(line);
    }
  }

  /// "State 12 file a.c line 27 column 3 function t1 thread 2"; place and function may be missing.
  void state(std::string_view line) {
    step_.reset();
    const auto thread = line.rfind(" thread ");
    if (thread == line.npos || contains(line, " file /esbmc-vfs/")) return;
    const auto id = number<std::uint32_t>(line.substr(thread + 8));
    if (!id) return;
    line = line.substr(0, thread);
    const auto function = line.rfind(" function ");
    step_ =
        TraceStep{*id, function == line.npos ? "" : std::string(line.substr(function + 10)), "", 0};
  }

  void assignment(std::string_view line) {
    const auto equals = line.find(" = ");
    if (equals == line.npos) return;
    const auto value = integer(line.substr(equals + 3));
    if (!value) return;
    step_->variable = line.substr(0, equals);
    step_->value = *value;
    reading_.trace.push_back(*step_);
  }

  EsbmcReading reading_;
  std::string property_;
  bool awaits_property_ = false;
  std::optional<TraceStep> step_; // inside a state of ours: its thread and function
  std::string first_error_, last_error_;
};

} // namespace

EsbmcReading read_esbmc(const std::string& out, const std::string& err, int exit_code) {
  const std::string text = without_colours(out + "\n" + err);
  Reader reader;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    reader.line(line);
  }
  return reader.finish(exit_code);
}

} // namespace weir::backend
