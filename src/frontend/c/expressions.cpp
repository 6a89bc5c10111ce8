#include "frontend/c/builder.h"
#include "ir/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace weir::frontend::c {

using namespace ir;
using Kind = Type::Kind;

// ---- values ------------------------------------------------------------------------------------

Expr Builder::folded(Op op, Expr left, Expr right, SourceSpan span) const {
  if (op == Op::Add && right.is_constant() && right.value == 0 && !right.is_bool) return left;
  if (op == Op::Add && left.is_constant() && left.value == 0 && !left.is_bool) return right;
  if (op == Op::Mul && right.is_constant() && right.value == 1) return left;
  // x ^ x and x - x are how programs write a dependency on x.
  if ((op == Op::BitXor || op == Op::Sub) && left == right) return Expr::constant(0, span);
  Expr result = Expr::binary(op, std::move(left), std::move(right), span);
  if (!result.args[0].is_constant() || !result.args[1].is_constant()) return result;
  const auto outcome = apply(op, result.args[0].value, result.args[1].value);
  if (const auto* constant = std::get_if<ir::Value>(&outcome)) {
    Expr done = Expr::constant(*constant, span);
    done.is_bool = result.is_bool;
    return done;
  }
  return result;
}

Expr Builder::as_truth(Rvalue v) const {
  if (v.expr.is_bool) return std::move(v.expr);
  const SourceSpan span = v.expr.span;
  if (v.expr.is_constant()) return Expr::boolean(v.expr.value != 0, span);
  return Expr::binary(Op::Ne, std::move(v.expr), Expr::constant(0, span), span);
}

Expr Builder::truth(Grammar::ExprContext* e) {
  if (dynamic_cast<Grammar::TextContext*>(bare(e)))
    return Expr::boolean(true, syntax_.span(e)); // a remark
  // Of any number at all only its truth matters here.
  if (auto* x = dynamic_cast<Grammar::CallContext*>(bare(e))) {
    const std::string name = x->expr()->getText();
    if ((name == "__VERIFIER_nondet_int" || name == "__VERIFIER_nondet_uint" ||
         name == "nondet_int" || name == "nondet_uint") &&
        functions_.count(name) == 0) {
      const LocalId any = new_local("any", ir::Type::boolean(), {});
      emit(Havoc{{any, {}}}, syntax_.span(e));
      return Expr::of_local(any, ir::Type::boolean(), syntax_.span(e));
    }
  }
  return as_truth(value(e));
}

Expr Builder::truth(Grammar::ExpressionContext* e) {
  for (std::size_t i = 0; i + 1 < e->expr().size(); ++i) effect(e->expr(i));
  return truth(e->expr(e->expr().size() - 1));
}

Expr Builder::number(Rvalue v) {
  if (!v.expr.is_bool) return std::move(v.expr);
  const SourceSpan span = v.expr.span;
  if (v.expr.is_constant()) return Expr::constant(v.expr.value, span);
  const LocalId into = temporary();
  Block yes = collect([&] { emit(Assign{{into, {}}, Expr::constant(1, span)}, span); });
  Block no = collect([&] { emit(Assign{{into, {}}, Expr::constant(0, span)}, span); });
  emit(If{std::move(v.expr), std::move(yes), std::move(no)}, span);
  return read(into, span);
}

Expr Builder::as_type(Rvalue v, const TypeRef& type, antlr4::ParserRuleContext* where) {
  if (type->kind == Kind::Struct || v.type->kind == Kind::Struct)
    error(where, "a struct cannot be a value here");
  Expr result = converted(std::move(v.expr), *v.type, *type);
  return number({std::move(result), type});
}

/// Beyond that nothing is said: what follows is not covered.
Expr Builder::within_63_bits(Expr e, SourceSpan span) {
  if (e.is_constant() && e.value >= 0) return e;
  e = kept(std::move(e), span);
  give_up_if(Expr::binary(Op::Lt, e, Expr::constant(0), span), span);
  return e;
}

/// Ends what is covered: a procedure that calls itself for ever goes beyond any limit.
void Builder::give_up_if(Expr condition, SourceSpan span) {
  if (!limit_) {
    limit_ = ProcedureId{static_cast<std::uint32_t>(program_.procedures.size())};
    Procedure limit{Procedure::Kind::Procedure, unique_name("beyond_limits"), {}, {}, {}, span};
    limit.body.push_back({Call{*limit_, {}}, span, {}});
    program_.procedures.push_back(std::move(limit));
  }
  Block stop = collect([&] { emit(Call{*limit_, {}}, span); });
  emit(If{std::move(condition), std::move(stop), {}}, span);
}

Expr Builder::kept(Expr e, SourceSpan span) {
  if (e.is_constant()) return e;
  const LocalId copy = temporary();
  emit(Assign{{copy, {}}, std::move(e)}, span);
  return read(copy, span);
}

bool Builder::has_effects(antlr4::tree::ParseTree* tree) {
  if (dynamic_cast<Grammar::AssignmentContext*>(tree) ||
      dynamic_cast<Grammar::PostfixContext*>(tree) || dynamic_cast<Grammar::PrefixContext*>(tree) ||
      dynamic_cast<Grammar::CallContext*>(tree))
    return true;
  return std::any_of(tree->children.begin(), tree->children.end(),
                     [](antlr4::tree::ParseTree* child) { return has_effects(child); });
}

Grammar::ExprContext* Builder::bare(Grammar::ExprContext* e) {
  while (auto* x = dynamic_cast<Grammar::ParenthesisContext*>(e)) {
    if (x->expression()->expr().size() != 1) break;
    e = x->expression()->expr(0);
  }
  return e;
}

// ---- objects -----------------------------------------------------------------------------------

Lvalue Builder::of_object(const Object& object) {
  Lvalue result;
  result.where = object.where;
  result.type = object.type;
  result.local = object.local;
  result.shared = object.shared;
  result.offset = Expr::constant(0);
  result.is_whole = is_scalar(*object.type);
  if (object.where == Object::Where::Memory) {
    result.offset = Expr::constant(object.address);
    if (object.is_per_thread)
      result.offset =
          Expr::binary(Op::Add, result.offset,
                       Expr::binary(Op::Mul, self(),
                                    Expr::constant(static_cast<ir::Value>(cells(*object.type)))));
  }
  return result;
}

Place Builder::place(const Lvalue& at) {
  if (at.where == Object::Where::Memory) {
    if (!memory_) allocate("null", integer(32, true), {Initial{0}});
    return {*memory_, {folded(Op::Sub, at.offset, Expr::constant(1), at.offset.span)}};
  }
  if (at.is_whole) return {at.shared, {}};
  return {at.shared, {at.offset}};
}

LocalPlace Builder::local_place(const Lvalue& at) const {
  if (at.is_whole) return {at.local, {}};
  return {at.local, {at.offset}};
}

Rvalue Builder::load(const Lvalue& from, SourceSpan span) {
  if (from.where == Object::Where::Constant) return {Expr::constant(0, span), from.type};
  if (from.where == Object::Where::Local) {
    Expr e = Expr::of_local(from.local, ir::Type::integer(), span);
    if (!from.is_whole) e.args.push_back(from.offset);
    return {std::move(e), from.type};
  }
  const LocalId into = temporary();
  emit(Load{{into, {}}, place(from)}, span);
  return {read(into, span), from.type};
}

void Builder::store(const Lvalue& to, Expr e, SourceSpan span) {
  if (to.where == Object::Where::Constant) return;
  if (to.where == Object::Where::Local)
    emit(Assign{local_place(to), std::move(e)}, span);
  else
    emit(Store{place(to), std::move(e)}, span);
}

/// A plain assignment; to an atomic object it is sequentially consistent, so a locked instruction.
void Builder::assign(const Lvalue& to, Rvalue v, antlr4::ParserRuleContext* where) {
  const SourceSpan span = syntax_.span(where);
  Expr e = as_type(std::move(v), to.type, where);
  if (to.type->is_atomic && to.where != Object::Where::Local)
    locked(span, [&] { store(to, std::move(e), span); });
  else
    store(to, std::move(e), span);
}

void Builder::copy(const Lvalue& to, const Lvalue& from, antlr4::ParserRuleContext* where) {
  const SourceSpan span = syntax_.span(where);
  const std::uint64_t count = cells(*to.type);
  if (count != cells(*from.type)) {
    error(where, "these objects differ in size");
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto cell = [&](Lvalue of) {
      of.type = integer(64, true);
      if (!of.is_whole)
        of.offset = folded(Op::Add, of.offset, Expr::constant(static_cast<ir::Value>(i)), span);
      return of;
    };
    store(cell(to), load(cell(from), span).expr, span);
  }
}

std::optional<Lvalue> Builder::member(Lvalue of, const std::string& name,
                                      antlr4::ParserRuleContext* where) {
  if (of.type->kind == Kind::Unsupported) {
    supported(of.type, where);
    return std::nullopt;
  }
  if (of.type->kind != Kind::Struct) {
    error(where, fmt::format("'{}' is asked of what is no struct", name));
    return std::nullopt;
  }
  for (const Member& m : of.type->members) {
    std::optional<Lvalue> found;
    Lvalue part = of;
    part.is_whole = false;
    part.offset = folded(Op::Add, of.offset, Expr::constant(static_cast<ir::Value>(m.cell)), {});
    part.type = m.type;
    if (m.name == name) found = part;
    if (m.name.empty() && m.type->kind == Kind::Struct)
      for (const Member& inner : m.type->members)
        if (inner.name == name) found = member(part, name, where);
    if (found) {
      // A struct with a single cell is still an array of one.
      return found;
    }
  }
  error(where, fmt::format("'{}' has no member '{}'", of.type->name, name));
  return std::nullopt;
}

std::optional<Lvalue> Builder::pointee(const Rvalue& pointer, antlr4::ParserRuleContext* where) {
  if (pointer.type->kind != Kind::Pointer) {
    error(where, "this is not a pointer");
    return std::nullopt;
  }
  if (pointer.type->to->kind == Kind::Void || pointer.type->to->kind == Kind::Function) {
    error(where, "what this points to has no type that can be read");
    return std::nullopt;
  }
  Lvalue result;
  result.where = Object::Where::Memory;
  result.is_whole = false;
  result.offset = pointer.expr;
  result.type = pointer.type->to;
  return result;
}

std::optional<Lvalue> Builder::lvalue(Grammar::ExprContext* e) {
  e = bare(e);
  if (auto* x = dynamic_cast<Grammar::NameContext*>(e)) {
    const Object* object = find(x->getText());
    if (object && object->where != Object::Where::Function &&
        (object->where != Object::Where::Constant || object->type->kind == Kind::Struct))
      return of_object(*object);
    error(e, fmt::format("'{}' is not a variable", x->getText()));
    return std::nullopt;
  }
  if (auto* x = dynamic_cast<Grammar::UnaryContext*>(e); x && x->op->getText() == "*")
    return target_of(x->expr());
  if (auto* x = dynamic_cast<Grammar::Member_Context*>(e)) {
    const std::string name = x->ID()->getText();
    if (x->op->getText() == ".") {
      auto of = lvalue(x->expr());
      return of ? member(*of, name, x) : std::nullopt;
    }
    auto of = target_of(x->expr());
    return of ? member(*of, name, x) : std::nullopt;
  }
  if (auto* x = dynamic_cast<Grammar::IndexContext*>(e)) {
    auto* base = bare(x->expr());
    // An array by name, or a part of one; else a pointer.
    std::optional<Lvalue> array;
    auto* base_name = dynamic_cast<Grammar::NameContext*>(base);
    const Object* object = base_name ? find(base_name->getText()) : nullptr;
    if ((object && object->type->kind == Kind::Array) ||
        dynamic_cast<Grammar::IndexContext*>(base) ||
        dynamic_cast<Grammar::Member_Context*>(base)) {
      array = lvalue(base);
      if (!array) return std::nullopt;
      if (array->type->kind == Kind::Pointer)
        array = pointee(load(*array, syntax_.span(base)), base);
      else if (array->type->kind == Kind::Array)
        array->type = array->type->to;
      else {
        error(base, "this is not an array");
        return std::nullopt;
      }
    } else {
      array = pointee(value(base), base);
    }
    if (!array) return std::nullopt;
    const SourceSpan span = syntax_.span(x);
    Expr index = number(value(x->expression()));
    const auto size = static_cast<ir::Value>(cells(*array->type));
    array->offset = folded(Op::Add, array->offset,
                           folded(Op::Mul, std::move(index), Expr::constant(size), span), span);
    array->is_whole = false;
    return array;
  }
  if (auto* x = dynamic_cast<Grammar::ExtensionContext*>(e)) return lvalue(x->expr());
  error(e, "this is not an object");
  return std::nullopt;
}

/// The object that a pointer expression points to; `&x` and `*&x` are x itself.
std::optional<Lvalue> Builder::target_of(Grammar::ExprContext* pointer) {
  auto* e = bare(pointer);
  if (auto* x = dynamic_cast<Grammar::UnaryContext*>(e); x && x->op->getText() == "&")
    return lvalue(x->expr());
  if (auto* x = dynamic_cast<Grammar::CastContext*>(e)) {
    auto* inner = dynamic_cast<Grammar::UnaryContext*>(bare(x->expr()));
    const TypeRef type = type_name(x->typeName());
    if (inner && inner->op->getText() == "&" && type->kind == Kind::Pointer) {
      auto at = lvalue(inner->expr());
      if (at) {
        check_view(*at->type, *type->to, x);
        if (is_scalar(*type->to)) at->type = type->to;
      }
      return at;
    }
  }
  if (auto* x = dynamic_cast<Grammar::NameContext*>(e)) {
    const Object* object = find(x->getText());
    if (object && object->type->kind == Kind::Array) { // *a is a[0]
      Lvalue at = of_object(*object);
      at.type = object->type->to;
      at.is_whole = false;
      return at;
    }
  }
  return pointee(value(e), pointer);
}

/// An object may be looked at by a pointer to its own type; numbers are not cut into bytes.
void Builder::check_view(const Type& from, const Type& to, antlr4::ParserRuleContext* where) {
  const auto is_open = [](const Type& t) {
    return t.kind == Kind::Void || t.kind == Kind::Function;
  };
  if (is_open(from) || is_open(to)) return;
  const Type* a = &from;
  const Type* b = &to;
  while (a->kind == Kind::Array) a = a->to.get();
  while (b->kind == Kind::Array) b = b->to.get();
  const bool fits =
      a->kind == b->kind &&
      (a->kind != Kind::Int || (a->bits == b->bits && a->is_signed == b->is_signed)) &&
      (a->kind != Kind::Struct || a->name == b->name);
  if (!fits) error(where, "looking at an object as one of another type is not supported");
}

Rvalue Builder::address_of(const Lvalue& at, antlr4::ParserRuleContext* where) {
  if (at.where == Object::Where::Memory) return {at.offset, pointer_to(at.type)};
  return failed(where, "the address of this object cannot be taken here");
}

// ---- expressions -------------------------------------------------------------------------------

Rvalue Builder::value(Grammar::ExpressionContext* e) {
  for (std::size_t i = 0; i + 1 < e->expr().size(); ++i) effect(e->expr(i));
  return value(e->expr(e->expr().size() - 1));
}

void Builder::effect(Grammar::ExpressionContext* e) {
  for (auto* one : e->expr()) effect(one);
}

/// An expression for what it does.
void Builder::effect(Grammar::ExprContext* e) {
  e = bare(e);
  if (auto* x = dynamic_cast<Grammar::CallContext*>(e)) {
    call(x, false);
  } else if (auto* x = dynamic_cast<Grammar::CastContext*>(e)) {
    effect(x->expr());
  } else if (auto* x = dynamic_cast<Grammar::PostfixContext*>(e)) {
    step(x->expr(), x->op->getText(), false);
  } else {
    value(e);
  }
}

Rvalue Builder::value(Grammar::ExprContext* e) {
  const SourceSpan span = syntax_.span(e);
  if (auto* x = dynamic_cast<Grammar::ParenthesisContext*>(e)) return value(x->expression());
  if (auto* x = dynamic_cast<Grammar::LiteralContext*>(e)) return literal(x);
  if (auto* x = dynamic_cast<Grammar::NameContext*>(e)) return name(x);
  if (auto* x = dynamic_cast<Grammar::UnaryContext*>(e)) return unary(x);
  if (auto* x = dynamic_cast<Grammar::BinaryContext*>(e)) return binary(x);
  if (auto* x = dynamic_cast<Grammar::AssignmentContext*>(e)) return assignment(x);
  if (auto* x = dynamic_cast<Grammar::ConditionalContext*>(e)) return conditional(x);
  if (auto* x = dynamic_cast<Grammar::CallContext*>(e)) return call(x, true);
  if (auto* x = dynamic_cast<Grammar::PostfixContext*>(e))
    return step(x->expr(), x->op->getText(), true);
  if (auto* x = dynamic_cast<Grammar::PrefixContext*>(e))
    return step(x->expr(), x->op->getText(), false);
  if (auto* x = dynamic_cast<Grammar::ExtensionContext*>(e)) return value(x->expr());
  if (dynamic_cast<Grammar::Member_Context*>(e) || dynamic_cast<Grammar::IndexContext*>(e)) {
    const auto at = lvalue(e);
    if (!at) return {Expr::constant(0, span), integer(32, true)};
    if (at->type->kind == Kind::Array) { // its address
      Rvalue address = address_of(*at, e);
      return {address.expr, pointer_to(at->type->to)};
    }
    if (at->type->kind == Kind::Struct) return failed(e, "a struct cannot be a value here");
    return load(*at, span);
  }
  if (auto* x = dynamic_cast<Grammar::CastContext*>(e)) {
    const TypeRef type = type_name(x->typeName());
    if (type->kind == Kind::Void) {
      effect(x->expr());
      return {Expr::constant(0, span), type};
    }
    supported(type, x->typeName());
    Rvalue of = value(x->expr());
    if (type->kind == Kind::Pointer && of.type->kind == Kind::Pointer)
      check_view(*of.type->to, *type->to, x);
    if (type->kind == Kind::Int && of.type->kind == Kind::Pointer) {
      Type number = *type;
      number.is_address = true;
      return {as_type(std::move(of), type, x), std::make_shared<const Type>(std::move(number))};
    }
    return {as_type(std::move(of), type, x), type};
  }
  if (auto* x = dynamic_cast<Grammar::SizeOfTypeContext*>(e)) {
    const TypeRef type = type_name(x->typeName());
    supported(type, x->typeName());
    const bool is_size = x->getText().starts_with("sizeof");
    return {Expr::constant(static_cast<ir::Value>(is_size ? bytes(*type) : alignment(*type)), span),
            integer(64, false)};
  }
  if (auto* x = dynamic_cast<Grammar::SizeOfContext*>(e)) {
    TypeRef type;
    collect([&] { // it is not evaluated
      auto* of = bare(x->expr());
      if (dynamic_cast<Grammar::NameContext*>(of) || dynamic_cast<Grammar::Member_Context*>(of) ||
          dynamic_cast<Grammar::IndexContext*>(of) || dynamic_cast<Grammar::UnaryContext*>(of)) {
        if (const auto at = lvalue(of)) type = at->type;
      } else {
        type = value(of).type;
      }
    });
    return {Expr::constant(type ? static_cast<ir::Value>(bytes(*type)) : 0, span),
            integer(64, false)};
  }
  if (dynamic_cast<Grammar::TextContext*>(e))
    return failed(e, "strings are for calls that only print");
  if (auto* x = dynamic_cast<Grammar::StatementExpressionContext*>(e)) {
    const auto items = x->block()->blockItem();
    scopes_.emplace_back();
    const std::size_t floor =
        std::exchange(temporaries_floor_, temporaries_used_); // they are in use
    Rvalue result{Expr::constant(0, span), void_type()};
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto* last = i + 1 == items.size() && items[i]->statement()
                       ? dynamic_cast<Grammar::ExpressedContext*>(items[i]->statement())
                       : nullptr;
      const auto outer = statement_;
      if (last && last->expression()) {
        result = value(last->expression());
        if (result.type->kind != Kind::Void) result.expr = kept(number(result), span);
      } else
        block_item(items[i]);
      statement_ = outer;
    }
    scopes_.pop_back();
    temporaries_floor_ = floor;
    return result;
  }
  if (dynamic_cast<Grammar::CompoundLiteralContext*>(e))
    return failed(e, "a compound literal is not supported");
  return failed(e, "this expression is not supported");
}

Rvalue Builder::literal(Grammar::LiteralContext* e) {
  const SourceSpan span = syntax_.span(e);
  std::string text = e->getText();
  if (e->constant()->FLOAT()) return failed(e, "floating-point numbers are not supported");
  if (e->constant()->CHARACTER()) {
    const std::size_t at = text.find('\'') + 1;
    ir::Value v = static_cast<signed char>(text[at]);
    if (text[at] == '\\') {
      static const std::map<char, ir::Value> escapes{{'n', 10}, {'t', 9},  {'r', 13}, {'a', 7},
                                                     {'b', 8},  {'f', 12}, {'v', 11}, {'e', 27}};
      const char letter = text[at + 1];
      const auto found = escapes.find(letter);
      if (found != escapes.end())
        v = found->second;
      else if (letter == 'x' || (letter >= '0' && letter <= '7'))
        v = static_cast<signed char>(std::strtoul(text.c_str() + at + (letter == 'x' ? 2 : 1),
                                                  nullptr, letter == 'x' ? 16 : 8));
      else
        v = letter;
    }
    return {Expr::constant(v, span), integer(32, true)};
  }
  bool is_unsigned = false, is_long = false;
  while (!text.empty() && std::string("uUlL").find(text.back()) != std::string::npos) {
    is_unsigned = is_unsigned || text.back() == 'u' || text.back() == 'U';
    is_long = is_long || text.back() == 'l' || text.back() == 'L';
    text.pop_back();
  }
  const bool hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  const bool binary = text.size() > 1 && (text[1] == 'b' || text[1] == 'B');
  const int base = hex ? 16 : binary ? 2 : text.size() > 1 && text[0] == '0' ? 8 : 10;
  std::uint64_t v = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data() + (hex || binary ? 2 : 0), end, v, base);
  if (problem != std::errc{} || rest != end)
    return failed(e, "this number does not fit into 64 bits");
  const bool may_be_unsigned = is_unsigned || base != 10;
  TypeRef type;
  if (!is_long && v <= 0x7FFFFFFF && !is_unsigned)
    type = integer(32, true);
  else if (!is_long && v <= 0xFFFFFFFF && may_be_unsigned)
    type = integer(32, false);
  else
    type = integer(64, !(is_unsigned || v > 0x7FFFFFFFFFFFFFFF));
  return {Expr::constant(static_cast<ir::Value>(v), span), type};
}

Rvalue Builder::name(Grammar::NameContext* e) {
  const std::string text = e->getText();
  const SourceSpan span = syntax_.span(e);
  const Object* object = find(text);
  if (!object) {
    if (functions_.count(text) > 0)
      return failed(e, "a function is for calls and for starting threads");
    return failed(e, fmt::format("'{}' is not declared", text));
  }
  if (object->where == Object::Where::Constant && is_scalar(*object->type))
    return {Expr::constant(object->address, span), object->type};
  if (object->type->kind == Kind::Array) {
    Rvalue address = address_of(of_object(*object), e);
    return {std::move(address.expr), pointer_to(object->type->to)};
  }
  if (object->type->kind == Kind::Struct) return failed(e, "a struct cannot be a value here");
  return load(of_object(*object), span);
}

Rvalue Builder::unary(Grammar::UnaryContext* e) {
  const std::string op = e->op->getText();
  const SourceSpan span = syntax_.span(e);
  if (op == "&") {
    if (auto* x = dynamic_cast<Grammar::UnaryContext*>(bare(e->expr()));
        x && x->op->getText() == "*")
      return value(x->expr());
    const auto at = lvalue(e->expr());
    return at ? address_of(*at, e) : Rvalue{Expr::constant(0, span), pointer_to(integer(32, true))};
  }
  if (op == "*") {
    const auto at = target_of(e->expr());
    if (!at) return {Expr::constant(0, span), integer(32, true)};
    if (at->type->kind == Kind::Array) return {at->offset, pointer_to(at->type->to)};
    return load(*at, span);
  }
  if (op == "!") {
    Expr test = truth(e->expr());
    if (test.is_constant()) return {Expr::boolean(test.value == 0, span), integer(32, true)};
    return {Expr::unary(Op::Not, std::move(test), span), integer(32, true)};
  }
  Rvalue operand = value(e->expr());
  const TypeRef type = promoted(operand.type);
  if (type->kind != Kind::Int) return failed(e, "this takes a number");
  Expr v = number(std::move(operand));
  if (op == "+") return {std::move(v), type};
  Expr result = op == "-" ? folded(Op::Sub, Expr::constant(0, span), std::move(v), span)
                          : folded(Op::Sub, Expr::constant(-1, span), std::move(v), span);
  return {type->is_signed ? std::move(result)
                          : converted(std::move(result), *integer(64, true), *type),
          type};
}

Rvalue Builder::binary(Grammar::BinaryContext* e) {
  const std::string op = e->op->getText();
  const SourceSpan span = syntax_.span(e);
  if (op == "&&" || op == "||") {
    Expr left = truth(e->left);
    const bool is_and = op == "&&";
    if (left.is_constant()) {
      if ((left.value != 0) != is_and) return {Expr::boolean(!is_and, span), integer(32, true)};
      return {truth(e->right), integer(32, true)};
    }
    const LocalId result = temporary();
    std::optional<Expr> right;
    Block more = collect([&] { right = truth(e->right); });
    if (more.empty())
      return {Expr::binary(is_and ? Op::And : Op::Or, std::move(left), std::move(*right), span),
              integer(32, true)};
    for (Stmt& stmt : collect([&] {
           emit(Assign{{result, {}}, number({std::move(*right), integer(32, true)})}, span);
         }))
      more.push_back(std::move(stmt));
    Block decided = collect([&] {
      emit(Assign{{result, {}}, Expr::constant(!is_and, span)}, span);
    });
    if (!is_and) std::swap(more, decided);
    emit(If{std::move(left), std::move(more), std::move(decided)}, span);
    return {Expr::binary(Op::Ne, read(result, span), Expr::constant(0, span), span),
            integer(32, true)};
  }
  Rvalue left = value(e->left);
  if (has_effects(e->right)) left.expr = kept(number(left), span);
  Rvalue right = value(e->right);
  return combined(op, std::move(left), std::move(right), e);
}

Rvalue Builder::combined(const std::string& op, Rvalue left, Rvalue right,
                         antlr4::ParserRuleContext* where) {
  static const std::map<std::string, Op> ops{
      {"*", Op::Mul},    {"/", Op::Div},   {"%", Op::Mod},  {"+", Op::Add},
      {"-", Op::Sub},    {"<", Op::Lt},    {"<=", Op::Le},  {">", Op::Gt},
      {">=", Op::Ge},    {"==", Op::Eq},   {"!=", Op::Ne},  {"&", Op::BitAnd},
      {"^", Op::BitXor}, {"|", Op::BitOr}, {"<<", Op::Shl}, {">>", Op::Shr}};
  const Op o = ops.at(op);
  const SourceSpan span = syntax_.span(where);
  const bool is_left_pointer = left.type->kind == Kind::Pointer;
  const bool is_right_pointer = right.type->kind == Kind::Pointer;
  if (o >= Op::Lt && o <= Op::Ne) {
    if (left.expr.is_bool && right.expr.is_constant() && !right.expr.is_bool &&
        (o == Op::Eq || o == Op::Ne) &&
        (right.expr.value == 0 || right.expr.value == 1)) { // (a < b) == 0
      const bool wants = (right.expr.value == 1) == (o == Op::Eq);
      return {wants ? std::move(left.expr) : Expr::unary(Op::Not, std::move(left.expr), span),
              integer(32, true)};
    }
    Expr a = number(left), b = number(right);
    if (is_left_pointer || is_right_pointer)
      return {folded(o, std::move(a), std::move(b), span), integer(32, true)};
    const TypeRef type = common(left.type, right.type);
    a = converted(std::move(a), *left.type, *type);
    b = converted(std::move(b), *right.type, *type);
    const bool is_wide_unsigned =
        !type->is_signed && type->bits == 64 && o != Op::Eq && o != Op::Ne;
    const bool both_small = left.type->bits < 64 && !left.type->is_signed &&
                            right.type->bits < 64 && !right.type->is_signed;
    const auto is_natural = [](const Rvalue& v) {
      return v.expr.is_constant() && v.expr.value >= 0;
    };
    if (!is_wide_unsigned || both_small || (is_natural(left) && is_natural(right)))
      return {folded(o, std::move(a), std::move(b), span), integer(32, true)};
    // Kept as signed numbers of the same bits: negative ones are the large ones.
    if (is_natural(right)) {
      const bool is_less = o == Op::Lt || o == Op::Le;
      Expr sign = folded(is_less ? Op::Ge : Op::Lt, a, Expr::constant(0), span);
      return {Expr::binary(is_less ? Op::And : Op::Or, std::move(sign),
                           folded(o, a, std::move(b), span), span),
              integer(32, true)};
    }
    const auto negative = [&](const Expr& x) { return folded(Op::Lt, x, Expr::constant(0), span); };
    a = kept(std::move(a), span);
    b = kept(std::move(b), span);
    Expr same = Expr::binary(Op::Eq, negative(a), negative(b), span);
    return {Expr::binary(Op::Or, Expr::binary(Op::And, same, folded(o, a, b, span), span),
                         Expr::binary(Op::And, Expr::unary(Op::Not, same, span),
                                      o == Op::Lt || o == Op::Le ? negative(b) : negative(a), span),
                         span),
            integer(32, true)};
  }
  Expr a = number(left), b = number(right);
  if (left.type->is_address || right.type->is_address)
    return failed(where, "addresses as numbers are only compared here, not computed with");
  if (is_left_pointer || is_right_pointer) {
    if (o != Op::Add && o != Op::Sub)
      return failed(where, "addresses are only added to, and compared");
    if (is_left_pointer && is_right_pointer) {
      const auto size = static_cast<ir::Value>(std::max<std::uint64_t>(cells(*left.type->to), 1));
      return {folded(Op::Div, folded(Op::Sub, std::move(a), std::move(b), span),
                     Expr::constant(size), span),
              integer(64, true)};
    }
    const TypeRef type = is_left_pointer ? left.type : right.type;
    const auto size =
        Expr::constant(static_cast<ir::Value>(std::max<std::uint64_t>(cells(*type->to), 1)));
    if (is_left_pointer)
      b = folded(Op::Mul, std::move(b), size, span);
    else
      a = folded(Op::Mul, std::move(a), size, span);
    return {folded(o, std::move(a), std::move(b), span), type};
  }
  if (left.type->kind != Kind::Int || right.type->kind != Kind::Int)
    return failed(where, "this takes numbers");
  const bool is_shift = o == Op::Shl || o == Op::Shr;
  const TypeRef of = is_shift ? promoted(left.type) : common(left.type, right.type);
  if (!of->is_signed && of->bits == 64 && (o == Op::Div || o == Op::Mod || o == Op::Shr)) {
    // Kept as signed numbers of the same bits; what is negative there would be very large.
    if (o == Op::Shr && b.is_constant() && b.value > 0 && b.value < 64) {
      const ir::Value mask = (ir::Value{1} << (63 - b.value)) * 2 - 1;
      return {folded(Op::BitAnd, folded(o, std::move(a), std::move(b), span), Expr::constant(mask),
                     span),
              of};
    }
    a = within_63_bits(std::move(a), span);
    b = within_63_bits(std::move(b), span);
  }
  const TypeRef type = is_shift ? promoted(left.type) : common(left.type, right.type);
  a = converted(std::move(a), *left.type, *type);
  if (!is_shift) b = converted(std::move(b), *right.type, *type);
  Expr result = folded(o, std::move(a), std::move(b), span);
  // What C leaves undefined (a signed overflow) is a larger number here.
  const bool may_grow = o == Op::Add || o == Op::Sub || o == Op::Mul || o == Op::Shl;
  if (may_grow && !type->is_signed && type->bits < 64)
    result = converted(std::move(result), *integer(64, true), *type);
  return {std::move(result), type};
}

Rvalue Builder::assignment(Grammar::AssignmentContext* e) {
  const std::string op = e->op->getText();
  const SourceSpan span = syntax_.span(e);
  auto to = lvalue(e->left);
  if (!to) return {Expr::constant(0, span), integer(32, true)};
  if (op == "=") {
    if (to->type->kind == Kind::Struct) {
      if (const auto from = lvalue(e->right)) copy(*to, *from, e);
      return {Expr::constant(0, span), void_type()};
    }
    Rvalue v = value(e->right);
    Expr fitting = as_type(std::move(v), to->type, e->right);
    // Whoever uses the value of the assignment gets what was assigned.
    auto* above = dynamic_cast<Grammar::ExpressionContext*>(e->parent);
    const bool is_used = !(above && dynamic_cast<Grammar::ExpressedContext*>(above->parent));
    if (is_used) fitting = kept(std::move(fitting), span);
    assign(*to, {fitting, to->type}, e);
    return {std::move(fitting), to->type};
  }
  const std::string inner = op.substr(0, op.size() - 1);
  const auto next = [&](const Expr& old, Rvalue right) {
    return as_type(combined(inner, {old, to->type}, std::move(right), e), to->type, e);
  };
  if (to->type->is_atomic && to->where != Object::Where::Local) {
    Rvalue right = value(e->right);
    right.expr = kept(number(right), span);
    const auto fresh =
        locked_update(*to, span, [&](const Expr& old) { return next(old, right); }).second;
    return {fresh, to->type};
  }
  Rvalue old = load(*to, span);
  if (has_effects(e->right)) old.expr = kept(std::move(old.expr), span);
  Rvalue right = value(e->right);
  Expr fresh = next(old.expr, std::move(right));
  const bool is_plain_local = to->where == Object::Where::Local && to->is_whole;
  if (!is_plain_local) fresh = kept(std::move(fresh), span);
  store(*to, fresh, span);
  return is_plain_local ? load(*to, span) : Rvalue{std::move(fresh), to->type};
}

Rvalue Builder::step(Grammar::ExprContext* e, const std::string& op, bool gives_old) {
  const SourceSpan span = syntax_.span(e);
  const auto at = lvalue(e);
  if (!at) return {Expr::constant(0, span), integer(32, true)};
  const auto next = [&](const Expr& old) {
    return as_type(
        combined(op.substr(0, 1), {old, at->type}, {Expr::constant(1, span), integer(32, true)}, e),
        at->type, e);
  };
  if (at->type->is_atomic && at->where != Object::Where::Local) {
    const auto [old, fresh] = locked_update(*at, span, next);
    return {gives_old ? old : fresh, at->type};
  }
  Rvalue old = load(*at, span);
  if (at->where == Object::Where::Local && at->is_whole && !gives_old) { // a counter, plain to see
    store(*at, next(old.expr), span);
    return load(*at, span);
  }
  old.expr = kept(std::move(old.expr), span);
  const Expr fresh = kept(next(old.expr), span);
  store(*at, fresh, span);
  return {gives_old ? old.expr : fresh, at->type};
}

Rvalue Builder::conditional(Grammar::ConditionalContext* e) {
  const SourceSpan span = syntax_.span(e);
  std::optional<Rvalue> tested; // of `a ?: b`, which is a if that holds
  Expr test;
  if (e->yes) {
    test = truth(e->test);
  } else {
    tested = value(e->test);
    tested->expr = kept(number(*tested), span);
    test = as_truth(*tested);
  }
  const auto yes_value = [&] { return tested ? *tested : value(e->yes); };
  const auto both = [](const TypeRef& a, const TypeRef& b) {
    return a->kind == Kind::Pointer   ? a
           : b->kind == Kind::Pointer ? b
           : a->kind == Kind::Void    ? a
           : b->kind == Kind::Void    ? b
                                      : common(a, b);
  };
  TypeRef yes_type, no_type;
  if (test.is_constant()) { // the other one only has a type
    std::optional<Rvalue> chosen;
    const bool takes_yes = test.value != 0;
    collect([&] {
      (takes_yes ? no_type : yes_type) = takes_yes ? value(e->no).type : yes_value().type;
    });
    chosen = takes_yes ? yes_value() : value(e->no);
    (takes_yes ? yes_type : no_type) = chosen->type;
    const TypeRef type = both(yes_type, no_type);
    if (type->kind == Kind::Void) return {Expr::constant(0, span), type};
    return {as_type(std::move(*chosen), type, e), type};
  }
  test = kept(number({std::move(test), integer(32, true)}), span);
  const LocalId result = temporary();
  const auto way = [&](const std::function<Rvalue()>& make, TypeRef& type) {
    return collect([&] {
      Rvalue v = make();
      type = v.type;
      if (type->kind != Kind::Void) emit(Assign{{result, {}}, number(std::move(v))}, span);
    });
  };
  Block yes = way(yes_value, yes_type);
  Block no = way([&] { return value(e->no); }, no_type);
  const TypeRef type = both(yes_type, no_type);
  const auto convert = [&](Block& block, const TypeRef& from) {
    if (type->kind != Kind::Int || from->kind != Kind::Int) return;
    const Expr fitting = converted(read(result, span), *from, *type);
    if (!(fitting == read(result, span)))
      for (Stmt& stmt : collect([&] { emit(Assign{{result, {}}, fitting}, span); }))
        block.push_back(std::move(stmt));
  };
  convert(yes, yes_type);
  convert(no, no_type);
  emit(If{Expr::binary(Op::Ne, test, Expr::constant(0, span), span), std::move(yes), std::move(no)},
       span);
  return {read(result, span), type};
}

} // namespace weir::frontend::c
