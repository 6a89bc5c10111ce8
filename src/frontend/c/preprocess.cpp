#include "frontend/c/preprocess.h"

#include "frontend/c/headers.h"
#include "process/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <unistd.h>

namespace weir::frontend::c {
namespace {

constexpr const char* input_name = "weir-input.c";

/// A folder that goes away with it.
class Folder {
public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weir-c-XXXXXX").string();
    if (::mkdtemp(pattern.data())) path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

void write(const std::string& name, std::string_view text) {
  std::ofstream(name, std::ios::binary) << text;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// What the preprocessor said, as diagnostics of the user's file.
void report(const Source& source, const std::string& said, Diagnostics& diagnostics) {
  static const std::regex message(R"(([^:\n]+):(\d+):(?:(\d+):)? (?:fatal )?error: ([^\n]*))");
  bool any = false;
  for (std::sregex_iterator it(said.begin(), said.end(), message), end; it != end; ++it) {
    const std::smatch& found = *it;
    const bool is_own = found[1].str().ends_with(input_name);
    std::uint32_t at = 0;
    if (is_own) {
      const auto line = static_cast<std::uint32_t>(std::stoul(found[2].str()));
      const std::string_view text = source.line(line);
      at = text.empty() ? 0 : static_cast<std::uint32_t>(text.data() - source.text().data());
    }
    diagnostics.error({at, at + 1}, is_own ? found[4].str()
                                           : fmt::format("{}:{}: {}", found[1].str(),
                                                         found[2].str(), found[4].str()));
    any = true;
  }
  if (!any)
    diagnostics.error({0, 1}, "the preprocessor failed: " + said.substr(0, said.find('\n')));
}

} // namespace

std::vector<std::string>& preprocessor_words() {
  static std::vector<std::string> words;
  return words;
}

Preprocessed::Preprocessed(const Source& source, std::string text)
    : source_(source), text_(std::move(text)) {
  find_lines();
}

/// Line markers (`# 12 "file" 1`) say where the next line comes from; `1` enters an included file.
void Preprocessed::find_lines() {
  std::uint32_t line = 1, depth = 0, include_line = 1;
  bool is_marked = false;
  for (std::size_t at = 0; at < text_.size();) {
    std::size_t end = text_.find('\n', at);
    if (end == std::string::npos) end = text_.size();
    const std::string_view now(text_.data() + at, end - at);
    if (now.starts_with("# ") && now.size() > 2 &&
        std::isdigit(static_cast<unsigned char>(now[2])) != 0) {
      is_marked = true;
      const auto number = static_cast<std::uint32_t>(std::strtoul(now.data() + 2, nullptr, 10));
      const bool is_own = now.find(input_name) != std::string_view::npos;
      if (is_own) {
        depth = 0;
        line = number;
      } else {
        if (depth == 0) include_line = line > 1 ? line - 1 : 1;
        depth = 1;
      }
      std::fill(text_.begin() + static_cast<std::ptrdiff_t>(at),
                text_.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    } else {
      Line made;
      made.begin = static_cast<std::uint32_t>(at);
      made.end = static_cast<std::uint32_t>(end);
      made.is_included = depth > 0;
      made.line = depth > 0 ? include_line : line;
      lines_.push_back(made);
      if (depth == 0) ++line;
    }
    at = end + 1;
  }
  if (!is_marked)
    for (std::size_t i = 0; i < lines_.size(); ++i)
      lines_[i].line = static_cast<std::uint32_t>(i + 1);
}

SourceSpan Preprocessed::place(std::uint32_t begin, std::uint32_t) {
  auto line = std::upper_bound(lines_.begin(), lines_.end(), begin,
                               [](std::uint32_t at, const Line& l) { return at < l.begin; });
  if (line == lines_.begin()) return {0, 1};
  --line;
  if (!line->is_aligned) align(*line);
  const auto next = std::upper_bound(line->tokens.begin(), line->tokens.end(), begin,
                                     [](std::uint32_t at, const auto& t) { return at < t.first; });
  if (next != line->tokens.begin()) return std::prev(next)->second;
  const std::string_view own = source_.line(line->line);
  const auto start = own.data() ? static_cast<std::uint32_t>(own.data() - source_.text().data())
                                : static_cast<std::uint32_t>(source_.text().size());
  return {start, start + std::max<std::uint32_t>(1, static_cast<std::uint32_t>(own.size()))};
}

namespace {

struct Piece {
  std::uint32_t begin, end;
};

/// The tokens of a line, without blanks and comments.
std::vector<Piece> pieces(std::string_view line) {
  std::vector<Piece> result;
  for (std::uint32_t at = 0; at < line.size();) {
    const char c = line[at];
    std::uint32_t end = at + 1;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      ++at;
      continue;
    }
    if (line.compare(at, 2, "//") == 0) break;
    if (line.compare(at, 2, "/*") == 0) {
      const std::size_t close = line.find("*/", at + 2);
      at = close == std::string_view::npos ? static_cast<std::uint32_t>(line.size())
                                           : static_cast<std::uint32_t>(close + 2);
      continue;
    }
    if (is_word(c)) {
      while (end < line.size() && (is_word(line[end]) || line[end] == '.')) {
        if (line[end] == '.' && std::isdigit(static_cast<unsigned char>(c)) == 0) break;
        ++end;
      }
    } else if (c == '"' || c == '\'') {
      while (end < line.size() && line[end] != c) end += line[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, static_cast<std::uint32_t>(line.size()));
    } else {
      for (const char* longer :
           {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
            "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="})
        if (line.substr(at).starts_with(longer)) {
          end = at + static_cast<std::uint32_t>(std::string_view(longer).size());
          break;
        }
    }
    result.push_back({at, end});
    at = end;
  }
  return result;
}

/// Which stretch of the user's line each token of the preprocessed line comes from: itself, or the use
/// of a macro. What fits is found by trying, longest agreement first.
class Alignment {
public:
  Alignment(std::string_view own, std::string_view made)
      : own_(own), made_(made), own_pieces_(pieces(own)), made_pieces_(pieces(made)),
        failed_(own_pieces_.size() + 1, std::vector<bool>(made_pieces_.size() + 1)) {}

  /// By token of the preprocessed line; empty if they do not fit.
  std::vector<Piece> result() {
    chosen_.assign(made_pieces_.size(), {});
    if (own_pieces_.size() * made_pieces_.size() > 200'000 || !fits(0, 0)) chosen_.clear();
    return chosen_;
  }
  const std::vector<Piece>& made() const { return made_pieces_; }

private:
  std::string_view own(std::size_t i) const {
    return own_.substr(own_pieces_[i].begin, own_pieces_[i].end - own_pieces_[i].begin);
  }
  std::string_view made(std::size_t j) const {
    return made_.substr(made_pieces_[j].begin, made_pieces_[j].end - made_pieces_[j].begin);
  }

  bool fits(std::size_t i, std::size_t j) {
    if (i == own_pieces_.size()) return j == made_pieces_.size();
    if (failed_[i][j]) return false;
    if (j < made_pieces_.size() && own(i) == made(j)) {
      chosen_[j] = own_pieces_[i];
      if (fits(i + 1, j + 1)) return true;
    }
    if (is_word(own(i)[0]) && std::isdigit(static_cast<unsigned char>(own(i)[0])) ==
                                  0) { // a macro, perhaps with arguments
      for (const std::size_t after : {past_call(i), i + 1}) {
        if (after == i) continue;
        for (std::size_t end = j; end <= made_pieces_.size(); ++end) {
          for (std::size_t k = j; k < end; ++k)
            chosen_[k] = {own_pieces_[i].begin, own_pieces_[after - 1].end};
          if (fits(after, end)) return true;
        }
      }
    }
    failed_[i][j] = true;
    return false;
  }

  /// Past the arguments of a macro; `i` if there are none.
  std::size_t past_call(std::size_t i) const {
    if (i + 1 >= own_pieces_.size() || own(i + 1) != "(") return i;
    int depth = 0;
    for (std::size_t k = i + 1; k < own_pieces_.size(); ++k) {
      depth += own(k) == "(" ? 1 : own(k) == ")" ? -1 : 0;
      if (depth == 0) return k + 1;
    }
    return own_pieces_.size(); // they go on on the next line
  }

  std::string_view own_, made_;
  std::vector<Piece> own_pieces_, made_pieces_;
  std::vector<std::vector<bool>> failed_;
  std::vector<Piece> chosen_;
};

} // namespace

void Preprocessed::align(Line& line) {
  line.is_aligned = true;
  const std::string_view own = source_.line(line.line);
  if (!own.data() || line.is_included) return;
  const auto start = static_cast<std::uint32_t>(own.data() - source_.text().data());
  Alignment alignment(own, std::string_view(text_).substr(line.begin, line.end - line.begin));
  const auto found = alignment.result();
  for (std::size_t j = 0; j < found.size(); ++j)
    line.tokens.emplace_back(line.begin + alignment.made()[j].begin,
                             SourceSpan{start + found[j].begin, start + found[j].end});
}

std::optional<Preprocessed> preprocess(const Source& source, Diagnostics& diagnostics) {
  const std::string& text = source.text();
  static const std::regex predefined("__[A-Z]");
  if (text.find('#') == std::string::npos && preprocessor_words().empty() &&
      !std::regex_search(text, predefined))
    return Preprocessed(source, text);
  const char* wished = std::getenv("WEIR_CPP");
  std::optional<std::string> program;
  for (const char* name : {wished ? wished : "gcc", "cc", "clang"})
    if (!program) program = process::find_program(name);
  if (!program) {
    diagnostics.error({0, 1}, "there is no C preprocessor here")
        .with_hint("install gcc, or name another one with WEIR_CPP");
    return std::nullopt;
  }
  const Folder folder;
  if (folder.path().empty()) {
    diagnostics.error({0, 1}, "there is no room for temporary files");
    return std::nullopt;
  }
  for (unsigned i = 0; i < header_count; ++i)
    write(folder.path() + "/" + headers[i].name, headers[i].text);
  const std::string input = folder.path() + "/" + input_name;
  write(input, text);
  std::string beside = std::filesystem::path(source.name()).parent_path().string();
  if (beside.empty()) beside = ".";
  process::Command command{
      {*program, "-E", "-nostdinc", "-std=gnu11", "-D__WEIR__=1", "-iquote", beside}, ""};
  for (const std::string& word : preprocessor_words()) command.words.push_back(word);
  // Not as the headers of the system: what their macros bring would stand on lines of its own.
  for (const char* word : {"-I", folder.path().c_str()}) command.words.emplace_back(word);
  command.words.push_back(input);
  Limits limits;
  limits.seconds = 60;
  const auto done = process::run(command, limits);
  if (done.how != process::Finished::How::Exited || done.code != 0) {
    report(source, done.err, diagnostics);
    return std::nullopt;
  }
  return Preprocessed(source, done.out);
}

} // namespace weir::frontend::c
