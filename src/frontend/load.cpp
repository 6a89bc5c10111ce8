#include "frontend/load.h"

#include "base/invariant.h"
#include "frontend/c/parse.h"
#include "frontend/c/preprocess.h"
#include "frontend/changes.h"
#include "frontend/cp/edit.h"
#include "frontend/cp/parse.h"
#include "frontend/litmus/litmus.h"
#include "frontend/rmm/edit.h"
#include "frontend/rmm/parse.h"
#include "frontend/wellformed.h"
#include "ir/validate.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sys/stat.h>

namespace weir::frontend {
namespace {

/// A language: the ending of its files, its parser, and how fences are written in it.
struct Language {
  std::string_view ending;
  std::optional<ir::Program> (*parse)(const std::shared_ptr<const Source>&, Diagnostics&);
  std::vector<Edit> (*edits)(const ir::Program&, const std::vector<Change>&);
  bool has_exchange; ///< a store can become a locked instruction
};

constexpr std::array languages{
    Language{".cp", cp::parse, cp::edits, true},
    Language{".c", c::parse, c::edits, false},
    Language{".i", c::parse, c::edits, false}, // preprocessed already
    Language{".litmus", litmus::parse, litmus::edits, false},
    Language{".rmm", rmm::parse, rmm::edits, true},
};

const Language* language_of(const std::string& name) {
  for (const Language& candidate : languages)
    if (name.ends_with(candidate.ending)) return &candidate;
  return nullptr;
}

/// Parsing takes about a second and 250 MB per megabyte; no program a checker can decide is larger.
constexpr std::size_t most_bytes = std::size_t{4} << 20;

/// The first byte that is not UTF-8 text, if any.
std::optional<std::size_t> find_noise(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f') return i;
    const std::size_t length = byte < 0x80             ? 1
                               : (byte & 0xE0) == 0xC0 ? 2
                               : (byte & 0xF0) == 0xE0 ? 3
                               : (byte & 0xF8) == 0xF0 ? 4
                                                       : 0;
    if (length == 0 || i + length > text.size()) return i;
    std::uint32_t point = length == 1 ? byte : byte & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0) != 0x80) return i;
      point = (point << 6) | (next & 0x3Fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < least[length] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return i;
    i += length;
  }
  return std::nullopt;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n\f") == std::string::npos;
}

/// Whether there is text in the file; else says what there is.
bool is_text(const Source& source, Diagnostics& diagnostics) {
  if (const auto noise = find_noise(source.text())) {
    const auto at = static_cast<std::uint32_t>(*noise);
    diagnostics.error({at, at + 1}, fmt::format("this is not text: byte 0x{:02X}",
                                                static_cast<unsigned char>(source.text()[*noise])));
    return false;
  }
  if (is_blank(source.text())) {
    auto& problem = diagnostics.error({0, 1}, "the file is empty");
    if (source.name().ends_with(".cp"))
      problem.with_hint("a program has at least one process, for example: process P { skip; }");
    return false;
  }
  return true;
}

} // namespace

std::variant<std::shared_ptr<const Source>, Unreadable> read_source(const std::string& path) {
  const Unreadable too_large{
      fmt::format("is larger than {} MB, the most that Weir reads", most_bytes >> 20)};
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return Unreadable{std::strerror(errno)};
  if (S_ISDIR(info.st_mode)) return Unreadable{"is a folder, not a program"};
  std::ifstream in(path, std::ios::binary);
  if (!in) return Unreadable{std::strerror(errno)};
  if (S_ISREG(info.st_mode) && static_cast<std::size_t>(info.st_size) > most_bytes)
    return too_large;
  std::string text; // in pieces: a pipe does not say how much is coming
  for (std::array<char, 1 << 16> piece; in && text.size() <= most_bytes;) {
    in.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (text.size() > most_bytes) return too_large;
  if (in.bad()) return Unreadable{std::strerror(errno)};
  return std::make_shared<const Source>(path, std::move(text));
}

Result<ir::Program> parse(const std::shared_ptr<const Source>& source) {
  Diagnostics diagnostics;
  const std::string& name = source->name();
  const Language* language = language_of(name);
  if (!language) {
    std::string endings;
    for (const Language& known : languages) endings += fmt::format(" {}", known.ending);
    diagnostics.error({0, 1}, "this ending names no language that Weir reads")
        .with_hint("known endings:" + endings);
    return diagnostics;
  }
  if (!is_text(*source, diagnostics)) return diagnostics;
  auto program = language->parse(source, diagnostics);
  // A program with mistakes is checked further if it is whole enough.
  if (program && (!diagnostics.has_errors() || !ir::find_flaw(*program)))
    check_wellformed(*program, diagnostics);
  if (diagnostics.has_errors()) return diagnostics;
  return ir::validated(std::move(*program));
}

void add_preprocessor_word(std::string word) { c::preprocessor_words().push_back(std::move(word)); }

Result<litmus::Test> parse_litmus(const std::shared_ptr<const Source>& source) {
  Diagnostics diagnostics;
  if (!is_text(*source, diagnostics)) return diagnostics;
  auto test = litmus::read(source, diagnostics);
  if (test && !diagnostics.has_errors()) check_wellformed(test->program, diagnostics);
  if (diagnostics.has_errors()) return diagnostics;
  test->program = ir::validated(std::move(test->program));
  return std::move(*test);
}

std::vector<Edit> edits(const ir::Program& program, const std::vector<Change>& changes) {
  const Language* language = language_of(program.source->name());
  invariant(language != nullptr, "a program that was read should have a language");
  return language->edits(program, changes);
}

bool has_exchange(const ir::Program& program) {
  const Language* language = language_of(program.source->name());
  return language && language->has_exchange;
}

} // namespace weir::frontend
