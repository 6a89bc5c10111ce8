#pragma once
// Syntax tree to Program: names, types, ranges, and the splitting of statements so that each
// touches shared memory once. Reads are taken left to right; && and || really short-circuit.
//
// This is the state of building one Program; its parts are in declarations.cpp, expressions.cpp and
// statements.cpp. Everything reports to the sink and carries on, so that users see all mistakes.

#include "frontend/cp/syntax.h"
#include "ir/evaluate.h"
#include "ir/program.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace weir::frontend::cp {

class Builder {
public:
  Builder(Syntax& syntax, Grammar::ProgramContext* tree, Diagnostics& diagnostics)
      : syntax_(syntax), tree_(tree), diagnostics_(diagnostics) {}

  ir::Program build();

private:
  struct Constant {
    ir::Value value;
    bool is_bool;
  };
  using Symbol = std::variant<Constant, ir::SharedId, ir::LocalId, ir::ProcedureId>;
  /// Either kind of scalar that can be assigned; its indices are already evaluated.
  using Target = std::variant<ir::Place, ir::LocalPlace>;
  using MaybeExpr = std::optional<ir::Expr>;
  enum class Context : std::uint8_t { Code, Constant, Final };

  // declarations.cpp
  void declare(const std::string& name, Symbol symbol, SourceSpan span);
  const Symbol* find(const std::string& name) const;
  void constant(Grammar::ConstantContext* item);
  ir::Type type(Grammar::TypeContext* context);
  ir::Value bound(Grammar::BoundContext* context);
  ir::Type declared_type(const ir::Type& scalar, Grammar::DeclaratorContext* declarator,
                         bool is_shared);
  std::vector<ir::Initial> initial_values(const ir::Type& type,
                                          Grammar::DeclaratorContext* declarator);
  void initial_part(const ir::Type& type, Grammar::InitialContext* context,
                    std::vector<ir::Initial>& values);
  std::vector<ir::Initial> default_values(const ir::Type& type, SourceSpan span,
                                          const std::string& name);
  void shared_variables(Grammar::SharedVariablesContext* item);
  void thread_variables(Grammar::ThreadVariablesContext* item);
  void procedure_head(ir::Procedure::Kind kind, const std::string& name, SourceSpan span,
                      Grammar::ParametersContext* parameters, Grammar::BlockContext* body);
  void start_threads();
  void forbid(Grammar::ForbidContext* item);
  void final_condition(Grammar::FinalConditionContext* item);
  std::optional<ir::ThreadName> thread_name(Grammar::ThreadNameContext* context);

  // expressions.cpp. Types go by value: reading an expression may declare temporaries, which moves
  // the table of locals.
  MaybeExpr expression(Grammar::ExprContext* context);
  MaybeExpr binary(Grammar::BinaryContext* context);
  MaybeExpr short_circuit(Grammar::BinaryContext* context, ir::Op op);
  MaybeExpr variable(Grammar::VariableContext* context);
  MaybeExpr thread_variable(Grammar::ThreadVariableContext* context);
  MaybeExpr literal(Grammar::LiteralContext* context);
  /// An expression of the wanted type whose value, if constant, fits it.
  MaybeExpr value_of(ir::Type wanted, Grammar::ExprContext* context);
  bool fits(ir::Type wanted, const ir::Expr& expr);
  MaybeExpr condition(Grammar::ConditionContext* context);
  MaybeExpr truth(Grammar::ExprContext* context);
  std::optional<Constant> constant_value(Grammar::ExprContext* context);
  std::optional<Target> target(Grammar::PlaceContext* context);
  std::optional<ir::Place> shared_place(Grammar::PlaceContext* context);
  std::optional<std::vector<ir::Expr>> path(ir::Type type, Grammar::PlaceContext* context);
  ir::Type type_of(const Target& target) const;
  ir::Type type_of(const ir::Place& place) const;
  ir::Type type_of(const ir::LocalPlace& place) const;
  bool cas(Grammar::CasContext* context, std::optional<ir::LocalPlace> into);
  std::optional<std::vector<ir::Expr>> arguments(const ir::Procedure& code,
                                                 const std::string& called,
                                                 Grammar::ArgumentsContext* given, SourceSpan span);
  ir::LocalPlace fresh(ir::Type scalar, const std::string& named_after);
  ir::Expr read(const ir::LocalPlace& place, SourceSpan span) const;
  ir::Expr folded(ir::Expr expr);

  // statements.cpp
  void body(ir::ProcedureId id, Grammar::BlockContext* block);
  void block(Grammar::BlockContext* context);
  ir::Block nested(Grammar::StatementContext* context);
  void statement(Grammar::StatementContext* context, bool is_alone = false);
  void labelled_block(Grammar::StatementContext* context, bool is_alone, std::size_t first);
  void action(Grammar::ActionContext* context, bool labelled);
  void assign(const Target& target, Grammar::RightSideContext* value, SourceSpan span);
  void assign(const Target& target, Grammar::ExprContext* value, SourceSpan span);
  bool names_shared_variable(const std::string& name) const;
  bool is_taken(const std::string& name) const;
  void declare_locals(Grammar::DeclareContext* context, bool labelled);
  void if_else(Grammar::IfContext* context);
  void while_loop(Grammar::WhileContext* context);
  void do_loop(Grammar::DoWhileContext* context);
  void end_loop(ir::Block before, MaybeExpr test, ir::Block body, Grammar::ActionContext* context);
  void spawn(Grammar::SpawnContext* context, std::optional<ir::LocalPlace> into);
  void release_temporaries();
  void jump_out(bool to_next, SourceSpan span);
  ir::LabelId label(const std::string& name);
  ir::LabelId fresh_label(const std::string& stem);
  void emit(ir::Action action, SourceSpan span, std::vector<ir::LabelId> labels = {}) {
    out_->push_back({std::move(action), span, std::move(labels), statement_});
  }
  /// Runs `make` with statements going to a new block, and returns that block.
  template <class Make> ir::Block collect(Make&& make) {
    ir::Block result;
    ir::Block* const outer = std::exchange(out_, &result);
    make();
    out_ = outer;
    return result;
  }

  Diagnostic& error(SourceSpan span, std::string message) {
    return diagnostics_.error(span, std::move(message));
  }
  Diagnostic& error(const antlr4::ParserRuleContext* where, std::string message) {
    return error(syntax_.span(where), std::move(message));
  }
  Diagnostic& error(antlr4::Token* where, std::string message) {
    return error(syntax_.span(where), std::move(message));
  }

  Syntax& syntax_;
  Grammar::ProgramContext* tree_;
  Diagnostics& diagnostics_;
  ir::Program program_;
  std::map<std::string, Symbol> globals_;
  std::vector<Grammar::BlockContext*> bodies_; ///< by ProcedureId
  Context context_ = Context::Constant;
  std::size_t depth_ = 0;   ///< of the expression being built
  std::size_t guarded_ = 0; ///< right sides of && and || it is in: they may never be evaluated
  std::vector<std::set<std::string>> labels_of_users_; ///< by ProcedureId

  // Of the procedure being built:
  struct LoopLabels {
    std::optional<ir::LabelId> next, end; ///< made when a continue or break asks for them
  };
  ir::ProcedureId current_;
  ir::Block* out_ = nullptr;
  std::optional<ir::StatementId> statement_; ///< whose steps are being made
  std::vector<std::map<std::string, ir::LocalId>> scopes_;
  std::map<std::string, std::vector<ir::LocalId>> locals_by_name_;
  std::set<std::string> used_names_;
  std::map<std::string, ir::LabelId> labels_;
  std::set<std::string> user_labels_;
  std::set<std::string> body_names_; ///< every name in the text of the body: not for temporaries
  std::vector<bool> label_placed_;
  std::vector<LoopLabels> loops_;
  std::multimap<std::string, ir::LocalId> free_temporaries_;
  std::vector<std::pair<std::string, ir::LocalId>> temporaries_in_use_;
};

} // namespace weir::frontend::cp
