#include "base/edit.h"

#include "base/invariant.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir {
namespace {

constexpr std::uint32_t context_lines = 3;

void sort(std::vector<Edit>& edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
  for (std::size_t i = 0; i + 1 < edits.size(); ++i)
    invariant(edits[i].span.end <= edits[i + 1].span.begin, "edits should not overlap");
}

/// A stretch of text, edits applied, as lines with their line ends.
std::string applied(const std::string& text, SourceSpan span, const std::vector<Edit>& edits) {
  std::string result;
  std::uint32_t at = span.begin;
  for (const Edit& edit : edits) {
    result += text.substr(at, edit.span.begin - at) + edit.text;
    at = edit.span.end;
  }
  return result + text.substr(at, span.end - at);
}

/// Lines [first, end), from 1, that change, and what they become.
struct Change {
  std::uint32_t first, end;
  std::string text;
};

class Differ {
public:
  Differ(const Source& source, std::vector<Edit> edits) : source_(source) {
    sort(edits);
    std::vector<Edit> together;
    for (std::size_t i = 0; i < edits.size(); ++i) {
      together.push_back(edits[i]);
      const bool last = i + 1 == edits.size();
      if (last || line(edits[i + 1].span.begin) > line(edits[i].span.end) + 1) add(together);
    }
  }

  std::string run() const {
    if (changes_.empty()) return {};
    // With a blank in the name patch(1) wants to know where it ends.
    const char* end_of_name = source_.name().find(' ') == std::string::npos ? "" : "\t";
    std::string out = fmt::format("--- {0}{1}\n+++ {0}{1}\n", source_.name(), end_of_name);
    std::int64_t shift = 0; // lines added so far
    for (std::size_t i = 0; i < changes_.size();) {
      std::size_t end = i + 1; // of the changes of one hunk
      while (end < changes_.size() &&
             changes_[end].first <= changes_[end - 1].end + 2 * context_lines)
        ++end;
      hunk(i, end, shift, out);
      i = end;
    }
    return out;
  }

private:
  std::uint32_t line(std::uint32_t offset) const { return source_.position(offset).line; }
  std::uint32_t start_of(std::uint32_t number) const {
    return number > source_.line_count()
               ? static_cast<std::uint32_t>(source_.text().size())
               : static_cast<std::uint32_t>(source_.line(number).data() - source_.text().data());
  }

  void add(std::vector<Edit>& edits) {
    const std::uint32_t first = line(edits.front().span.begin);
    // A line that goes away altogether leaves nothing of itself, so nothing of the next is touched.
    const std::uint32_t last_end = edits.back().span.end;
    const bool whole_lines = start_of(line(last_end)) == last_end &&
                             last_end > edits[0].span.begin &&
                             edits.back().span.end > edits.back().span.begin;
    const std::uint32_t end = whole_lines ? line(last_end) : line(last_end) + 1;
    changes_.push_back(
        {first, end, applied(source_.text(), {start_of(first), start_of(end)}, edits)});
    edits.clear();
  }

  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      lines.push_back(text.substr(at, end - at));
      at = end;
    }
    return lines;
  }

  static void put(char mark, const std::string& text, std::string& out) {
    for (const std::string& one : lines_of(text)) {
      out += mark + one;
      if (one.back() != '\n') out += "\n\\ No newline at end of file\n";
    }
  }

  std::string old_lines(std::uint32_t first, std::uint32_t end) const {
    return source_.text().substr(start_of(first), start_of(end) - start_of(first));
  }

  void hunk(std::size_t from, std::size_t to, std::int64_t& shift, std::string& out) const {
    const std::uint32_t first =
        changes_[from].first - std::min(changes_[from].first - 1, context_lines);
    // The empty line after the last line end is no line.
    const std::uint32_t count =
        source_.line_count() - (start_of(source_.line_count()) == source_.text().size() ? 1 : 0);
    const std::uint32_t end = std::min(changes_[to - 1].end + context_lines, count + 1);
    std::string body;
    std::int64_t added = 0;
    std::uint32_t at = first;
    for (std::size_t i = from; i < to; ++i) {
      const Change& change = changes_[i];
      put(' ', old_lines(at, change.first), body);
      put('-', old_lines(change.first, change.end), body);
      put('+', change.text, body);
      added += static_cast<std::int64_t>(lines_of(change.text).size()) -
               static_cast<std::int64_t>(change.end - change.first);
      at = change.end;
    }
    put(' ', old_lines(at, end), body);
    out += fmt::format("@@ -{},{} +{},{} @@\n{}", first, end - first, first + shift,
                       end - first + added, body);
    shift += added;
  }

  const Source& source_;
  std::vector<Change> changes_;
};

} // namespace

std::string edited(const Source& source, std::vector<Edit> edits) {
  sort(edits);
  return applied(source.text(), {0, static_cast<std::uint32_t>(source.text().size())}, edits);
}

std::string unified_diff(const Source& source, std::vector<Edit> edits) {
  return Differ(source, std::move(edits)).run();
}

} // namespace weir
