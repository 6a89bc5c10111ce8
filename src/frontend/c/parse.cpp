#include "frontend/c/parse.h"

#include "frontend/c/builder.h"
#include "frontend/c/preprocess.h"
#include "frontend/cp/edit.h"

namespace weir::frontend::c {
namespace {

using Lexer = weir_antlr::CLexer;

/// Names that a typedef has made types become tokens of their own, from there on.
void find_type_names(std::vector<std::unique_ptr<antlr4::Token>>& tokens) {
  std::set<std::string> types, next_types; // from the end of their typedef on
  std::size_t typedef_end = 0;
  std::set<std::size_t> declared; ///< tokens that are the names of types being made
  const auto text = [&](std::size_t i) {
    return i < tokens.size() ? tokens[i]->getText() : std::string();
  };
  const auto is_id = [&](std::size_t i) {
    return i < tokens.size() && tokens[i]->getType() == Lexer::ID;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i >= typedef_end) types.merge(next_types);
    if (is_id(i) && types.count(text(i)) > 0 && declared.count(i) == 0) {
      const std::string before = i > 0 ? text(i - 1) : "";
      const bool is_member = before == "." || before == "->";
      const bool is_tag =
          before == "struct" || before == "union" || before == "enum" || before == "goto";
      if (!is_member && !is_tag)
        static_cast<antlr4::CommonToken*>(tokens[i].get())->setType(Lexer::TYPE_NAME);
    }
    if (text(i) != "typedef") continue;
    // The names it declares: before , ; [ or ) outside of braces; of function pointers in (*name).
    int braces = 0, brackets = 0;
    for (std::size_t k = i + 1; k < tokens.size(); ++k) {
      const std::string t = text(k);
      if (t == "{") ++braces;
      if (t == "}") --braces;
      if (braces == 0 && is_id(k) && k > i + 1) {
        const std::string next = text(k + 1), before = text(k - 1);
        const bool ends = next == "," || next == ";" || next == "[" || next == "__attribute__";
        const bool is_pointer_to_function = next == ")" && before == "*" && text(k + 2) == "(";
        const bool is_function = next == "(" && brackets == 0 && before != "struct" &&
                                 before != "typeof" && before != "__typeof__" &&
                                 before != "__attribute__" && t != "__attribute__" &&
                                 t != "typeof" && t != "__typeof__";
        if ((ends && brackets == 0) || is_pointer_to_function || is_function) {
          next_types.insert(t);
          declared.insert(k);
        }
      }
      if (t == "(") ++brackets;
      if (t == ")") --brackets;
      typedef_end = k;
      if (t == ";" && braces == 0) break;
    }
  }
}

} // namespace

std::optional<ir::Program> parse(const std::shared_ptr<const Source>& source,
                                 Diagnostics& diagnostics) {
  auto preprocessed = preprocess(*source, diagnostics);
  if (!preprocessed) return std::nullopt;
  Syntax syntax(preprocessed->text(), [&](std::uint32_t begin, std::uint32_t end) {
    return preprocessed->place(begin, end);
  });
  auto tokens = syntax.all_tokens();
  if (tokens.empty()) {
    diagnostics.error({0, 1}, "there is no program in this file");
    return std::nullopt;
  }
  for (const auto& token : tokens) syntax.span(token.get()); // places are found in order
  find_type_names(tokens);
  auto* tree = syntax.parse(&Grammar::translationUnit, diagnostics,
                            std::make_unique<antlr4::ListTokenSource>(std::move(tokens)));
  if (diagnostics.has_errors()) return std::nullopt;
  ir::Program program = Builder(syntax, tree, diagnostics).build();
  program.source = source;
  if (diagnostics.has_errors()) return std::nullopt;
  return program;
}

std::vector<Edit> edits(const ir::Program& program, const std::vector<Change>& changes) {
  // As the file does it already.
  const std::string& text = program.source->text();
  cp::Words words;
  words.fence = "__sync_synchronize();";
  if (text.find("stdatomic.h") != std::string::npos ||
      text.find("atomic_thread_fence") != std::string::npos)
    words.fence = "atomic_thread_fence(memory_order_seq_cst);";
  if (text.find("smp_mb()") != std::string::npos ||
      text.find("linux_litmus.h") != std::string::npos)
    words.fence = "smp_mb();";
  words.nothing = ";";
  return cp::edits(program, changes, words);
}

} // namespace weir::frontend::c
