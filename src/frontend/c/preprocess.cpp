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

SourceSpan Preprocessed::place(std::uint32_t begin, std::uint32_t end) {
  const auto known =
      std::lower_bound(known_.begin(), known_.end(), begin,
                       [](const auto& entry, std::uint32_t at) { return entry.first < at; });
  if (known != known_.end() && known->first == begin) return known->second;
  auto line = std::upper_bound(lines_.begin(), lines_.end(), begin,
                               [](std::uint32_t at, const Line& l) { return at < l.begin; });
  if (line == lines_.begin()) return {0, 1};
  const SourceSpan span = find(*--line, begin, end);
  if (known == known_.end()) known_.emplace_back(begin, span); // in order
  return span;
}

SourceSpan Preprocessed::find(Line& line, std::uint32_t begin, std::uint32_t end) {
  const std::string_view own = source_.line(line.line);
  const auto start = own.data() ? static_cast<std::uint32_t>(own.data() - source_.text().data())
                                : static_cast<std::uint32_t>(source_.text().size());
  if (line.is_included) return {start, start + static_cast<std::uint32_t>(own.size())};
  const std::string_view token(text_.data() + begin, end - begin);
  for (std::size_t at = line.next; (at = own.find(token, at)) != std::string_view::npos; ++at) {
    const bool starts_inside = is_word(token.front()) && at > 0 && is_word(own[at - 1]);
    const bool ends_inside =
        is_word(token.back()) && at + token.size() < own.size() && is_word(own[at + token.size()]);
    if (starts_inside || ends_inside) continue;
    line.next = static_cast<std::uint32_t>(at + token.size());
    return {start + static_cast<std::uint32_t>(at), start + line.next};
  }
  // A macro brought it: the next word of the line stands for it.
  std::uint32_t from = line.next;
  while (from < own.size() && (own[from] == ' ' || own[from] == '\t')) ++from;
  std::uint32_t to = from;
  while (to < own.size() && is_word(own[to])) ++to;
  return {start + from, start + std::max(to, from + 1)};
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
  for (const char* word : {"-isystem", folder.path().c_str()}) command.words.emplace_back(word);
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
