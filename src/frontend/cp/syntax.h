#pragma once
// Text to syntax tree: the ANTLR adapter. Its types stay inside this folder.

#include "ConcurrentProgramLexer.h"
#include "ConcurrentProgramParser.h"
#include "base/diagnostic.h"
#include "base/source.h"

#include <memory>
#include <vector>

namespace weir::frontend::cp {

using Grammar = weir_antlr::ConcurrentProgramParser;

/// A syntax tree and all that keeps it alive.
class Syntax {
public:
  /// Reports syntax errors to the sink; the tree is whole only if there are none.
  Syntax(const Source& source, Diagnostics& diagnostics);
  ~Syntax();

  Grammar::ProgramContext* program() const { return program_; }
  SourceSpan span(const antlr4::ParserRuleContext* context) const;
  SourceSpan span(antlr4::Token* token) const;
  antlr4::CommonTokenStream& tokens() { return *tokens_; }

private:
  class ErrorListener;
  std::uint32_t offset(std::size_t character) const;

  const Source& source_;
  std::vector<std::uint32_t> offsets_; ///< of characters, in bytes; empty if the text is ASCII
  std::unique_ptr<antlr4::ANTLRInputStream> input_;
  std::unique_ptr<weir_antlr::ConcurrentProgramLexer> lexer_;
  std::unique_ptr<antlr4::CommonTokenStream> tokens_;
  std::unique_ptr<Grammar> parser_;
  Grammar::ProgramContext* program_ = nullptr;
};

} // namespace weir::frontend::cp
