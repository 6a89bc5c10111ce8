#include "frontend/antlr/syntax.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::frontend::antlr {
namespace {

constexpr std::size_t most_errors = 20;

bool starts_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

std::string readable(const std::string& what) {
  if (what == "ID") return "a name";
  if (what == "INT" || what == "NUMBER") return "a number";
  if (what == "<EOF>" || what == "EOF") return "the end of the file";
  if (what == "REGISTER") return "a register";
  return what;
}

/// What could stand here, if that is short enough to be of help.
std::string expectation(antlr4::Parser& parser) {
  std::vector<std::string> words;
  const auto set = parser.getExpectedTokens();
  if (set.size() > 4) return {};
  for (const ssize_t type : set.toList())
    words.push_back(readable(parser.getVocabulary().getDisplayName(type)));
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i)
    result += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return result;
}

} // namespace

std::string shown(antlr4::Token* token) {
  if (token->getType() == antlr4::Token::EOF) return "the end of the file";
  const std::string text = token->getText();
  return "'" + (text.size() > 40 ? text.substr(0, 37) + "..." : text) + "'";
}

Offsets::Offsets(const Source& source) : text_(source.text()) { find_characters(); }

Offsets::Offsets(const std::string& text, Translate translate)
    : text_(text), translate_(std::move(translate)) {
  find_characters();
}

void Offsets::find_characters() {
  if (std::any_of(text_.begin(), text_.end(), [](char c) { return (c & 0x80) != 0; }))
    for (std::uint32_t i = 0; i < text_.size(); ++i)
      if ((text_[i] & 0xC0) != 0x80) offsets_.push_back(i);
}

std::uint32_t Offsets::offset(std::size_t character) const {
  if (offsets_.empty()) return static_cast<std::uint32_t>(character);
  if (character >= offsets_.size()) return static_cast<std::uint32_t>(text_.size());
  return offsets_[character];
}

SourceSpan Offsets::span(antlr4::Token* token) const {
  const auto end = static_cast<std::uint32_t>(text_.size());
  SourceSpan result{end, end + 1};
  if (token->getType() != antlr4::Token::EOF)
    result = {offset(token->getStartIndex()), offset(token->getStopIndex() + 1)};
  return translate_ ? translate_(result.begin, result.end) : result;
}

SourceSpan Offsets::span(const antlr4::ParserRuleContext* context) const {
  SourceSpan result = span(context->start);
  if (context->stop && context->stop->getStopIndex() >= context->start->getStartIndex())
    result.end = std::max(result.end, span(context->stop).end);
  return result;
}

void ErrorListener::syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* token, size_t,
                                size_t, const std::string& message, std::exception_ptr) {
  if (diagnostics_.size() >= most_errors || token == nullptr) return;
  auto* parser = dynamic_cast<antlr4::Parser*>(recognizer);
  const std::string expected = parser ? expectation(*parser) : "";
  // What is missing is said where it is missing: after the token before.
  antlr4::Token* before = parser ? parser->getTokenStream()->LT(-1) : nullptr;
  SourceSpan span = offsets_.span(token);
  if (before) span = {offsets_.span(before).end, offsets_.span(before).end + 1};
  if (starts_with(message, "missing ")) {
    const auto what = message.substr(8, message.find(" at ") - 8);
    diagnostics_.error(span, fmt::format("expected {} before {}", readable(what), shown(token)));
  } else if (before && !expected.empty() && before->getLine() < token->getLine()) {
    diagnostics_.error(span, fmt::format("expected {} before {}", expected, shown(token)));
  } else {
    auto& error = diagnostics_.error(offsets_.span(token), "unexpected " + shown(token));
    if (token->getText() == "=" && expected.find("')'") != std::string::npos)
      error.with_hint("to compare, write ==");
    else if (!expected.empty())
      error.with_hint("expected " + expected);
  }
}

antlr4::Token* too_deep(antlr4::tree::ParseTree* tree) {
  constexpr std::size_t deepest = 4000;
  std::vector<std::pair<antlr4::tree::ParseTree*, std::size_t>> work{{tree, 0}};
  while (!work.empty()) {
    const auto [at, depth] = work.back();
    work.pop_back();
    if (!at) continue;
    auto* context = dynamic_cast<antlr4::ParserRuleContext*>(at);
    if (depth > deepest && context) return context->start;
    for (auto* child : at->children) work.emplace_back(child, depth + 1);
  }
  return nullptr;
}

void check_nesting(antlr4::ParserRuleContext* context, antlr4::Token* at, std::size_t deepest) {
  std::size_t depth = 0;
  for (antlr4::tree::ParseTree* above = context; above; above = above->parent)
    if (++depth > deepest) throw TooDeep{at};
}

} // namespace weir::frontend::antlr
