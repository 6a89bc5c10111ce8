#include "frontend/litmus/c.h"

#include "CLexer.h"
#include "CParser.h"
#include "frontend/antlr/syntax.h"
#include "ir/rename.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace weir::frontend::litmus {

using namespace ir;

namespace {

using Grammar = weir_antlr::CParser;
using Syntax = antlr::Syntax<weir_antlr::CLexer, Grammar>;

/// Types that a test may name without declaring them.
bool is_type_name(const std::string& name) {
  static const std::set<std::string> names{"spinlock_t", "mtx_t", "intptr_t", "uintptr_t",
                                           "size_t"};
  if (names.count(name) > 0) return true;
  if (name.starts_with("atomic_") &&
      (name == "atomic_t" || name == "atomic_long_t" || name == "atomic64_t" ||
       name == "atomic_int" || name == "atomic_uint" || name == "atomic_bool" ||
       name == "atomic_long" || name == "atomic_char" || name == "atomic_intptr_t"))
    return true;
  const bool is_sized = name.ends_with("_t") && name.find("int") != std::string::npos;
  return is_sized || name == "__int128" || name == "u32" || name == "u64" || name == "bool";
}

/// What a function of the kernel or of C11 does, as x86-64 does it.
struct Function {
  enum class Kind : std::uint8_t {
    Load,        ///< (p)
    Store,       ///< (p, v)
    LockedStore, ///< (p, v): a full fence too
    Exchange,    ///< (p, v): what was there
    Update,      ///< (p, v) or (v, p): p becomes `op` of both
    Count,       ///< (p): p becomes `op` of it and 1
    Compare,     ///< (p, old, new): what was there
    CompareInto, ///< (p, &old, new): whether it was old
    AddUnless,   ///< (p, a, u): adds a unless p is u; whether it did
    Lock,        ///< (p)
    TryLock,     ///< (p): whether it is taken now
    IsLocked,    ///< (p)
    Unlock,      ///< (p)
    Fence,
    StoreFence,
    Nothing,
  };
  enum class Result : std::uint8_t { None, Old, New, IsZero, IsNegative };
  Kind kind;
  Op op = Op::Add;
  Result result = Result::None;
};

std::string without(const std::string& text, std::string_view suffix) {
  return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
}

std::optional<Function> function_named(std::string name) {
  using Kind = Function::Kind;
  using Result = Function::Result;
  static const std::map<std::string, Function> functions{
      {"READ_ONCE", {Kind::Load}},
      {"ACCESS_ONCE", {Kind::Load}},
      {"smp_load_acquire", {Kind::Load}},
      {"rcu_dereference", {Kind::Load}},
      {"lockless_dereference", {Kind::Load}},
      {"atomic_read", {Kind::Load}},
      {"atomic_load", {Kind::Load}},
      {"WRITE_ONCE", {Kind::Store}},
      {"smp_store_release", {Kind::Store}},
      {"rcu_assign_pointer", {Kind::Store}},
      {"atomic_set", {Kind::Store}},
      {"atomic_init", {Kind::Store}},
      {"atomic_store", {Kind::LockedStore}},
      {"smp_store_mb", {Kind::LockedStore}},
      {"set_mb", {Kind::LockedStore}},
      {"xchg", {Kind::Exchange}},
      {"atomic_xchg", {Kind::Exchange}},
      {"atomic_exchange", {Kind::Exchange}},
      {"cmpxchg", {Kind::Compare}},
      {"atomic_cmpxchg", {Kind::Compare}},
      {"atomic_compare_exchange_strong", {Kind::CompareInto}},
      {"atomic_compare_exchange_weak", {Kind::CompareInto}},
      {"atomic_add_unless", {Kind::AddUnless}},
      {"spin_lock", {Kind::Lock}},
      {"mtx_lock", {Kind::Lock}},
      {"lock", {Kind::Lock}},
      {"spin_trylock", {Kind::TryLock}},
      {"spin_is_locked", {Kind::IsLocked}},
      {"spin_unlock", {Kind::Unlock}},
      {"mtx_unlock", {Kind::Unlock}},
      {"unlock", {Kind::Unlock}},
      {"smp_mb", {Kind::Fence}},
      {"mb", {Kind::Fence}},
      {"smp_wmb", {Kind::StoreFence}},
      {"wmb", {Kind::StoreFence}},
      {"smp_rmb", {Kind::Nothing}},
      {"rcu_read_lock", {Kind::Nothing}}, // unless someone waits for readers, which is refused
      {"rcu_read_unlock", {Kind::Nothing}},
      {"rmb", {Kind::Nothing}},
      {"barrier", {Kind::Nothing}},
      {"cpu_relax", {Kind::Nothing}},
      {"smp_read_barrier_depends", {Kind::Nothing}},
      // Locked instructions around them are full fences on x86.
      {"smp_mb__before_atomic", {Kind::Nothing}},
      {"smp_mb__after_atomic", {Kind::Nothing}},
      {"smp_mb__after_spinlock", {Kind::Nothing}},
      {"smp_mb__after_unlock_lock", {Kind::Nothing}},
      {"atomic_signal_fence", {Kind::Nothing}},
      {"atomic_inc", {Kind::Count}},
      {"atomic_dec", {Kind::Count, Op::Sub}},
      {"atomic_inc_return", {Kind::Count, Op::Add, Result::New}},
      {"atomic_dec_return", {Kind::Count, Op::Sub, Result::New}},
      {"atomic_fetch_inc", {Kind::Count, Op::Add, Result::Old}},
      {"atomic_fetch_dec", {Kind::Count, Op::Sub, Result::Old}},
      {"atomic_inc_and_test", {Kind::Count, Op::Add, Result::IsZero}},
      {"atomic_dec_and_test", {Kind::Count, Op::Sub, Result::IsZero}},
      {"atomic_sub_and_test", {Kind::Update, Op::Sub, Result::IsZero}},
      {"atomic_add_negative", {Kind::Update, Op::Add, Result::IsNegative}},
  };
  for (const char* suffix : {"_explicit", "_relaxed", "_acquire", "_release"}) {
    if (functions.count(name) > 0) break;
    name = without(name, suffix);
  }
  if (const auto found = functions.find(name); found != functions.end()) return found->second;
  static const std::map<std::string, Op> ops{{"add", Op::Add},
                                             {"sub", Op::Sub},
                                             {"and", Op::BitAnd},
                                             {"or", Op::BitOr},
                                             {"xor", Op::BitXor}};
  for (const auto& [word, op] : ops) {
    if (name == "atomic_" + word) return Function{Kind::Update, op};
    if (name == "atomic_" + word + "_return") return Function{Kind::Update, op, Result::New};
    if (name == "atomic_fetch_" + word) return Function{Kind::Update, op, Result::Old};
  }
  return std::nullopt;
}

/// One function: one thread.
class Body {
public:
  Body(Context& context, Syntax& syntax, std::size_t thread, ProcedureId code)
      : context_(context), syntax_(syntax), thread_(thread), code_(code), out_(context, code) {}

  /// The parameters: locations that any thread may come by the address of.
  void declare(Grammar::FunctionContext* function) {
    const auto name = declared_name(function->declarator());
    if (name && *name != fmt::format("P{}", thread_))
      error(function->declarator(), fmt::format("expected P{} here", thread_));
    parameters(function->declarator());
  }

  void build(Grammar::FunctionContext* function) {
    collect_assigned(function->block());
    for (auto* item : function->block()->blockItem()) blockItem(item);
    context_.program.procedures[code_.value].body = out_.take();
    for (const auto& [name, place] : labels_)
      if (!place.second)
        context_.diagnostics.error(place.first.second, fmt::format("there is no label '{}'", name));
    number_labels(context_.program.procedures[code_.value]);
  }

private:
  template <class Where> Diagnostic& error(Where* where, std::string message) {
    return context_.diagnostics.error(syntax_.span(where), std::move(message));
  }

  // ---- names -------------------------------------------------------------------------------------

  void parameters(Grammar::DeclaratorContext* declarator) {
    auto* function =
        dynamic_cast<Grammar::FunctionDeclaratorContext*>(declarator->directDeclarator());
    if (!function) {
      error(declarator, "a thread is a function: P0(int *x) { ... }");
      return;
    }
    if (!function->parameters()) return;
    for (auto* parameter : function->parameters()->parameter()) {
      auto* named = parameter->declarator();
      const std::string text = parameter->getText();
      if (text == "void") continue;
      const auto name = named ? declared_name(named) : std::nullopt;
      if (!name || named->pointer().empty()) {
        error(parameter, "a parameter is a pointer to a location").with_hint("for example: int *x");
        continue;
      }
      const SharedId id = context_.location(*name);
      context_.expose(id);
      parameters_.emplace(*name, Context::address({id, 0}));
    }
  }

  static std::optional<std::string> declared_name(Grammar::DeclaratorContext* declarator) {
    auto* direct = declarator->directDeclarator();
    if (auto* name = dynamic_cast<Grammar::DeclaredNameContext*>(direct)) return name->getText();
    if (auto* nested = dynamic_cast<Grammar::NestedDeclaratorContext*>(direct))
      return declared_name(nested->declarator());
    if (auto* function = dynamic_cast<Grammar::FunctionDeclaratorContext*>(direct))
      if (auto* name = dynamic_cast<Grammar::DeclaredNameContext*>(function->directDeclarator()))
        return name->getText();
    return std::nullopt;
  }

  /// Parameters that are assigned to are registers; the others keep the address they came with.
  void collect_assigned(antlr4::tree::ParseTree* tree) {
    if (auto* assignment = dynamic_cast<Grammar::AssignmentContext*>(tree))
      if (auto* name = dynamic_cast<Grammar::NameContext*>(assignment->left))
        assigned_.insert(name->getText());
    for (auto* child : tree->children) collect_assigned(child);
  }

  LocalId variable(const std::string& name) {
    const auto parameter = parameters_.find(name);
    if (parameter != parameters_.end() && !context_.find_register(thread_, name))
      context_.set_initial(thread_, name, parameter->second);
    return context_.reg(thread_, name);
  }

  // ---- statements --------------------------------------------------------------------------------

  void blockItem(Grammar::BlockItemContext* item) {
    if (item->declaration())
      declaration(item->declaration());
    else
      statement(item->statement(), false);
  }

  void declaration(Grammar::DeclarationContext* declaration) {
    const SourceSpan span = syntax_.span(declaration);
    out_.begin_statement(span, span, false);
    for (auto* declared : declaration->initDeclarator()) {
      const auto name = declared_name(declared->declarator());
      if (!name) {
        error(declared, "only simple variables are declared in a test");
        continue;
      }
      const LocalId local = variable(*name);
      if (!declared->initializer()) continue;
      if (!declared->initializer()->expr()) {
        error(declared->initializer(), "only simple variables are declared in a test");
        continue;
      }
      out_.assign(local, number(declared->initializer()->expr()), span);
    }
  }

  Block nested(Grammar::StatementContext* context) {
    const auto outer = out_.statement();
    Block result = out_.collect([&] { statement(context, true); });
    out_.resume_statement(outer);
    return result;
  }

  void statement(Grammar::StatementContext* context, bool is_alone) {
    const SourceSpan span = syntax_.span(context);
    if (auto* s = dynamic_cast<Grammar::CompoundContext*>(context)) {
      for (auto* item : s->block()->blockItem()) blockItem(item);
      return;
    }
    out_.begin_statement(span, span, is_alone);
    const auto self = out_.statement();
    if (auto* s = dynamic_cast<Grammar::ExpressedContext*>(context)) {
      if (s->expression())
        for (auto* e : s->expression()->expr()) effect(e);
    } else if (auto* s = dynamic_cast<Grammar::IfContext*>(context)) {
      Expr test = truth(s->expression());
      Block yes = nested(s->yes);
      Block no = s->no ? nested(s->no) : Block{};
      out_.emit(If{std::move(test), std::move(yes), std::move(no)}, span);
    } else if (auto* s = dynamic_cast<Grammar::WhileContext*>(context)) {
      loop(s->statement(), s->expression(), nullptr, span, true);
    } else if (auto* s = dynamic_cast<Grammar::DoContext*>(context)) {
      loop(s->statement(), s->expression(), nullptr, span, false);
    } else if (auto* s = dynamic_cast<Grammar::ForContext*>(context)) {
      if (s->declaration()) declaration(s->declaration());
      out_.resume_statement(self);
      if (s->init)
        for (auto* e : s->init->expr()) effect(e);
      loop(s->statement(), s->test, s->step, span, true);
    } else if (auto* s = dynamic_cast<Grammar::GotoContext*>(context)) {
      out_.emit(Goto{label(s->ID()->getText(), syntax_.span(s->ID()->getSymbol()))}, span);
    } else if (auto* s = dynamic_cast<Grammar::LabelledContext*>(context)) {
      labelled(s);
    } else if (dynamic_cast<Grammar::BreakContext*>(context) ||
               dynamic_cast<Grammar::ContinueContext*>(context)) {
      if (loops_.empty()) {
        error(context, "this stands outside a loop");
        return;
      }
      const bool is_break = dynamic_cast<Grammar::BreakContext*>(context) != nullptr;
      auto& wanted = is_break ? loops_.back().end : loops_.back().next;
      if (!wanted) wanted = fresh_label();
      out_.emit(Goto{*wanted}, span);
    } else if (auto* s = dynamic_cast<Grammar::ReturnContext*>(context)) {
      if (s->expression()) number(s->expression());
      out_.emit(Return{}, span);
    } else {
      error(context, "this statement is not supported in a litmus test");
    }
    out_.resume_statement(self);
  }

  void labelled(Grammar::LabelledContext* s) {
    const std::string name = s->ID()->getText();
    const SourceSpan span = syntax_.span(s->ID()->getSymbol());
    const LabelId id = label(name, span);
    if (labels_.at(name).second) error(s, fmt::format("label '{}' is defined twice", name));
    labels_.at(name).second = true;
    out_.emit(Skip{}, span, {id});
    statement(s->statement(), true);
  }

  void loop(Grammar::StatementContext* body, Grammar::ExpressionContext* test,
            Grammar::ExpressionContext* step, SourceSpan span, bool tests_first) {
    loops_.emplace_back();
    const auto self = out_.statement();
    Expr condition = Expr::boolean(true, span);
    Block before, after;
    const auto rest = [&] { // continue comes here
      out_.resume_statement(self);
      if (loops_.back().next) out_.emit(Skip{}, span, {*loops_.back().next});
      if (step)
        for (auto* e : step->expr()) effect(e);
    };
    const auto do_test = [&] {
      out_.resume_statement(self);
      if (test) condition = truth(test);
    };
    if (tests_first) {
      before = out_.collect(do_test);
      after = out_.collect([&] {
        statement(body, true);
        rest();
      });
    } else {
      before = out_.collect([&] {
        statement(body, true);
        rest();
        do_test();
      });
    }
    out_.resume_statement(self);
    out_.emit(Loop{std::move(before), std::move(condition), std::move(after)}, span);
    if (loops_.back().end) out_.emit(Skip{}, span, {*loops_.back().end});
    loops_.pop_back();
  }

  LabelId fresh_label() {
    auto& names = context_.program.procedures[code_.value].labels;
    std::string name;
    do name = fmt::format("label_{}", ++labels_made_);
    while (labels_.count(name) > 0);
    names.push_back(name);
    return LabelId{static_cast<std::uint32_t>(names.size() - 1)};
  }

  LabelId label(const std::string& name, SourceSpan span) {
    auto& names = context_.program.procedures[code_.value].labels;
    const auto [found, is_new] = labels_.emplace(
        name, std::pair{std::pair{LabelId{static_cast<std::uint32_t>(names.size())}, span}, false});
    if (is_new) names.push_back(name);
    return found->second.first.first;
  }

  // ---- expressions -------------------------------------------------------------------------------

  Expr constant(Value value, SourceSpan span) const { return Expr::constant(value, span); }

  /// A truth value as a number.
  Expr as_number(Expr value) {
    if (!value.is_bool) return value;
    const SourceSpan span = value.span;
    if (value.is_constant()) return constant(value.value, span);
    const LocalId into = out_.temporary();
    Block yes = out_.collect([&] { out_.assign(into, constant(1, span), span); });
    Block no = out_.collect([&] { out_.assign(into, constant(0, span), span); });
    out_.emit(If{std::move(value), std::move(yes), std::move(no)}, span);
    return out_.read(into, span);
  }

  Expr as_truth(Expr value) const {
    if (value.is_bool) return value;
    const SourceSpan span = value.span;
    if (value.is_constant()) return Expr::boolean(value.value != 0, span);
    return Expr::binary(Op::Ne, std::move(value), constant(0, span), span);
  }

  Expr number(Grammar::ExprContext* e) { return as_number(value(e)); }
  Expr number(Grammar::ExpressionContext* e) {
    for (std::size_t i = 0; i + 1 < e->expr().size(); ++i) effect(e->expr(i));
    return number(e->expr(e->expr().size() - 1));
  }
  Expr truth(Grammar::ExprContext* e) { return as_truth(value(e)); }
  Expr truth(Grammar::ExpressionContext* e) {
    for (std::size_t i = 0; i + 1 < e->expr().size(); ++i) effect(e->expr(i));
    return truth(e->expr(e->expr().size() - 1));
  }

  /// An expression for what it does.
  void effect(Grammar::ExprContext* e) {
    if (auto* call = dynamic_cast<Grammar::CallContext*>(e))
      this->call(call, false);
    else
      value(e);
  }

  Expr value(Grammar::ExprContext* e) {
    if (++depth_ > deepest) {
      if (depth_ == deepest + 1) error(e, "nested too deeply");
      return constant(0, syntax_.span(e));
    }
    Expr result = inner_value(e);
    --depth_;
    return result;
  }

  Expr inner_value(Grammar::ExprContext* e) {
    const SourceSpan span = syntax_.span(e);
    if (auto* x = dynamic_cast<Grammar::ParenthesisContext*>(e)) {
      for (std::size_t i = 0; i + 1 < x->expression()->expr().size(); ++i)
        effect(x->expression()->expr(i));
      return value(x->expression()->expr(x->expression()->expr().size() - 1));
    }
    if (auto* x = dynamic_cast<Grammar::LiteralContext*>(e)) return literal(x);
    if (auto* x = dynamic_cast<Grammar::NameContext*>(e)) return name(x);
    if (auto* x = dynamic_cast<Grammar::CastContext*>(e)) return value(x->expr());
    if (auto* x = dynamic_cast<Grammar::CallContext*>(e)) return call(x, true);
    if (auto* x = dynamic_cast<Grammar::IndexContext*>(e)) return load(address_of(x), span);
    if (auto* x = dynamic_cast<Grammar::UnaryContext*>(e)) return unary(x, span);
    if (auto* x = dynamic_cast<Grammar::BinaryContext*>(e)) return binary(x, span);
    if (auto* x = dynamic_cast<Grammar::AssignmentContext*>(e)) return assignment(x, span);
    if (auto* x = dynamic_cast<Grammar::ConditionalContext*>(e)) return conditional(x, span);
    if (auto* x = dynamic_cast<Grammar::PostfixContext*>(e))
      return step(x->expr(), x->op->getText(), true, span);
    if (auto* x = dynamic_cast<Grammar::PrefixContext*>(e))
      return step(x->expr(), x->op->getText(), false, span);
    error(e, "this expression is not supported in a litmus test");
    return constant(0, span);
  }

  Expr literal(Grammar::LiteralContext* e) {
    std::string text = e->getText();
    const SourceSpan span = syntax_.span(e);
    while (!text.empty() && std::string("uUlL").find(text.back()) != std::string::npos)
      text.pop_back();
    const bool hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
    const bool octal = !hex && text.size() > 1 && text[0] == '0';
    std::uint64_t result = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, problem] = std::from_chars(text.data() + (hex ? 2 : 0), end, result,
                                                 hex     ? 16
                                                 : octal ? 8
                                                         : 10);
    if (!e->constant()->INT() || problem != std::errc{} || rest != end ||
        result > (std::uint64_t{1} << 62))
      error(e, "only integers that fit are supported in a litmus test");
    return constant(static_cast<Value>(result), span);
  }

  Expr name(Grammar::NameContext* e) {
    const std::string text = e->getText();
    const SourceSpan span = syntax_.span(e);
    if (text == "true" || text == "false") return constant(text == "true", span);
    if (text == "NULL") return constant(0, span);
    const auto parameter = parameters_.find(text);
    if (parameter != parameters_.end() && assigned_.count(text) == 0)
      return constant(parameter->second, span);
    return out_.read(variable(text), span);
  }

  Expr load(const Expr& address, SourceSpan span) {
    const LocalId into = out_.temporary();
    out_.at_address(address, span, [&](const Place& place) {
      out_.emit(Load{{into, {}}, place}, span);
    });
    return out_.read(into, span);
  }

  void store(const Expr& address, const Expr& value, SourceSpan span) {
    out_.at_address(address, span, [&](const Place& place) { out_.store(place, value, span); });
  }

  Expr address_of(Grammar::IndexContext* e) {
    const Expr base = number(e->expr());
    return folded(Op::Add, base, number(e->expression()), syntax_.span(e));
  }

  /// The address of what an argument means: `*x`, `x`, `a[1]`.
  Expr address(Grammar::ArgumentContext* argument) {
    Grammar::ExprContext* e = argument->expr();
    if (!e) {
      error(argument, "expected a location");
      return constant(0, syntax_.span(argument));
    }
    return address(e);
  }
  Expr address(Grammar::ExprContext* e) {
    if (auto* x = dynamic_cast<Grammar::ParenthesisContext*>(e))
      if (x->expression()->expr().size() == 1) return address(x->expression()->expr(0));
    if (auto* x = dynamic_cast<Grammar::UnaryContext*>(e); x && x->op->getText() == "*")
      return number(x->expr());
    if (auto* x = dynamic_cast<Grammar::UnaryContext*>(e); x && x->op->getText() == "&")
      return address(x->expr());
    if (auto* x = dynamic_cast<Grammar::IndexContext*>(e)) return address_of(x);
    return number(e);
  }

  Expr folded(Op op, Expr left, Expr right, SourceSpan span) const {
    if (left.is_constant() && right.is_constant() && (op == Op::Add || op == Op::Sub))
      return constant(op == Op::Add ? left.value + right.value : left.value - right.value, span);
    return Expr::binary(op, std::move(left), std::move(right), span);
  }

  Expr unary(Grammar::UnaryContext* e, SourceSpan span) {
    const std::string op = e->op->getText();
    if (op == "*") return load(number(e->expr()), span);
    if (op == "&") {
      auto* inner = dynamic_cast<Grammar::UnaryContext*>(e->expr());
      if (inner && inner->op->getText() == "*") return number(inner->expr());
      error(e, "only locations have addresses in a litmus test");
      return constant(0, span);
    }
    if (op == "!") return Expr::unary(Op::Not, truth(e->expr()), span);
    Expr operand = number(e->expr());
    if (op == "+") return operand;
    if (operand.is_constant()) return constant(op == "-" ? -operand.value : ~operand.value, span);
    if (op == "-") return Expr::unary(Op::Neg, std::move(operand), span);
    return Expr::binary(Op::Sub, constant(-1, span), std::move(operand), span);
  }

  static Op operator_of(const std::string& text) {
    static const std::map<std::string, Op> ops{
        {"*", Op::Mul},    {"/", Op::Div},   {"%", Op::Mod},  {"+", Op::Add},
        {"-", Op::Sub},    {"<", Op::Lt},    {"<=", Op::Le},  {">", Op::Gt},
        {">=", Op::Ge},    {"==", Op::Eq},   {"!=", Op::Ne},  {"&", Op::BitAnd},
        {"^", Op::BitXor}, {"|", Op::BitOr}, {"<<", Op::Shl}, {">>", Op::Shr}};
    return ops.at(text);
  }

  /// Keeps a value that what comes next could change.
  Expr kept(Expr value, SourceSpan span) {
    if (value.is_constant()) return value;
    const LocalId copy = out_.temporary();
    out_.assign(copy, std::move(value), span);
    return out_.read(copy, span);
  }

  Expr binary(Grammar::BinaryContext* e, SourceSpan span) {
    const std::string op = e->op->getText();
    if (op == "&&" || op == "||") {
      Expr left = truth(e->left);
      std::optional<Expr> right;
      const LocalId result = out_.temporary();
      Block more = out_.collect([&] { out_.assign(result, number(e->right), span); });
      Block decided = out_.collect([&] { out_.assign(result, constant(op == "||", span), span); });
      const bool on_true = op == "&&";
      out_.emit(If{std::move(left), on_true ? std::move(more) : std::move(decided),
                   on_true ? std::move(decided) : std::move(more)},
                span);
      return as_truth(out_.read(result, span));
    }
    Expr left = number(e->left);
    if (has_effects(e->right)) left = kept(std::move(left), span);
    return folded(operator_of(op), std::move(left), number(e->right), span);
  }

  /// Whether a register may change while it is computed.
  static bool has_effects(antlr4::tree::ParseTree* tree) {
    if (dynamic_cast<Grammar::AssignmentContext*>(tree) ||
        dynamic_cast<Grammar::PostfixContext*>(tree) || dynamic_cast<Grammar::PrefixContext*>(tree))
      return true;
    return std::any_of(tree->children.begin(), tree->children.end(),
                       [](antlr4::tree::ParseTree* child) { return has_effects(child); });
  }

  Expr conditional(Grammar::ConditionalContext* e, SourceSpan span) {
    Expr test = truth(e->test);
    const LocalId result = out_.temporary();
    Block yes =
        out_.collect([&] { out_.assign(result, e->yes ? number(e->yes) : as_number(test), span); });
    Block no = out_.collect([&] { out_.assign(result, number(e->no), span); });
    out_.emit(If{std::move(test), std::move(yes), std::move(no)}, span);
    return out_.read(result, span);
  }

  /// Where an assignment goes: a register, or the location at an address.
  struct Target {
    std::optional<LocalId> local;
    Expr address;
  };
  Target target(Grammar::ExprContext* e) {
    if (auto* x = dynamic_cast<Grammar::ParenthesisContext*>(e))
      if (x->expression()->expr().size() == 1) return target(x->expression()->expr(0));
    if (auto* x = dynamic_cast<Grammar::NameContext*>(e)) return {variable(x->getText()), {}};
    if (auto* x = dynamic_cast<Grammar::UnaryContext*>(e); x && x->op->getText() == "*")
      return {std::nullopt, number(x->expr())};
    if (auto* x = dynamic_cast<Grammar::IndexContext*>(e)) return {std::nullopt, address_of(x)};
    error(e, "this cannot be assigned to");
    return {std::nullopt, constant(0, syntax_.span(e))};
  }
  Expr read(const Target& target, SourceSpan span) {
    return target.local ? out_.read(*target.local, span) : load(target.address, span);
  }
  void write(const Target& target, const Expr& value, SourceSpan span) {
    if (target.local)
      out_.assign(*target.local, value, span);
    else
      store(target.address, value, span);
  }

  Expr assignment(Grammar::AssignmentContext* e, SourceSpan span) {
    const std::string op = e->op->getText();
    const Target to = target(e->left);
    if (op == "=") {
      Expr result = number(e->right);
      write(to, result, span);
      return to.local ? out_.read(*to.local, span) : result;
    }
    Expr old = kept(read(to, span), span);
    Expr result = kept(Expr::binary(operator_of(op.substr(0, op.size() - 1)), std::move(old),
                                    number(e->right), span),
                       span);
    write(to, result, span);
    return result;
  }

  Expr step(Grammar::ExprContext* e, const std::string& op, bool gives_old, SourceSpan span) {
    const Target at = target(e);
    Expr old = kept(read(at, span), span);
    Expr result =
        kept(Expr::binary(op == "++" ? Op::Add : Op::Sub, old, constant(1, span), span), span);
    write(at, result, span);
    return gives_old ? old : result;
  }

  // ---- calls -------------------------------------------------------------------------------------

  bool has_arguments(Grammar::CallContext* call, std::size_t least) {
    if (call->argument().size() >= least) return true;
    error(call, fmt::format("'{}' takes {} argument{}", call->expr()->getText(), least,
                            least == 1 ? "" : "s"));
    return false;
  }

  Expr number(Grammar::ArgumentContext* argument) {
    if (argument->expr()) return number(argument->expr());
    error(argument, "expected a value");
    return constant(0, syntax_.span(argument));
  }

  bool is_seq_cst(Grammar::CallContext* call, std::size_t at) {
    const std::string order = call->argument().size() > at ? call->argument(at)->getText() : "";
    static const std::set<std::string> weaker{"relaxed", "consume", "acquire", "release",
                                              "acq_rel"};
    for (const char* prefix : {"memory_order_", "mo_", ""})
      if (order.starts_with(prefix)) {
        const std::string word = order.substr(std::string(prefix).size());
        if (word == "seq_cst") return true;
        if (weaker.count(word) > 0) return false;
      }
    error(call, order.empty() ? "the memory order is missing"
                              : fmt::format("'{}' is not a memory order", order))
        .with_hint("for example memory_order_seq_cst");
    return true;
  }

  Expr call(Grammar::CallContext* call, bool wants_value) {
    using Kind = Function::Kind;
    const std::string name = call->expr()->getText();
    const SourceSpan span = syntax_.span(call);
    if (name == "atomic_thread_fence") {
      if (has_arguments(call, 1) && is_seq_cst(call, 0))
        out_.emit(Fence{}, span);
      else
        out_.emit(Skip{}, span); // nothing to wait for on x86
      return constant(0, span);
    }
    auto function = function_named(name);
    if (!function) {
      auto& problem =
          error(call->expr(), fmt::format("'{}' is not a function that Weir knows", name));
      if (name.find("rcu") != std::string::npos)
        problem.with_hint(
            "waiting for readers (RCU) needs a model of its own and is not supported");
      return constant(0, span);
    }
    if (name == "atomic_store_explicit" && !is_seq_cst(call, 2)) function->kind = Kind::Store;
    static const std::map<Kind, std::size_t> arity{
        {Kind::Load, 1},      {Kind::Store, 2}, {Kind::LockedStore, 2}, {Kind::Exchange, 2},
        {Kind::Update, 2},    {Kind::Count, 1}, {Kind::Compare, 3},     {Kind::CompareInto, 3},
        {Kind::AddUnless, 3}, {Kind::Lock, 1},  {Kind::TryLock, 1},     {Kind::IsLocked, 1},
        {Kind::Unlock, 1}};
    const auto least = arity.find(function->kind);
    if (least != arity.end() && !has_arguments(call, least->second)) return constant(0, span);
    Expr result = perform(*function, call, span);
    if (wants_value && result.op == Op::Const && !gives_value(*function)) {
      error(call, fmt::format("'{}' gives no value", name));
    }
    return result;
  }

  static bool gives_value(const Function& function) {
    using Kind = Function::Kind;
    switch (function.kind) {
    case Kind::Load:
    case Kind::Exchange:
    case Kind::Compare:
    case Kind::CompareInto:
    case Kind::AddUnless:
    case Kind::TryLock:
    case Kind::IsLocked: return true;
    case Kind::Update:
    case Kind::Count: return function.result != Function::Result::None;
    default: return false;
    }
  }

  Expr perform(const Function& function, Grammar::CallContext* call, SourceSpan span) {
    using Kind = Function::Kind;
    const auto args = call->argument();
    switch (function.kind) {
    case Kind::Load: return load(address(args[0]), span);
    case Kind::Store:
    case Kind::LockedStore: {
      const Expr at = address(args[0]);
      const Expr value = number(args[1]);
      if (function.kind == Kind::Store)
        store(at, value, span);
      else
        out_.locked(span, [&] { store(at, value, span); });
      return constant(0, span);
    }
    case Kind::Exchange: {
      const Expr at = address(args[0]);
      const Expr value = kept(number(args[1]), span);
      return locked_update(at, span, [&](const Expr&) { return value; }).first;
    }
    case Kind::Count: return updated(function, address(args[0]), constant(1, span), span);
    case Kind::Update: {
      // The kernel has the number first, C11 the location; which is which, addresses tell.
      Expr first = address(args[0]), second = address(args[1]);
      const bool is_kernel = second.is_constant() && context_.addresses().count(second.value) > 0;
      return is_kernel ? updated(function, second, kept(std::move(first), span), span)
                       : updated(function, first, kept(std::move(second), span), span);
    }
    case Kind::Compare:
    case Kind::CompareInto:
    case Kind::AddUnless: return compared(function, call, span);
    case Kind::Lock:
      out_.at_address(address(args[0]), span, [&](const Place& place) {
        out_.emit(Arw{place, constant(0, span), constant(1, span)}, span);
      });
      return constant(0, span);
    case Kind::TryLock: {
      const auto [old, ignored] =
          locked_update(address(args[0]), span, [&](const Expr&) { return constant(1, span); });
      return Expr::binary(Op::Eq, old, constant(0, span), span);
    }
    case Kind::IsLocked:
      return Expr::binary(Op::Ne, load(address(args[0]), span), constant(0, span), span);
    case Kind::Unlock: store(address(args[0]), constant(0, span), span); return constant(0, span);
    case Kind::Fence: out_.emit(Fence{}, span); return constant(0, span);
    case Kind::StoreFence: out_.emit(StoreFence{}, span); return constant(0, span);
    case Kind::Nothing: out_.emit(Skip{}, span); return constant(0, span);
    }
    return constant(0, span);
  }

  /// Reads the location and writes what `next` makes of it, as one locked instruction: old and new.
  std::pair<Expr, Expr> locked_update(const Expr& at, SourceSpan span,
                                      const std::function<Expr(const Expr&)>& next) {
    const LocalId old = out_.temporary(), fresh = out_.temporary();
    out_.at_address(at, span, [&](const Place& place) {
      out_.locked(span, [&] {
        out_.emit(Load{{old, {}}, place}, span);
        out_.assign(fresh, next(out_.read(old, span)), span);
        out_.store(place, out_.read(fresh, span), span);
      });
    });
    return {out_.read(old, span), out_.read(fresh, span)};
  }

  Expr updated(const Function& function, const Expr& at, const Expr& by, SourceSpan span) {
    using Result = Function::Result;
    const auto [old, fresh] = locked_update(
        at, span, [&](const Expr& before) { return Expr::binary(function.op, before, by, span); });
    switch (function.result) {
    case Result::None: return constant(0, span);
    case Result::Old: return old;
    case Result::New: return fresh;
    case Result::IsZero: return Expr::binary(Op::Eq, fresh, constant(0, span), span);
    case Result::IsNegative: return Expr::binary(Op::Lt, fresh, constant(0, span), span);
    }
    return old;
  }

  Expr compared(const Function& function, Grammar::CallContext* call, SourceSpan span) {
    using Kind = Function::Kind;
    const auto args = call->argument();
    const bool is_unless = function.kind == Kind::AddUnless;
    const Expr at = address(args[0]);
    std::optional<Target> expected_at;
    Expr expected;
    if (function.kind == Kind::CompareInto) {
      expected_at = expected_target(args[1]);
      expected = kept(read(*expected_at, span), span);
    } else {
      expected = kept(number(args[is_unless ? 2 : 1]), span);
    }
    const Expr desired = kept(number(args[is_unless ? 1 : 2]), span);
    const LocalId old = out_.temporary();
    out_.at_address(at, span, [&](const Place& place) {
      out_.locked(span, [&] {
        out_.emit(Load{{old, {}}, place}, span);
        Block write = out_.collect([&] {
          out_.store(place,
                     is_unless ? Expr::binary(Op::Add, out_.read(old, span), desired, span)
                               : desired,
                     span);
        });
        const Op when = is_unless ? Op::Ne : Op::Eq;
        out_.emit(
            If{Expr::binary(when, out_.read(old, span), expected, span), std::move(write), {}},
            span);
      });
    });
    if (function.kind == Kind::Compare) return out_.read(old, span);
    Expr done = Expr::binary(is_unless ? Op::Ne : Op::Eq, out_.read(old, span), expected, span);
    if (expected_at) {
      Block learn = out_.collect([&] { write(*expected_at, out_.read(old, span), span); });
      out_.emit(If{done, {}, std::move(learn)}, span);
    }
    return done;
  }

  /// `&r` of a register, or a pointer to a location.
  Target expected_target(Grammar::ArgumentContext* argument) {
    if (auto* e = dynamic_cast<Grammar::UnaryContext*>(argument->expr());
        e && e->op->getText() == "&")
      if (auto* name = dynamic_cast<Grammar::NameContext*>(e->expr()))
        return {variable(name->getText()), {}};
    return {std::nullopt, address(argument)};
  }

  struct LoopLabels {
    std::optional<LabelId> next, end;
  };

  Context& context_;
  Syntax& syntax_;
  std::size_t thread_;
  ProcedureId code_;
  Emitter out_;
  std::map<std::string, Value> parameters_; ///< their addresses
  std::set<std::string> assigned_;
  std::vector<LoopLabels> loops_;
  std::map<std::string, std::pair<std::pair<LabelId, SourceSpan>, bool>>
      labels_; ///< whether placed
  unsigned labels_made_ = 0;
  static constexpr std::size_t deepest = 500;
  std::size_t depth_ = 0; ///< of the expression being read
};

} // namespace

void read_c(const Source& source, SourceSpan span, Context& context) {
  Syntax syntax(source, only(source, span, Comments::Keep));
  auto tokens = syntax.all_tokens();
  for (auto& token : tokens)
    if (token->getType() == weir_antlr::CLexer::ID && is_type_name(token->getText()))
      static_cast<antlr4::CommonToken*>(token.get())->setType(weir_antlr::CLexer::TYPE_NAME);
  const std::size_t mistakes = context.diagnostics.size();
  auto* tree = syntax.parse(&Grammar::translationUnit, context.diagnostics,
                            std::make_unique<antlr4::ListTokenSource>(std::move(tokens)));
  if (context.diagnostics.size() > mistakes) return;
  // Locations first: any thread may come by the address of any of them.
  std::vector<Grammar::FunctionContext*> functions;
  for (auto* external : tree->external()) {
    if (external->function())
      functions.push_back(external->function());
    else if (external->getText() != ";")
      context.diagnostics.error(syntax.span(external), "expected a thread: P0(int *x) { ... }");
  }
  std::vector<ProcedureId> codes;
  for (auto* function : functions)
    codes.push_back(context.add_thread(syntax.span(function->declarator())));
  std::vector<std::unique_ptr<Body>> bodies;
  for (std::size_t t = 0; t < functions.size(); ++t) {
    bodies.push_back(std::make_unique<Body>(context, syntax, t, codes[t]));
    bodies.back()->declare(functions[t]);
  }
  for (std::size_t t = 0; t < functions.size(); ++t) bodies[t]->build(functions[t]);
}

} // namespace weir::frontend::litmus
