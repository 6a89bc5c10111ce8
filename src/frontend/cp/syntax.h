#pragma once
// Text to syntax tree.

#include "ConcurrentProgramLexer.h"
#include "ConcurrentProgramParser.h"
#include "frontend/antlr/syntax.h"

namespace weir::frontend::cp {

using Grammar = weir_antlr::ConcurrentProgramParser;
using Syntax = antlr::Syntax<weir_antlr::ConcurrentProgramLexer, Grammar>;

} // namespace weir::frontend::cp
