#pragma once
// C to Program. Each access to shared memory of the source is one step, in the order of the text.
//
// Functions become procedures, start routines of threads processes, `main` the main. An object whose
// address is taken lives in one shared array, `memory`, where addresses are indices (0 is null); other
// globals are shared variables of their own, other locals are locals. Statements remember the places
// of the user's file. Its parts are declarations.cpp, expressions.cpp, statements.cpp and calls.cpp.

#include "CLexer.h"
#include "CParser.h"
#include "frontend/antlr/syntax.h"
#include "frontend/c/types.h"
#include "ir/program.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace weir::frontend::c {

using Grammar = weir_antlr::CParser;
using Syntax = antlr::Syntax<weir_antlr::CLexer, Grammar>;

/// A variable of the source.
struct Object {
  enum class Where : std::uint8_t { Local, Shared, Memory, Constant, Function };
  Where where = Where::Local;
  TypeRef type;
  ir::LocalId local{};
  ir::SharedId shared{};
  ir::Value address = 0;      ///< Memory: of its first cell; Constant: its value
  bool is_per_thread = false; ///< Memory: each thread has one, cells(type) apart
};

/// A value as C sees it. The expression may be a truth value.
struct Rvalue {
  ir::Expr expr;
  TypeRef type;
};

/// An object, or a part of one: `offset` cells from its beginning; in memory, its address.
struct Lvalue {
  Object::Where where = Object::Where::Memory;
  ir::LocalId local{};
  ir::SharedId shared{};
  bool is_whole = true; ///< the variable is a scalar: it has no offset
  ir::Expr offset;
  TypeRef type;
};

class Builder {
public:
  Builder(Syntax& syntax, Grammar::TranslationUnitContext* tree, Diagnostics& diagnostics)
      : syntax_(syntax), tree_(tree), diagnostics_(diagnostics) {}

  ir::Program build();

private:
  struct Function {
    Grammar::FunctionContext* tree = nullptr;
    TypeRef result;
    std::vector<std::pair<std::string, TypeRef>> parameters;
    std::optional<ir::ProcedureId> procedure, process; ///< what has been asked for
    bool is_section = false;                           ///< its name begins with __VERIFIER_atomic_
  };
  struct Work { ///< a body that is still to be built
    std::string function;
    ir::ProcedureId id;
    ir::Procedure::Kind kind;
  };
  static constexpr unsigned most_threads = 8; ///< that have objects with addresses of their own

  // declarations.cpp
  void global(Grammar::DeclarationContext* declaration);
  void function_head(Grammar::FunctionContext* function);
  void find_escaping(antlr4::tree::ParseTree* tree, const std::string& function);
  void local_declaration(Grammar::DeclarationContext* declaration);
  struct Specified {
    TypeRef type;
    bool is_typedef = false, is_extern = false, is_static = false, is_thread_local = false;
  };
  Specified specified(const std::vector<Grammar::SpecifierContext*>& specifiers);
  TypeRef struct_type(Grammar::StructTypeContext* context);
  TypeRef enum_type(Grammar::EnumTypeContext* context);
  TypeRef declared(TypeRef base, Grammar::DeclaratorContext* declarator);
  TypeRef abstract(TypeRef base, Grammar::AbstractDeclaratorContext* declarator);
  TypeRef array_type(TypeRef element, Grammar::ExprContext* length,
                     antlr4::ParserRuleContext* where);
  TypeRef type_name(Grammar::TypeNameContext* context);
  static std::string declared_name(Grammar::DeclaratorContext* declarator);
  static Grammar::FunctionDeclaratorContext* function_part(Grammar::DeclaratorContext* declarator);
  Object shared_object(const std::string& name, const TypeRef& type, SourceSpan span,
                       bool in_memory, Grammar::InitializerContext* initializer);
  /// Calls `set` with the cell, type and expression of each value in an initializer.
  using SetCell = std::function<void(std::uint64_t, const TypeRef&, Grammar::ExprContext*)>;
  void each_initial(const TypeRef& type, Grammar::InitializerContext* initializer, std::uint64_t at,
                    const SetCell& set);
  void initial_values(const TypeRef& type, Grammar::InitializerContext* initializer,
                      std::vector<ir::Initial>& cells, std::uint64_t at);
  std::uint64_t listed_length(Grammar::InitializerContext* initializer);
  std::optional<ir::Value> constant_value(Grammar::ExprContext* e);
  void name_cells(const std::string& name, const Type& type, std::vector<std::string>& names);
  ir::Value allocate(const std::string& name, const TypeRef& type,
                     const std::vector<ir::Initial>& values);
  /// One for each thread, next to each other.
  ir::Value allocate_for_threads(const std::string& name, const TypeRef& type);
  const Object* find(const std::string& name) const;
  std::string unique_name(const std::string& wish);
  void supported(const TypeRef& type, antlr4::ParserRuleContext* where);

  // expressions.cpp
  Rvalue value(Grammar::ExprContext* e);
  Rvalue value(Grammar::ExpressionContext* e);
  void effect(Grammar::ExprContext* e);
  void effect(Grammar::ExpressionContext* e);
  ir::Expr truth(Grammar::ExpressionContext* e);
  ir::Expr truth(Grammar::ExprContext* e);
  ir::Expr as_truth(Rvalue value) const;
  /// The value as a number.
  ir::Expr number(Rvalue value);
  ir::Expr as_type(Rvalue value, const TypeRef& type, antlr4::ParserRuleContext* where);
  std::optional<Lvalue> lvalue(Grammar::ExprContext* e);
  std::optional<Lvalue> target_of(Grammar::ExprContext* pointer);
  std::optional<Lvalue> pointee(const Rvalue& pointer, antlr4::ParserRuleContext* where);
  Lvalue of_object(const Object& object);
  std::optional<Lvalue> member(Lvalue of, const std::string& name,
                               antlr4::ParserRuleContext* where);
  Rvalue address_of(const Lvalue& lvalue, antlr4::ParserRuleContext* where);
  void check_view(const Type& from, const Type& to, antlr4::ParserRuleContext* where);
  Rvalue load(const Lvalue& from, SourceSpan span);
  void store(const Lvalue& to, ir::Expr value, SourceSpan span);
  void assign(const Lvalue& to, Rvalue value, antlr4::ParserRuleContext* where);
  void copy(const Lvalue& to, const Lvalue& from, antlr4::ParserRuleContext* where);
  Rvalue literal(Grammar::LiteralContext* e);
  Rvalue name(Grammar::NameContext* e);
  Rvalue unary(Grammar::UnaryContext* e);
  Rvalue binary(Grammar::BinaryContext* e);
  Rvalue combined(const std::string& op, Rvalue left, Rvalue right,
                  antlr4::ParserRuleContext* where);
  Rvalue assignment(Grammar::AssignmentContext* e);
  Rvalue step(Grammar::ExprContext* e, const std::string& op, bool gives_old);
  Rvalue conditional(Grammar::ConditionalContext* e);
  ir::Expr kept(ir::Expr value, SourceSpan span);
  ir::Expr within_63_bits(ir::Expr value, SourceSpan span);
  void give_up_if(ir::Expr condition, SourceSpan span);
  ir::Expr folded(ir::Op op, ir::Expr left, ir::Expr right, SourceSpan span) const;
  static bool has_effects(antlr4::tree::ParseTree* tree);
  static Grammar::ExprContext* bare(Grammar::ExprContext* e);
  ir::Place place(const Lvalue& at);
  ir::LocalPlace local_place(const Lvalue& at) const;

  // calls.cpp
  Rvalue call(Grammar::CallContext* e, bool wants_value);
  std::optional<Rvalue> known_call(const std::string& name, Grammar::CallContext* e);
  std::optional<Rvalue> atomic_call(const std::string& name, Grammar::CallContext* e);
  std::optional<Rvalue> thread_call(const std::string& name, Grammar::CallContext* e);
  Rvalue call_function(Function& function, const std::string& name, Grammar::CallContext* e);
  void start_thread(Grammar::CallContext* e);
  void spawn(const std::string& function, std::optional<Rvalue> argument,
             const std::optional<Lvalue>& into, antlr4::ParserRuleContext* where);
  Rvalue allocated(Grammar::CallContext* e, bool is_calloc);
  bool is_seq_cst(Grammar::CallContext* e, std::size_t at);
  /// Old and new value of a locked instruction.
  std::pair<ir::Expr, ir::Expr> locked_update(const Lvalue& at, SourceSpan span,
                                              const std::function<ir::Expr(const ir::Expr&)>& next);
  Rvalue compare_exchange(const Lvalue& at, const std::optional<Lvalue>& expected_at,
                          ir::Expr expected, ir::Expr desired, bool gives_old, SourceSpan span);
  void locked(SourceSpan span, const std::function<void()>& steps);
  std::optional<Lvalue> argument_target(Grammar::CallContext* e, std::size_t at);
  Grammar::ExprContext* argument(Grammar::CallContext* e, std::size_t at);
  void drop_arguments(Grammar::CallContext* e);

  // statements.cpp
  void body(const Work& work);
  void block(Grammar::BlockContext* context);
  void block_item(Grammar::BlockItemContext* item);
  void statement(Grammar::StatementContext* context, bool is_alone);
  ir::Block nested(Grammar::StatementContext* context);
  void loop(Grammar::StatementContext* body, const std::function<void()>& step,
            Grammar::ExpressionContext* test, SourceSpan span, bool tests_first);
  void switch_(Grammar::SwitchContext* context);
  void assembly(Grammar::Asm_Context* context);
  void begin_statement(antlr4::ParserRuleContext* context, bool is_alone);
  ir::LabelId label(const std::string& name, SourceSpan span);
  ir::LabelId fresh_label();
  void emit(ir::Action action, SourceSpan span, std::vector<ir::LabelId> labels = {});
  ir::Block collect(const std::function<void()>& make);
  ir::LocalId temporary();
  ir::LocalId new_local(const std::string& name, ir::Type type, SourceSpan span);
  ir::Expr read(ir::LocalId local, SourceSpan span = {}) const;
  ir::LocalId thread_variable(const std::string& name);
  /// The number of the thread.
  ir::Expr self();
  void forget_numbers();
  void check_addresses();

  template <class Where> Diagnostic& error(Where* where, std::string message) {
    return diagnostics_.error(syntax_.span(where), std::move(message));
  }
  template <class Where> Rvalue failed(Where* where, std::string message) {
    error(where, std::move(message));
    return {ir::Expr::constant(0), integer(32, true)};
  }

  Syntax& syntax_;
  Grammar::TranslationUnitContext* tree_;
  Diagnostics& diagnostics_;
  ir::Program program_;
  std::map<std::string, Function> functions_;
  std::map<std::string, TypeRef> typedefs_;
  std::map<std::string, std::shared_ptr<Type>> tags_;
  std::map<std::string, Object> globals_;
  std::set<std::string> taken_names_;
  std::set<std::string> escaping_; ///< `name` of globals, `function name` of locals
  std::vector<Work> work_;
  std::map<std::uint32_t, Object> statics_; ///< of functions, by where they are declared
  std::map<ir::ProcedureId, SourceSpan> with_addresses_; ///< code with objects that have addresses
  // Memory for what has addresses:
  std::optional<ir::SharedId> memory_;
  std::vector<ir::Initial> memory_values_;
  std::vector<std::string> memory_names_;
  std::map<std::string, ir::LocalId> thread_variables_;
  bool uses_self_ = false;                ///< some code asks for the number of its thread
  std::map<ir::LocalId, ir::Type> unset_; ///< locals that were declared without a value
  std::optional<ir::ProcedureId> limit_;  ///< calling it ends what is covered
  std::optional<ir::Value> arena_;        ///< where allocated objects are

  // Of the body being built:
  std::string function_;
  ir::ProcedureId code_;
  ir::Procedure::Kind kind_ = ir::Procedure::Kind::Procedure;
  ir::Block* out_ = nullptr;
  std::vector<std::map<std::string, Object>> scopes_;
  struct LoopLabels {
    std::optional<ir::LabelId> next, end;
    bool is_switch = false;
  };
  std::vector<LoopLabels> loops_;
  struct Label {
    ir::LabelId id;
    SourceSpan span;
    bool is_placed = false;
  };
  std::map<std::string, Label> labels_;
  std::optional<ir::LabelId> end_label_; ///< of a function that is a section: where it ends
  unsigned labels_made_ = 0;
  std::vector<ir::LocalId> temporaries_;
  std::size_t temporaries_used_ = 0;
  std::size_t temporaries_floor_ = 0; ///< what a new statement may use begins here
  std::optional<ir::StatementId> statement_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ir::StatementId> statements_;
  std::vector<std::pair<Grammar::CaseContext*, ir::LabelId>>* cases_ = nullptr;
  std::optional<ir::LabelId>* default_ = nullptr;
};

} // namespace weir::frontend::c
