#pragma once
// Memorax' macros: `macro NAME(parameters) tokens endmacro`, used as `NAME(tokens, tokens)`.
//
// They work on tokens, before the parser. Nothing is hygienic: a label in a body is defined again by
// each use, unless it is a parameter.

#include "base/diagnostic.h"
#include "frontend/rmm/origins.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weir::frontend::rmm {

/// Expands the macros of one file. It owns the pieces of text that the tokens stand in.
class Macros {
public:
  Macros(Syntax& syntax, Diagnostics& diagnostics) : syntax_(syntax), diagnostics_(diagnostics) {}

  /// The tokens of the file as the parser is to see them.
  std::unique_ptr<antlr4::TokenSource> expand();

private:
  struct Item {
    antlr4::Token* token;
    const Piece* piece;
  };
  using Items = std::vector<Item>;
  struct Macro {
    std::vector<std::string> parameters;
    Items body;
  };
  /// A use of a macro: what it is used with, and where what follows it begins.
  struct Use {
    std::vector<Items> arguments;
    Item close;
    std::size_t next;
  };

  std::size_t define(const Items& items, std::size_t at);
  bool read_parameters(const Items& items, std::size_t& at, Macro& macro);
  void replay(const Items& items);
  std::optional<Use> use(const Items& items, std::size_t at);
  Items substituted(const Macro& macro, const Use& use, Item name);
  const Piece* moved(const Piece* piece, const Piece* from, const Piece* to,
                     std::map<const Piece*, const Piece*>& done);
  const Piece* piece(const Piece* outer, SourceSpan span);
  bool counts_as_too_much(antlr4::Token* at);

  Diagnostic& error(antlr4::Token* at, std::string message) {
    return diagnostics_.error(syntax_.span(at), std::move(message));
  }

  Syntax& syntax_;
  Diagnostics& diagnostics_;
  std::vector<std::unique_ptr<antlr4::Token>> tokens_;
  std::map<std::string, Macro> macros_;
  std::deque<Piece> pieces_; // They are pointed to.
  std::set<std::string> in_use_;
  std::vector<std::unique_ptr<antlr4::Token>> result_;
  std::size_t steps_ = 0;
  bool is_too_much_ = false;
};

} // namespace weir::frontend::rmm
