#include "frontend/cp/edit.h"
#include "frontend/litmus/litmus.h"
#include "frontend/litmus/split.h"

#include <algorithm>

namespace weir::frontend::litmus {

using namespace ir;

namespace {

/// In a program table a fence is a row of its own, with blanks in the other columns.
class Table {
public:
  explicit Table(const Program& program) : program_(program), text_(program.source->text()) {}

  std::vector<Edit> edits(const std::vector<Change>& changes) const {
    std::vector<Edit> result;
    for (const Change& change : changes) {
      const SourceSpan span = program_[change.statement].span;
      if (change.kind == Change::Kind::RemoveFence) {
        // The row stays: other threads' instructions may stand in it.
        result.push_back({span, std::string(span.end - span.begin, ' ')});
        continue;
      }
      const bool is_before = change.kind == Change::Kind::FenceBefore;
      const auto [begin, end] = row(span.begin);
      const std::string fence = fence_row(begin, end, span.begin);
      if (is_before)
        result.push_back({{begin, begin}, fence});
      else if (end < text_.size())
        result.push_back({{end + 1, end + 1}, fence});
      else
        result.push_back({{end, end}, "\n" + fence.substr(0, fence.size() - 1)});
    }
    return result;
  }

private:
  /// The line that this is in, without its line end.
  std::pair<std::uint32_t, std::uint32_t> row(std::uint32_t at) const {
    std::uint32_t begin = at, end = at;
    while (begin > 0 && text_[begin - 1] != '\n') --begin;
    while (end < text_.size() && text_[end] != '\n') ++end;
    return {begin, end};
  }

  std::string fence_row(std::uint32_t begin, std::uint32_t end, std::uint32_t at) const {
    const bool is_upper = text_[at] >= 'A' && text_[at] <= 'Z';
    const std::string word = is_upper ? "MFENCE" : "mfence";
    std::string result;
    for (std::uint32_t i = begin; i < end;) {
      std::uint32_t cell_end = i;
      while (cell_end < end && text_[cell_end] != '|' && text_[cell_end] != ';') ++cell_end;
      std::string cell(cell_end - i, ' ');
      if (at >= i && at < cell_end) {
        const std::size_t indent = at - i;
        cell = std::string(indent, ' ') + word;
        cell.resize(std::max<std::size_t>(cell.size(), cell_end - i), ' ');
      }
      result += cell;
      if (cell_end < end) result += text_[cell_end];
      const bool is_last = cell_end < end && text_[cell_end] == ';';
      i = cell_end + 1;
      if (is_last) break;
    }
    if (end > begin && text_[end - 1] == '\r') result += '\r';
    return result + "\n";
  }

  const Program& program_;
  const std::string& text_;
};

} // namespace

std::vector<Edit> edits(const Program& program, const std::vector<Change>& changes) {
  Diagnostics ignored;
  const auto parts = split(*program.source, ignored);
  if (!parts || parts->architecture != Architecture::C) return Table(program).edits(changes);
  cp::Words words;
  const bool is_kernel = program.source->text().find("_ONCE(") != std::string::npos ||
                         program.source->text().find("smp_") != std::string::npos;
  words.fence = is_kernel ? "smp_mb();" : "atomic_thread_fence(memory_order_seq_cst);";
  words.nothing = ";";
  return cp::edits(program, changes, words);
}

} // namespace weir::frontend::litmus
