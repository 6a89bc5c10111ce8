#include "frontend/rmm/origins.h"

namespace weir::frontend::rmm {
namespace {

/// The places of a token: in its piece, of that piece in the one around it, and so on to the file.
std::vector<Stretch> places(const Syntax& syntax, antlr4::Token* token) {
  const auto* placed = dynamic_cast<const PlacedToken*>(token);
  std::vector<Stretch> result{{syntax.span(token), placed ? placed->piece : nullptr}};
  while (const Piece* piece = result.back().piece) result.push_back({piece->span, piece->outer});
  return result;
}

} // namespace

Stretch stretch(const Syntax& syntax, antlr4::Token* first, antlr4::Token* last) {
  const auto begins = places(syntax, first);
  const auto ends = places(syntax, last);
  for (const Stretch& begin : begins)
    for (const Stretch& end : ends)
      if (begin.piece == end.piece) return {{begin.span.begin, end.span.end}, begin.piece};
  return begins.front(); // never: all are in the file
}

Stretch stretch(const Syntax& syntax, const antlr4::ParserRuleContext* context) {
  return stretch(syntax, context->start, context->stop ? context->stop : context->start);
}

} // namespace weir::frontend::rmm
