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

/// Nothing that a terminal would act on: tabs as single blanks, other noise as '?'.
std::string harmless(std::string_view line) {
  std::string text(line);
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80             ? 1
                               : (byte & 0xE0) == 0xC0 ? 2
                               : (byte & 0xF0) == 0xE0 ? 3
                               : (byte & 0xF8) == 0xF0 ? 4
                                                       : 0;
    bool whole = length > 0 && i + length <= text.size();
    for (std::size_t k = 1; whole && k < length; ++k) whole = (text[i + k] & 0xC0) == 0x80;
    if (!whole || byte < 0x20 || byte == 0x7F) text[i] = byte == '\t' ? ' ' : '?';
    i += whole ? length : 1;
  }
  return text;
}

/// The line, cut around the column if it is very long.
std::string excerpt(std::string_view line, std::size_t& column) {
  std::string text = harmless(line);
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
std::string green(const Style& style, const std::string& text) {
  return paint(style, "1;32", text);
}
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
