#include "frontend/cp/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weir::frontend::cp {

using namespace ir;

namespace {

/// What is to be done at one statement.
struct Changes {
  bool before = false, after = false, exchange = false, remove = false;
};

SourceSpan at(std::uint32_t offset) { return {offset, offset}; }

class Editor {
public:
  Editor(const Program& program, const Words& words) : program_(program), words_(words) {}

  void change(const SourceStatement& s, const Changes& what) {
    const bool labelled_block = s.outer.begin != s.whole.begin || s.outer.end != s.whole.end;
    const bool wraps_outer = what.before && s.outer_is_alone;
    const bool wraps = (what.after && s.is_alone) && !(wraps_outer && !labelled_block);
    if (what.before)
      begin(s.outer.begin, fmt::format("{}{} ", wraps_outer ? "{ " : "", words_.fence));
    if (wraps) begin(s.whole.begin, "{ ");
    if (what.exchange) begin(s.span.begin, std::string(words_.exchange_begin));
    // Inner ends first.
    std::string end;
    if (what.exchange) end += words_.exchange_end;
    if (what.after) end += fmt::format(" {}", words_.fence);
    if (wraps || (wraps_outer && !labelled_block)) end += " }";
    if (!end.empty()) ends_.push_back({at(s.span.end), end});
    if (wraps_outer && labelled_block) ends_.push_back({at(s.outer.end), " }"});
    if (what.remove) remove(s);
  }

  std::vector<Edit> take() {
    // At one offset what an inner statement ends with comes before what an outer one ends with; and
    // ends come before beginnings.
    std::reverse(ends_.begin(), ends_.end());
    std::vector<Edit> result = std::move(ends_);
    result.insert(result.end(), begins_.begin(), begins_.end());
    result.insert(result.end(), removals_.begin(), removals_.end());
    return result;
  }

private:
  void begin(std::uint32_t offset, std::string text) {
    begins_.push_back({at(offset), std::move(text)});
  }

  void remove(const SourceStatement& s) {
    const std::string& text = program_.source->text();
    if (s.is_alone || s.whole.begin != s.span.begin) {
      begins_.push_back({s.span, std::string(words_.nothing)});
      return;
    }
    const auto is_blank = [&](std::uint32_t i) { return text[i] == ' ' || text[i] == '\t'; };
    std::uint32_t begin = s.span.begin, end = s.span.end;
    std::size_t before = removals_.size(); // those that stand right before, with blanks between
    for (bool goes_on = true; goes_on;) {
      while (begin > 0 && is_blank(begin - 1)) --begin;
      goes_on = before > 0 && removals_[before - 1].span.end >= begin;
      if (goes_on) begin = removals_[--before].span.begin;
    }
    while (end < text.size() && is_blank(end)) ++end;
    const bool starts_line = begin == 0 || text[begin - 1] == '\n';
    std::uint32_t next_line = end;
    if (next_line < text.size() && text[next_line] == '\r') ++next_line;
    const bool ends_line = next_line == text.size() || text[next_line] == '\n';
    SourceSpan gone{s.span.begin, end}; // with the blanks up to what follows
    if (ends_line) {
      gone = {begin, s.span.end};
      if (starts_line) // the whole line
        gone.end = next_line == text.size() ? next_line : next_line + 1;
      removals_.resize(before); // they are in it
    }
    removals_.push_back({gone, ""});
  }

  const Program& program_;
  const Words& words_;
  std::vector<Edit> begins_, ends_, removals_;
};

} // namespace

std::vector<Edit> edits(const Program& program, const std::vector<Change>& changes,
                        const Words& words) {
  std::map<StatementId, Changes> by_statement; // outer statements have smaller numbers
  for (const Change& change : changes) {
    Changes& what = by_statement[change.statement];
    switch (change.kind) {
    case Change::Kind::FenceBefore: what.before = true; break;
    case Change::Kind::FenceAfter: what.after = true; break;
    case Change::Kind::Exchange: what.exchange = true; break;
    case Change::Kind::RemoveFence: what.remove = true; break;
    }
  }
  Editor editor(program, words);
  for (const auto& [statement, what] : by_statement) editor.change(program[statement], what);
  return editor.take();
}

std::vector<Edit> edits(const Program& program, const std::vector<Change>& changes) {
  return edits(program, changes, Words{});
}

} // namespace weir::frontend::cp
