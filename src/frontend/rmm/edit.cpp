#include "frontend/rmm/edit.h"

#include <algorithm>
#include <map>
#include <utility>

namespace weir::frontend::rmm {

using namespace ir;

namespace {

/// What is to be done at one place of the text, which may be several statements: a macro's, used in
/// places with labels of their own.
struct Changes {
  const SourceStatement* statement = nullptr;
  std::map<std::uint32_t, const SourceStatement*> before; ///< by where the fence goes
  bool after = false, exchange = false, remove = false;
};

/// Outer stretches come before those in them.
using Key = std::pair<std::uint32_t, std::int64_t>;

class Editor {
public:
  void change(const Changes& what) {
    const SourceStatement& s = *what.statement;
    bool wraps = what.after && s.is_alone;
    std::string end = what.after ? "; fence" : "";
    for (const auto& [offset, which] : what.before) {
      const bool is_block = which->outer.begin != s.whole.begin || which->outer.end != s.whole.end;
      insert(begins_, offset, which->outer_is_alone ? "{ fence; " : "fence; ");
      if (!which->outer_is_alone) continue;
      if (is_block)
        insert(ends_, which->outer.end, " }");
      else
        wraps = false, end += " }";
    }
    if (wraps) insert(begins_, s.whole.begin, "{ "), end += " }";
    if (what.exchange) insert(begins_, s.span.begin, "locked ");
    if (what.remove) replacements_.push_back({s.span, "nop"});
    if (!end.empty()) insert(ends_, s.span.end, end);
  }

  std::vector<Edit> take() {
    // At one offset what an inner statement ends with comes before what an outer one ends with; and
    // ends come before beginnings.
    std::reverse(ends_.begin(), ends_.end());
    std::vector<Edit> result = std::move(ends_);
    result.insert(result.end(), begins_.begin(), begins_.end());
    result.insert(result.end(), replacements_.begin(), replacements_.end());
    return result;
  }

private:
  static void insert(std::vector<Edit>& into, std::uint32_t offset, std::string text) {
    into.push_back({{offset, offset}, std::move(text)});
  }

  std::vector<Edit> begins_, ends_, replacements_;
};

} // namespace

std::vector<Edit> edits(const Program& program, const std::vector<Change>& changes) {
  std::map<Key, Changes> by_place;
  for (const Change& change : changes) {
    const SourceStatement& s = program[change.statement];
    Changes& what = by_place[{s.span.begin, -static_cast<std::int64_t>(s.span.end)}];
    if (what.statement == nullptr || s.is_alone) what.statement = &s;
    switch (change.kind) {
    case Change::Kind::FenceBefore: what.before[s.outer.begin] = &s; break;
    case Change::Kind::FenceAfter: what.after = true; break;
    case Change::Kind::Exchange: what.exchange = true; break;
    case Change::Kind::RemoveFence: what.remove = true; break;
    }
  }
  Editor editor;
  for (const auto& [place, what] : by_place) editor.change(what);
  return editor.take();
}

} // namespace weir::frontend::rmm
