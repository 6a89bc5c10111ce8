#include "frontend/cp/syntax.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::frontend::cp {
namespace {

constexpr std::size_t most_errors = 20;
/// Rules open at once. A statement or operator takes two or three, so this is about 500 levels:
/// more than people write, and within an ordinary stack.
constexpr std::size_t deepest_nesting = 1500;

struct TooDeep {
  antlr4::Token* at;
};

/// Follows how deep the recursive descent is and stops before the stack would.
class GuardedParser : public Grammar {
public:
  using Grammar::Grammar;

  void enterRule(antlr4::ParserRuleContext* context, size_t state, size_t rule) override {
    enter(context);
    Grammar::enterRule(context, state, rule);
  }

  void enterRecursionRule(antlr4::ParserRuleContext* context, size_t state, size_t rule,
                          int precedence) override {
    enter(context);
    Grammar::enterRecursionRule(context, state, rule, precedence);
  }

private:
  // Rules are left, and contexts replaced by those of their alternative, without a call we could
  // see. So the path to the new context is put right here: entries below its parent are dropped,
  // and one with the same parent as its parent is what that one replaced.
  void enter(antlr4::ParserRuleContext* context) {
    antlr4::tree::ParseTree* const parent = context->parent;
    const antlr4::tree::ParseTree* const above = parent ? parent->parent : nullptr;
    while (!open_.empty() && open_.back() != parent && open_.back()->parent != above)
      open_.pop_back();
    if (!open_.empty()) open_.back() = parent;
    open_.push_back(context);
    if (open_.size() > deepest_nesting) throw TooDeep{getCurrentToken()};
  }

  std::vector<antlr4::tree::ParseTree*> open_;
};

bool starts_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

std::string shown(antlr4::Token* token) {
  if (token->getType() == antlr4::Token::EOF) return "the end of the file";
  const std::string text = token->getText();
  return "'" + (text.size() > 40 ? text.substr(0, 37) + "..." : text) + "'";
}

} // namespace

/// Says what ANTLR found in the words of the other messages.
class Syntax::ErrorListener : public antlr4::BaseErrorListener {
public:
  ErrorListener(const Syntax& syntax, Diagnostics& diagnostics)
      : syntax_(syntax), diagnostics_(diagnostics) {}

  void syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* token, size_t, size_t,
                   const std::string& message, std::exception_ptr) override {
    if (diagnostics_.size() >= most_errors || token == nullptr) return;
    auto* parser = dynamic_cast<Grammar*>(recognizer);
    const std::string expected = parser ? expectation(*parser) : "";
    // What is missing is said where it is missing: after the token before.
    antlr4::Token* before = parser ? parser->getTokenStream()->LT(-1) : nullptr;
    SourceSpan span = syntax_.span(token);
    if (before) span = {syntax_.span(before).end, syntax_.span(before).end + 1};
    if (starts_with(message, "missing ")) {
      const auto what = message.substr(8, message.find(" at ") - 8);
      diagnostics_.error(span, fmt::format("expected {} before {}", readable(what), shown(token)));
    } else if (before && !expected.empty() && before->getLine() < token->getLine()) {
      diagnostics_.error(span, fmt::format("expected {} before {}", expected, shown(token)));
    } else {
      auto& error = diagnostics_.error(syntax_.span(token), "unexpected " + shown(token));
      if (token->getText() == "=" && expected.find("')'") != std::string::npos)
        error.with_hint("to compare, write ==");
      else if (!expected.empty())
        error.with_hint("expected " + expected);
    }
  }

private:
  static std::string readable(const std::string& what) {
    if (what == "ID") return "a name";
    if (what == "INT") return "a number";
    if (what == "<EOF>") return "the end of the file";
    return what;
  }

  /// What could stand here, if that is short enough to be of help.
  static std::string expectation(Grammar& parser) {
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

  const Syntax& syntax_;
  Diagnostics& diagnostics_;
};

Syntax::Syntax(const Source& source, Diagnostics& diagnostics) : source_(source) {
  const std::string& text = source.text();
  if (std::any_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; })) {
    for (std::uint32_t i = 0; i < text.size(); ++i)
      if ((text[i] & 0xC0) != 0x80) offsets_.push_back(i);
  }
  input_ = std::make_unique<antlr4::ANTLRInputStream>(text);
  lexer_ = std::make_unique<weir_antlr::ConcurrentProgramLexer>(input_.get());
  lexer_->removeErrorListeners();
  tokens_ = std::make_unique<antlr4::CommonTokenStream>(lexer_.get());
  parser_ = std::make_unique<GuardedParser>(tokens_.get());
  // Two tokens decide everywhere in this grammar, so the fast prediction mode is exact.
  parser_->getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
      antlr4::atn::PredictionMode::SLL);
  ErrorListener listener(*this, diagnostics);
  parser_->removeErrorListeners();
  parser_->addErrorListener(&listener);
  try {
    program_ = parser_->program();
  } catch (const TooDeep& deep) {
    diagnostics.error(span(deep.at), "nested too deeply")
        .with_hint("blocks and expressions may nest about 500 levels");
  }
  parser_->removeErrorListeners();
}

Syntax::~Syntax() = default;

std::uint32_t Syntax::offset(std::size_t character) const {
  if (offsets_.empty()) return static_cast<std::uint32_t>(character);
  if (character >= offsets_.size()) return static_cast<std::uint32_t>(source_.text().size());
  return offsets_[character];
}

SourceSpan Syntax::span(antlr4::Token* token) const {
  const std::size_t begin = token->getStartIndex();
  if (token->getType() == antlr4::Token::EOF) {
    const auto end = static_cast<std::uint32_t>(source_.text().size());
    return {end, end + 1};
  }
  return {offset(begin), offset(token->getStopIndex() + 1)};
}

SourceSpan Syntax::span(const antlr4::ParserRuleContext* context) const {
  SourceSpan result = span(context->start);
  if (context->stop && context->stop->getStopIndex() >= context->start->getStartIndex())
    result.end = span(context->stop).end;
  return result;
}

} // namespace weir::frontend::cp
