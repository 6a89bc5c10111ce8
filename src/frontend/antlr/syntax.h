#pragma once
// What all front ends share of ANTLR: errors in our words, places in bytes, and a parser that stops
// before deep nesting would exhaust the stack. Only front ends include this.

#include "antlr4-runtime.h"
#include "base/diagnostic.h"
#include "base/source.h"

#include <functional>
#include <memory>
#include <vector>

namespace weir::frontend::antlr {

/// ANTLR counts characters; spans are in bytes.
class Offsets {
public:
  explicit Offsets(const Source& source);
  /// Of another text, whose places in the source `translate` knows.
  using Translate = std::function<SourceSpan(std::uint32_t begin, std::uint32_t end)>;
  Offsets(const std::string& text, Translate translate);
  SourceSpan span(antlr4::Token* token) const;
  SourceSpan span(const antlr4::ParserRuleContext* context) const;

private:
  std::uint32_t offset(std::size_t character) const;

  void find_characters();

  const std::string& text_;
  Translate translate_;
  std::vector<std::uint32_t> offsets_; ///< of characters, in bytes; empty if the text is ASCII
};

/// Says what ANTLR found in the words of the other messages.
class ErrorListener : public antlr4::BaseErrorListener {
public:
  ErrorListener(const Offsets& offsets, Diagnostics& diagnostics)
      : offsets_(offsets), diagnostics_(diagnostics) {}

  void syntaxError(antlr4::Recognizer* recognizer, antlr4::Token* token, size_t line, size_t column,
                   const std::string& message, std::exception_ptr exception) override;

private:
  const Offsets& offsets_;
  Diagnostics& diagnostics_;
};

/// A token as messages show it.
std::string shown(antlr4::Token* token);

struct TooDeep {
  antlr4::Token* at;
};

/// Throws if there are more rules open than `deepest`; a statement or operator takes two or three.
void check_nesting(antlr4::ParserRuleContext* context, antlr4::Token* at, std::size_t deepest);

template <class Grammar> class GuardedParser : public Grammar {
public:
  GuardedParser(antlr4::TokenStream* tokens, std::size_t deepest)
      : Grammar(tokens), deepest_(deepest) {}

  void enterRule(antlr4::ParserRuleContext* context, size_t state, size_t rule) override {
    check_nesting(context, this->getCurrentToken(), deepest_);
    Grammar::enterRule(context, state, rule);
  }

  void enterRecursionRule(antlr4::ParserRuleContext* context, size_t state, size_t rule,
                          int precedence) override {
    check_nesting(context, this->getCurrentToken(), deepest_);
    Grammar::enterRecursionRule(context, state, rule, precedence);
  }

private:
  std::size_t deepest_;
};

/// The first part that is too far below the root for those who walk the tree by recursion; chains of
/// operators nest without the parser's recursion.
antlr4::Token* too_deep(antlr4::tree::ParseTree* tree);

/// A syntax tree and all that keeps it alive.
template <class Lexer, class Grammar> class Syntax {
public:
  /// About 500 levels of blocks and operators: more than people write, and within an ordinary stack.
  static constexpr std::size_t deepest_nesting = 1500;

  explicit Syntax(const Source& source) : Syntax(source, source.text()) {}
  /// Of a part of the source: the text has as many characters before it.
  Syntax(const Source& source, const std::string& text) : offsets_(source) {
    input_ = std::make_unique<antlr4::ANTLRInputStream>(text);
    lexer_ = std::make_unique<Lexer>(input_.get());
    lexer_->removeErrorListeners();
  }

  Syntax(const std::string& text, Offsets::Translate translate)
      : offsets_(text, std::move(translate)) {
    input_ = std::make_unique<antlr4::ANTLRInputStream>(text);
    lexer_ = std::make_unique<Lexer>(input_.get());
    lexer_->removeErrorListeners();
  }

  /// The rest of the file as tokens, for what has to look at them before the parser does.
  std::vector<std::unique_ptr<antlr4::Token>> all_tokens() { return lexer_->getAllTokens(); }

  /// Parses from the rule `start`; reports syntax errors to the sink. The tree is whole only if there
  /// are none. `tokens`: instead of those of the text.
  template <class Rule>
  auto* parse(Rule start, Diagnostics& diagnostics,
              std::unique_ptr<antlr4::TokenSource> tokens = nullptr) {
    token_source_ = std::move(tokens);
    tokens_ = std::make_unique<antlr4::CommonTokenStream>(
        token_source_ ? token_source_.get() : static_cast<antlr4::TokenSource*>(lexer_.get()));
    parser_ = std::make_unique<GuardedParser<Grammar>>(tokens_.get(), deepest_nesting);
    // The fast way of prediction is exact for almost all texts. If it finds mistakes, the slow one
    // tells whether they are.
    Diagnostics mistakes;
    auto* tree = parse(start, antlr4::atn::PredictionMode::SLL, mistakes);
    if (mistakes.has_errors()) {
      parser_->reset();
      tree = parse(start, antlr4::atn::PredictionMode::LL, diagnostics);
    }
    if (auto* deep = too_deep(tree))
      diagnostics.error(span(deep), "nested too deeply")
          .with_hint("a chain of operators may have about 2000");
    return tree;
  }

  SourceSpan span(const antlr4::ParserRuleContext* context) const { return offsets_.span(context); }
  SourceSpan span(antlr4::Token* token) const { return offsets_.span(token); }
  antlr4::CommonTokenStream& tokens() { return *tokens_; }

private:
  template <class Rule>
  auto* parse(Rule start, antlr4::atn::PredictionMode mode, Diagnostics& diagnostics) {
    parser_->template getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(mode);
    ErrorListener listener(offsets_, diagnostics);
    parser_->removeErrorListeners();
    parser_->addErrorListener(&listener);
    decltype((parser_.get()->*start)()) tree = nullptr;
    try {
      tree = (parser_.get()->*start)();
    } catch (const TooDeep& deep) {
      diagnostics.error(span(deep.at), "nested too deeply")
          .with_hint("blocks and expressions may nest about 500 levels");
    }
    parser_->removeErrorListeners();
    return tree;
  }

  Offsets offsets_;
  std::unique_ptr<antlr4::ANTLRInputStream> input_;
  std::unique_ptr<Lexer> lexer_;
  std::unique_ptr<antlr4::TokenSource> token_source_;
  std::unique_ptr<antlr4::CommonTokenStream> tokens_;
  std::unique_ptr<GuardedParser<Grammar>> parser_;
};

} // namespace weir::frontend::antlr
