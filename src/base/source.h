#pragma once
// The user's text, and places in it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// A stretch of the source text, as byte offsets [begin, end).
struct SourceSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  /// Where a thing was written is not part of what it is: spans never make two programs differ.
  bool operator==(const SourceSpan&) const { return true; }
};

/// A place as people count it: lines and columns from 1. A column counts characters, not bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  bool operator==(const Position&) const = default;
};

class Source {
public:
  Source(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  Position position(std::uint32_t offset) const;
  /// The text of a line (from 1) without its line end.
  std::string_view line(std::uint32_t number) const;
  std::uint32_t line_count() const { return static_cast<std::uint32_t>(line_starts_.size()); }
  std::string_view text(SourceSpan span) const;

private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

} // namespace weir
