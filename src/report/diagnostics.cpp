#include "report/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::report {
namespace {

constexpr std::size_t most_shown = 20;
constexpr std::size_t longest_line = 160;

std::string paint(const Style& style, const char* code, const std::string& text) {
  return style.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

/// The line with tabs as single blanks, cut around the column if it is very long.
std::string excerpt(std::string_view line, std::size_t& column) {
  std::string text(line);
  std::replace(text.begin(), text.end(), '\t', ' ');
  if (columns(text) <= longest_line) return text;
  // Columns count characters; cut at character boundaries.
  const auto is_start = [&](std::size_t i) { return (text[i] & 0xC0) != 0x80; };
  std::size_t from = column > longest_line / 2 ? column - longest_line / 2 : 0;
  std::size_t seen = 0, begin = 0;
  while (begin < text.size() && seen < from) {
    ++begin;
    if (begin == text.size() || is_start(begin)) ++seen;
  }
  std::size_t end = begin, taken = 0;
  while (end < text.size() && taken < longest_line) {
    ++end;
    if (end == text.size() || is_start(end)) ++taken;
  }
  column -= seen;
  return text.substr(begin, end - begin);
}

} // namespace

std::string bold(const Style& style, const std::string& text) { return paint(style, "1", text); }
std::string red(const Style& style, const std::string& text) { return paint(style, "1;31", text); }
std::string green(const Style& style, const std::string& text) { return paint(style, "1;32", text); }
std::string dim(const Style& style, const std::string& text) { return paint(style, "2", text); }

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string diagnostics_text(const Source& source, const Diagnostics& diagnostics,
                             const Style& style) {
  std::string out;
  const auto all = diagnostics.sorted();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == most_shown) {
      out += fmt::format("{}: {} more errors\n", source.name(), all.size() - most_shown);
      break;
    }
    const Diagnostic& d = all[i];
    const Position at = source.position(d.span.begin);
    const Position end = source.position(d.span.end);
    out += fmt::format("{} {} {}\n",
                       bold(style, fmt::format("{}:{}:{}:", source.name(), at.line, at.column)),
                       red(style, "error:"), bold(style, d.message));
    const std::string_view line = source.line(at.line);
    std::size_t column = at.column;
    const std::string shown = excerpt(line, column);
    const std::size_t room = std::max<std::size_t>(columns(shown) + 1, column) - column;
    std::size_t length = end.line == at.line ? end.column - at.column : room;
    length = std::clamp<std::size_t>(length, 1, std::max<std::size_t>(room, 1));
    out += fmt::format("{:>5} | {}\n", at.line, shown);
    out += fmt::format("      | {}{}\n", std::string(column - 1, ' '),
                       red(style, "^" + std::string(length - 1, '~')));
    if (!d.hint.empty()) out += fmt::format("      = {}\n", d.hint);
  }
  return out;
}

} // namespace weir::report
