#pragma once
// Text to syntax tree.

#include "MemoraxLexer.h"
#include "MemoraxParser.h"
#include "frontend/antlr/syntax.h"

namespace weir::frontend::rmm {

using Grammar = weir_antlr::MemoraxParser;
using Syntax = antlr::Syntax<weir_antlr::MemoraxLexer, Grammar>;

} // namespace weir::frontend::rmm
