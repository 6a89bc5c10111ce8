#pragma once
// Syntax tree to Program: names, domains, and statements that touch memory once.
//
// A value outside a domain blocks the statement, so an `assume` stands before whatever may have one.
// The text of `process(n)` is built n times, because `x[k]` means another location in each copy; the
// copies share their statements.
//
// This is the state of building one Program; its parts are in declarations.cpp, places.cpp,
// expressions.cpp, statements.cpp and locked.cpp. Everything reports to the sink and carries on.

#include "frontend/rmm/names.h"
#include "frontend/rmm/origins.h"
#include "ir/program.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weir::frontend::rmm {

class Builder {
public:
  Builder(Syntax& syntax, Grammar::ProgramContext* tree, Diagnostics& diagnostics)
      : syntax_(syntax), tree_(tree), diagnostics_(diagnostics) {}

  ir::Program build();

private:
  using MaybeExpr = std::optional<ir::Expr>;
  struct Declared {
    std::string name;
    ir::Type type;
    ir::Initial initial; ///< none: any value
    SourceSpan span;
  };
  /// What stands under one `process`.
  struct Text {
    Grammar::ProcessContext* tree;
    std::vector<Declared> locations, registers;
    std::map<std::string, std::string> labels; ///< as we call them
    std::vector<std::string> label_order;      ///< as the user calls them, by place in the text
  };
  /// One copy of it.
  struct Process {
    std::size_t text;
    std::map<std::string, ir::SharedId> locations;
  };

  // declarations.cpp
  template <class Declaration>
  void declare(const std::vector<Declaration*>& declarations, std::vector<Declared>& into);
  ir::Type type(Grammar::DomainContext* context);
  ir::Value integer(Grammar::IntegerContext* context);
  ir::Value number(antlr4::Token* token);
  void text(Grammar::ProcessContext* context);
  void find_labels(antlr4::tree::ParseTree* tree, Text& text, Names& names);
  void share(const std::vector<Declared>& declared, const std::string& suffix,
             std::map<std::string, ir::SharedId>& into);
  void body(std::size_t pid);
  static bool is_everywhere(Grammar::TupleContext* tuple);
  void forbid(Grammar::TupleContext* tuple);

  // places.cpp
  using Access = std::function<void(ir::SharedId)>;
  /// Does it at the location; at a pointer, at the one that it points to.
  void at(Grammar::PlaceContext* context, const Access& access);
  void choose(const ir::Expr& pointer, std::size_t first, std::size_t last, SourceSpan span,
              const Access& access);
  std::optional<ir::SharedId> global(Grammar::PlaceContext* context);
  std::optional<ir::SharedId> local(Grammar::PlaceContext* context);
  std::optional<std::size_t> owner(Grammar::PlaceContext* context);
  void await(ir::SharedId location, const ir::Expr& value, SourceSpan span);
  void load(ir::LocalId into, ir::SharedId location, SourceSpan span);
  void store(ir::SharedId location, const ir::Expr& value, SourceSpan span);
  void assign(ir::LocalId into, const ir::Expr& value, SourceSpan span);
  /// Blocks unless the value is one of the type; false: it never is.
  bool require(const ir::Expr& value, const ir::Type& type, SourceSpan span);
  ir::LocalId temporary(const ir::Type& type);

  // expressions.cpp
  MaybeExpr expression(Grammar::ExprContext* context);
  MaybeExpr unit(Grammar::UnitContext* context);
  MaybeExpr memory(Grammar::MemoryContext* context);
  MaybeExpr condition(Grammar::ConditionContext* context);
  MaybeExpr conjunction(Grammar::ConjunctionContext* context);
  MaybeExpr negation(Grammar::NegationContext* context);
  MaybeExpr comparison(Grammar::ComparisonContext* context);
  template <class Parts, class Read> MaybeExpr joined(ir::Op op, const Parts& parts, Read read);
  ir::Expr folded(ir::Expr expr);
  std::optional<ir::LocalId> register_named(antlr4::Token* token);

  // statements.cpp
  void statements(Grammar::StatementsContext* context);
  void check_separators(Grammar::StatementsContext* context);
  void statement(Grammar::StatementContext* context, bool is_alone = false);
  void begin_statement(Grammar::StatementContext* context, bool is_alone);
  ir::StatementId statement_at(const ir::SourceStatement& statement);
  ir::Block nested(Grammar::StatementContext* context);
  void action(Grammar::ActionContext* context);
  bool access(Grammar::ActionContext* context);
  void if_else(Grammar::IfContext* context);
  void go_to(Grammar::GotoContext* context);
  void fence(Grammar::FenceContext* context);
  void either(const std::vector<std::function<void()>>& ways, SourceSpan span);
  void choose_way(const std::vector<std::function<void()>>& ways, std::size_t first,
                  std::size_t last, SourceSpan span);
  bool is_only_for_caches(antlr4::Token* word);

  // locked.cpp
  using Path = std::vector<Grammar::ActionContext*>;
  void locked_write(Grammar::LockedWriteContext* context);
  void cas(Grammar::CasContext* context);
  void locked(Grammar::LockedContext* context);
  std::vector<Path> paths(Grammar::BranchesContext* context);
  std::vector<Path> paths(Grammar::StatementsContext* context);
  std::vector<Path> paths(Grammar::StatementContext* context);
  void section(const Path& path, Grammar::LockedContext* context);
  void step(Grammar::ActionContext* context);
  void refuse_pointer(Grammar::PlaceContext* place);

  void emit(ir::Action action, SourceSpan span) {
    out_->push_back({std::move(action), span, {}, statement_});
  }
  /// Runs `make` with statements going to a new block, and returns that block.
  template <class Make> ir::Block collect(Make&& make) {
    ir::Block result;
    ir::Block* const outer = std::exchange(out_, &result);
    make();
    out_ = outer;
    return result;
  }

  SourceSpan span(const antlr4::ParserRuleContext* context) const {
    return stretch(syntax_, context).span;
  }
  SourceSpan span(antlr4::Token* token) const { return syntax_.span(token); }
  template <class Where> Diagnostic& error(Where* where, std::string message) {
    return diagnostics_.error(span(where), std::move(message));
  }

  Syntax& syntax_;
  Grammar::ProgramContext* tree_;
  Diagnostics& diagnostics_;
  ir::Program program_;
  Names names_; ///< of what all processes see
  std::vector<Declared> globals_;
  std::map<std::string, ir::SharedId> global_names_;
  std::vector<Text> texts_;
  std::vector<Process> processes_; ///< by pid
  bool has_all_processes_ = true;  ///< not so if there were too many
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Key, ir::StatementId> statements_; ///< by place in the text

  // Of the process being built:
  std::size_t pid_ = 0;
  ir::Block* out_ = nullptr;
  std::optional<ir::StatementId> statement_; ///< whose steps are being made
  Names own_names_;
  std::map<std::string, ir::LocalId> registers_;
  std::map<std::pair<ir::Value, ir::Value>, ir::LocalId> temporaries_;
  std::map<std::string, ir::LabelId> labels_; ///< by the user's name
  /// The labelled block whose first statement comes next.
  std::optional<std::pair<SourceSpan, bool>> labelled_block_;
};

} // namespace weir::frontend::rmm
