#include "frontend/rmm/macros.h"

#include <ListTokenSource.h>
#include <fmt/format.h>

#include <algorithm>

namespace weir::frontend::rmm {
namespace {

constexpr std::size_t most_steps = 1u << 20; ///< tokens looked at: macros can double each other
constexpr std::size_t deepest_use = 100;

bool is(antlr4::Token* token, std::string_view text) { return token->getText() == text; }
bool is_name(antlr4::Token* token) {
  return token->getType() == Grammar::ID && !is(token, "macro") && !is(token, "endmacro");
}

} // namespace

std::unique_ptr<antlr4::TokenSource> Macros::expand() {
  tokens_ = syntax_.all_tokens();
  Items items;
  for (const auto& token : tokens_) {
    if (token->getType() == Grammar::OPEN_COMMENT) {
      error(token.get(), "this comment does not end");
      break;
    }
    if (token->getType() == Grammar::LINE_COMMENT) {
      error(token.get(), "a comment is written /* ... */");
      continue;
    }
    items.push_back({token.get(), nullptr});
  }
  replay(items);
  auto end = std::make_unique<antlr4::CommonToken>(antlr4::Token::EOF);
  if (!tokens_.empty()) end->setLine(tokens_.back()->getLine());
  result_.push_back(std::move(end));
  return std::make_unique<antlr4::ListTokenSource>(std::move(result_));
}

/// Hands on the tokens, the uses of macros in them replaced. Definitions stand in the file only.
void Macros::replay(const Items& items) {
  for (std::size_t i = 0; i < items.size();) {
    antlr4::Token* const token = items[i].token;
    if (counts_as_too_much(token)) return;
    if (is(token, "macro")) {
      i = define(items, i);
      continue;
    }
    const auto macro = macros_.find(token->getText());
    if (macro == macros_.end()) {
      if (is(token, "endmacro")) error(token, "'endmacro' without a 'macro' before it");
      result_.push_back(std::make_unique<PlacedToken>(token, items[i].piece));
      ++i;
      continue;
    }
    if (in_use_.count(macro->first) > 0 || in_use_.size() >= deepest_use) {
      error(token, in_use_.count(macro->first) > 0
                       ? fmt::format("the macro '{}' is used inside itself", macro->first)
                       : "macros are used too deeply inside each other");
      is_too_much_ = true;
      return;
    }
    const auto found = use(items, i);
    if (!found) return;
    if (found->arguments.size() != macro->second.parameters.size()) {
      error(token,
            fmt::format("the macro '{}' has {} parameter{}, not {}", macro->first,
                        macro->second.parameters.size(),
                        macro->second.parameters.size() == 1 ? "" : "s", found->arguments.size()));
    } else {
      in_use_.insert(macro->first);
      replay(substituted(macro->second, *found, items[i]));
      in_use_.erase(macro->first);
    }
    i = found->next;
  }
}

/// From the word `macro` on; gives where what follows the definition begins.
std::size_t Macros::define(const Items& items, std::size_t at) {
  antlr4::Token* const word = items[at].token;
  std::size_t next = at + 1; // after the definition
  while (next < items.size() && !is(items[next].token, "endmacro")) ++next;
  if (next == items.size()) {
    error(word, "this macro has no 'endmacro'");
    return next;
  }
  Macro macro;
  std::size_t i = at + 1;
  antlr4::Token* const name = items[i].token;
  if (!is_name(name)) {
    error(name, "expected the name of the macro, but found " + antlr::shown(name));
    return next + 1;
  }
  ++i;
  if (!read_parameters(items, i, macro)) return next + 1;
  for (; i < next; ++i) {
    if (is(items[i].token, "macro")) {
      error(items[i].token, "a macro cannot be defined inside another one");
      return next + 1;
    }
    macro.body.push_back(items[i]);
  }
  if (!macros_.emplace(name->getText(), std::move(macro)).second)
    error(name, fmt::format("the macro '{}' is defined twice", name->getText()));
  return next + 1;
}

bool Macros::read_parameters(const Items& items, std::size_t& at, Macro& macro) {
  const auto expected = [&](std::string_view what) {
    error(items[at].token, fmt::format("expected {} of the macro, but found {}", what,
                                       antlr::shown(items[at].token)));
    return false;
  };
  // The text goes on to an `endmacro`, so there always is a next token.
  if (!is(items[at].token, "(")) return expected("the parameters, in parentheses,");
  if (is(items[++at].token, ")")) return ++at, true;
  while (true) {
    if (!is_name(items[at].token)) return expected("a parameter");
    const std::string name = items[at].token->getText();
    if (std::count(macro.parameters.begin(), macro.parameters.end(), name) > 0)
      error(items[at].token, fmt::format("the parameter '{}' is there twice", name));
    macro.parameters.push_back(name);
    ++at;
    if (is(items[at].token, ")")) return ++at, true;
    if (!is(items[at].token, ",")) return expected("',' or ')' after a parameter");
    ++at;
  }
}

/// From the name of a macro on. Only parentheses nest: a comma in `[ ]` or `{ }` separates.
std::optional<Macros::Use> Macros::use(const Items& items, std::size_t at) {
  antlr4::Token* const name = items[at].token;
  if (at + 1 == items.size() || !is(items[at + 1].token, "(")) {
    error(name, fmt::format("the macro '{0}' is used without '('", name->getText()))
        .with_hint(fmt::format("write {}(), also without arguments", name->getText()));
    return std::nullopt;
  }
  Use result{std::vector<Items>(1), items[at], 0};
  std::size_t depth = 1;
  for (std::size_t i = at + 2; i < items.size(); ++i) {
    antlr4::Token* const token = items[i].token;
    if (is(token, "macro")) {
      error(token, "a macro cannot be defined inside an argument");
      return std::nullopt;
    }
    if (is(token, "(")) ++depth;
    if (is(token, ")") && --depth == 0) {
      result.close = items[i];
      result.next = i + 1;
      if (result.arguments.size() == 1 && result.arguments[0].empty()) result.arguments.clear();
      for (const Items& argument : result.arguments)
        if (argument.empty())
          error(name, fmt::format("an argument of '{}' is empty", name->getText()));
      return result;
    }
    if (is(token, ",") && depth == 1)
      result.arguments.emplace_back();
    else
      result.arguments.back().push_back(items[i]);
  }
  error(name, fmt::format("the arguments of the macro '{}' do not end", name->getText()))
      .with_hint("the ')' after them is missing");
  return std::nullopt;
}

/// The body with the arguments in it.
Macros::Items Macros::substituted(const Macro& macro, const Use& use, Item name) {
  const SourceSpan first = syntax_.span(name.token), last = syntax_.span(use.close.token);
  const bool is_together = name.piece == use.close.piece;
  const Piece* const body = piece(name.piece, {first.begin, is_together ? last.end : first.end});
  Items result;
  for (const Item& item : macro.body) {
    const auto parameter =
        std::find(macro.parameters.begin(), macro.parameters.end(), item.token->getText());
    if (parameter == macro.parameters.end()) {
      result.push_back({item.token, body});
      continue;
    }
    if (counts_as_too_much(item.token)) return {};
    const Piece* const argument = piece(body, syntax_.span(item.token));
    std::map<const Piece*, const Piece*> done{{name.piece, argument}};
    for (const Item& given :
         use.arguments[static_cast<std::size_t>(parameter - macro.parameters.begin())]) {
      if (counts_as_too_much(given.token)) return {};
      result.push_back({given.token, moved(given.piece, name.piece, argument, done)});
    }
  }
  return result;
}

/// The piece of a token of an argument, which stood in the text `from` and now stands in `to`.
const Piece* Macros::moved(const Piece* at, const Piece* from, const Piece* to,
                           std::map<const Piece*, const Piece*>& done) {
  if (at == nullptr) return to;
  if (const auto found = done.find(at); found != done.end()) return found->second;
  const Piece* const result = piece(moved(at->outer, from, to, done), at->span);
  done.emplace(at, result);
  return result;
}

const Piece* Macros::piece(const Piece* outer, SourceSpan span) {
  return &pieces_.emplace_back(Piece{outer, span});
}

bool Macros::counts_as_too_much(antlr4::Token* at) {
  if (!is_too_much_ && ++steps_ > most_steps) {
    error(at,
          fmt::format("with its macros expanded, the text is longer than {} words", most_steps));
    is_too_much_ = true;
  }
  return is_too_much_;
}

} // namespace weir::frontend::rmm
