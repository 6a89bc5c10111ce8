#pragma once
// Where in the text the parts of a syntax tree are, when macros have moved tokens about.
//
// A token stands in a *piece* of text: the file, the body of a macro in one of its uses, or an
// argument in one use of its parameter. A piece stands, as a whole, somewhere in another. What goes
// from one token to another has its place in the innermost piece that both are in.

#include "frontend/rmm/syntax.h"

#include <vector>

namespace weir::frontend::rmm {

struct Piece {
  const Piece* outer = nullptr; ///< none: it stands in the file
  SourceSpan span;              ///< where in `outer`
};

/// A token with the piece that it stands in; none: the file.
class PlacedToken : public antlr4::CommonToken {
public:
  PlacedToken(antlr4::Token* token, const Piece* placed_in)
      : antlr4::CommonToken(token), piece(placed_in) {}
  const Piece* const piece;
};

/// A stretch of text, and the piece it is in.
struct Stretch {
  SourceSpan span;
  const Piece* piece = nullptr;
};

Stretch stretch(const Syntax& syntax, antlr4::Token* first, antlr4::Token* last);
Stretch stretch(const Syntax& syntax, const antlr4::ParserRuleContext* context);

} // namespace weir::frontend::rmm
