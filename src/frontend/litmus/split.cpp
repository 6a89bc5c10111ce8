#include "frontend/litmus/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weir::frontend::litmus {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

/// Where a comment in `(* *)` that begins here ends; they nest.
std::uint32_t end_of_comment(const std::string& text, std::uint32_t at) {
  int depth = 0;
  while (at < text.size()) {
    if (text.compare(at, 2, "(*") == 0) {
      ++depth;
      at += 2;
    } else if (text.compare(at, 2, "*)") == 0) {
      at += 2;
      if (--depth == 0) return at;
    } else {
      ++at;
    }
  }
  return at;
}

class Splitter {
public:
  Splitter(const Source& source, Diagnostics& diagnostics)
      : text_(source.text()), size_(static_cast<std::uint32_t>(text_.size())),
        diagnostics_(diagnostics) {}

  std::optional<Parts> run() {
    if (!first_line() || !find_initial_state()) return std::nullopt;
    skip_more_blocks();
    const std::uint32_t begin = at_;
    const std::uint32_t condition = find_constraint();
    parts_.program = {begin, std::min(condition, program_end_.value_or(condition))};
    if (only_blanks(parts_.program)) {
      diagnostics_.error({begin, std::min(begin + 1, size_)}, "the program is missing")
          .with_hint("it stands between the initial state and the condition");
      return std::nullopt;
    }
    at_ = condition;
    while (at_ < size_ && !starts_with("<<")) at_ = starts_with("(*") ? past_comment() : at_ + 1;
    parts_.constraint = {condition, at_};
    if (open_comment_) {
      diagnostics_.error({*open_comment_, *open_comment_ + 2}, "this comment is not closed");
      return std::nullopt;
    }
    return parts_;
  }

private:
  bool starts_with(std::string_view what) const {
    return text_.compare(at_, what.size(), what) == 0;
  }

  /// Where the comment here ends.
  std::uint32_t past_comment() {
    const std::uint32_t end = end_of_comment(text_, at_);
    const bool is_closed = end >= 2 && text_.compare(end - 2, 2, "*)") == 0 && end > at_ + 2;
    if (!is_closed && !open_comment_) open_comment_ = at_;
    return end;
  }

  void skip_blanks() {
    for (;;) {
      while (at_ < size_ && is_blank(text_[at_])) ++at_;
      if (!starts_with("(*")) return;
      at_ = past_comment();
    }
  }

  std::string word() {
    const std::uint32_t begin = at_;
    while (at_ < size_ && !is_blank(text_[at_]) && text_[at_] != '"' && text_[at_] != '{' &&
           text_[at_] != '(' && text_[at_] != ';')
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  bool first_line() {
    if (starts_with("\xEF\xBB\xBF")) at_ = 3;
    skip_blanks();
    const std::uint32_t begin = at_;
    const std::string architecture = word();
    if (architecture == "X86") {
      parts_.architecture = Architecture::X86;
    } else if (architecture == "X86_64") {
      parts_.architecture = Architecture::X86_64;
    } else if (architecture == "C") {
      parts_.architecture = Architecture::C;
    } else {
      diagnostics_
          .error({begin, std::max(at_, begin + 1)},
                 architecture.empty()
                     ? std::string("a litmus test begins with its architecture and its name")
                     : fmt::format("'{}' is no architecture that Weir reads", architecture))
          .with_hint("X86, X86_64 or C");
      return false;
    }
    while (at_ < size_ && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    parts_.name = word();
    if (parts_.name.ends_with(".litmus")) parts_.name.resize(parts_.name.size() - 7);
    return true;
  }

  /// Whatever stands before the first brace (`Key=value` lines, prose) says nothing to us.
  bool find_initial_state() {
    while (at_ < size_ && text_[at_] != '{') {
      if (starts_with("(*")) {
        at_ = past_comment();
      } else if (text_[at_] == '"') {
        const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
        at_ = end == std::string::npos ? size_ : static_cast<std::uint32_t>(end + 1);
      } else {
        ++at_;
      }
    }
    const std::uint32_t begin = at_;
    if (at_ == size_ && open_comment_) {
      diagnostics_.error({*open_comment_, *open_comment_ + 2}, "this comment is not closed");
      return false;
    }
    if (at_ == size_) {
      diagnostics_.error({size_ - 1, size_}, "the initial state is missing")
          .with_hint("it stands in braces before the program: { x=0; }");
      return false;
    }
    parts_.initial_state = {begin + 1, block_end()};
    if (at_ == size_) {
      diagnostics_.error({begin, begin + 1}, "this brace is not closed");
      return false;
    }
    ++at_;
    skip_blanks();
    if (at_ < size_ && text_[at_] == ';') ++at_;
    return true;
  }

  /// Goes to the brace that closes the one here.
  std::uint32_t block_end() {
    int depth = 0;
    while (at_ < size_) {
      if (starts_with("(*")) {
        at_ = past_comment();
        continue;
      }
      if (text_[at_] == '{') ++depth;
      if (text_[at_] == '}' && --depth == 0) return at_;
      ++at_;
    }
    return at_;
  }

  bool only_blanks(SourceSpan span) const {
    return std::all_of(text_.begin() + span.begin, text_.begin() + span.end, is_blank);
  }

  /// In C a block of `#include` lines may follow.
  void skip_more_blocks() {
    skip_blanks();
    while (parts_.architecture == Architecture::C && at_ < size_ && text_[at_] == '{') {
      block_end();
      at_ = std::min(at_ + 1, size_);
      skip_blanks();
    }
  }

  /// A comment or string of the program, if there is one here.
  bool skip_aside() {
    const bool is_c = parts_.architecture == Architecture::C;
    if (!is_c && starts_with("(*")) {
      at_ = past_comment();
    } else if (is_c && starts_with("//")) {
      while (at_ < size_ && text_[at_] != '\n') ++at_;
    } else if (is_c && starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string::npos ? size_ : static_cast<std::uint32_t>(end + 2);
    } else if (text_[at_] == '"') {
      const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
      at_ = end == std::string::npos ? size_ : static_cast<std::uint32_t>(end + 1);
    } else {
      return false;
    }
    return true;
  }

  std::uint32_t find_constraint() {
    static const std::set<std::string> words{"final",    "forall",    "exists", "observed",
                                             "Observed", "locations", "filter"};
    while (at_ < size_) {
      if (skip_aside()) continue;
      const std::uint32_t begin = at_;
      while (at_ < size_ && is_word(text_[at_])) ++at_;
      if (at_ == begin) {
        ++at_;
        continue;
      }
      const std::string found = text_.substr(begin, at_ - begin);
      // Sections that say nothing about the outcomes.
      const bool is_section = found == "regions" || found == "scopes" || found == "LK";
      if (parts_.architecture == Architecture::C && is_section && !program_end_)
        program_end_ = begin;
      if (words.count(found) == 0) continue;
      std::uint32_t sign = begin; // ~exists, not exists
      while (sign > 0 && is_blank(text_[sign - 1])) --sign;
      if (sign > 0 && text_[sign - 1] == '~') return sign - 1;
      if (sign > 3 && text_.compare(sign - 3, 3, "not") == 0 && !is_word(text_[sign - 4]))
        return sign - 3;
      return begin;
    }
    return size_;
  }

  const std::string& text_;
  std::uint32_t size_;
  Diagnostics& diagnostics_;
  std::uint32_t at_ = 0;
  Parts parts_;
  std::optional<std::uint32_t> program_end_, open_comment_;
};

} // namespace

std::optional<Parts> split(const Source& source, Diagnostics& diagnostics) {
  return Splitter(source, diagnostics).run();
}

std::string only(const Source& source, SourceSpan span, Comments comments) {
  const std::string& text = source.text();
  std::string result;
  const auto blank = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t i = from; i < to; ++i)
      if ((text[i] & 0xC0) != 0x80) result += text[i] == '\n' ? '\n' : ' '; // one for a character
  };
  blank(0, span.begin);
  for (std::uint32_t i = span.begin; i < span.end;) {
    std::uint32_t next = i;
    if (comments == Comments::Blank && text.compare(i, 2, "(*") == 0)
      next = std::min(end_of_comment(text, i), span.end);
    blank(i, next);
    if (next == i) result += text[next++];
    i = next;
  }
  return result;
}

} // namespace weir::frontend::litmus
