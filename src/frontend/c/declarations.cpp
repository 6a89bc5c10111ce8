#include "frontend/c/builder.h"
#include "frontend/c/unset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace weir::frontend::c {

using namespace ir;
using Kind = Type::Kind;

namespace {

constexpr std::uint64_t most_cells = 1u << 16;

/// Functions whose pointer arguments are objects they work on, and are not kept.
bool works_on_objects(const std::string& name) {
  for (const char* prefix : {"atomic_", "__atomic_", "__sync_", "pthread_", "mtx_", "thrd_", "smp_",
                             "spin_", "xchg", "cmpxchg", "free"})
    if (name.starts_with(prefix)) return true;
  return false;
}

/// Whether a part of the object may decay to an address: an array inside of something.
bool has_inner_array(const Type& type) {
  if (type.kind == Kind::Array) return type.to->kind == Kind::Array || has_inner_array(*type.to);
  if (type.kind != Kind::Struct) return false;
  return std::any_of(type.members.begin(), type.members.end(), [](const Member& member) {
    return member.type->kind == Kind::Array || has_inner_array(*member.type);
  });
}

/// The variable that an object expression is a part of; empty if it is reached by a pointer.
std::string root(Grammar::ExprContext* e) {
  if (auto* x = dynamic_cast<Grammar::NameContext*>(e)) return x->getText();
  if (auto* x = dynamic_cast<Grammar::ParenthesisContext*>(e))
    return x->expression()->expr().size() == 1 ? root(x->expression()->expr(0)) : std::string();
  if (auto* x = dynamic_cast<Grammar::IndexContext*>(e)) return root(x->expr());
  if (auto* x = dynamic_cast<Grammar::Member_Context*>(e))
    return x->op->getText() == "." ? root(x->expr()) : std::string();
  return {};
}

} // namespace

std::string Builder::unique_name(const std::string& wish) {
  static const std::set<std::string> words{
      "const",  "shared", "thread",       "process",    "procedure",   "forbid", "final", "skip",
      "call",   "cas",    "arw",          "atomic",     "spawn",       "join",   "fence", "main",
      "assume", "assert", "atomic_begin", "atomic_end", "store_fence", "true",   "false", "bool"};
  std::string name;
  for (const char c : wish) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "_" + name;
  if (words.count(name) > 0) name += "_";
  std::string result = name;
  for (unsigned n = 2; !taken_names_.insert(result).second; ++n)
    result = fmt::format("{}_{}", name, n);
  return result;
}

Program Builder::build() {
  taken_names_.insert("main");
  for (auto* external : tree_->external())
    if (external->function()) function_head(external->function());
  for (auto* external : tree_->external()) find_escaping(external, "");
  for (auto* external : tree_->external()) {
    if (external->declaration()) global(external->declaration());
    if (external->asm_()) error(external->asm_(), "assembly outside of functions is not supported");
  }
  const auto main = functions_.find("main");
  if (main == functions_.end()) {
    diagnostics_.error({0, 1}, "the program has no main");
    return std::move(program_);
  }
  call_function(main->second, "main", nullptr); // its head is read
  const ProcedureId id{0};
  program_.procedures.push_back(
      {Procedure::Kind::Main, "main", {}, {}, {}, syntax_.span(main->second.tree->declarator())});
  main->second.process = id;
  program_.threads.push_back({id, {}});
  work_.push_back({"main", id, Procedure::Kind::Main});
  for (std::size_t i = 0; i < work_.size(); ++i) body(Work(work_[i]));
  if (!diagnostics_.has_errors()) {
    check_addresses();
    forget_numbers();
    choose_unset(program_, unset_);
  }
  if (memory_) {
    Shared& memory = program_.shared[memory_->value];
    memory.type =
        ir::Type::array(ir::Type::integer(), static_cast<std::uint32_t>(memory_values_.size()));
    memory.initial = memory_values_;
    memory.cell_names = memory_names_;
  }
  return std::move(program_);
}

/// Objects with addresses are there once for each thread: not for functions that are active twice,
/// nor for threads whose numbers could be the same.
void Builder::check_addresses() {
  const std::size_t count = program_.procedures.size();
  std::vector<std::set<std::uint32_t>> calls(count);
  std::vector<std::optional<SourceSpan>> spawns(count);
  for (std::size_t p = 0; p < count; ++p)
    for_each_statement(program_.procedures[p].body, [&](const Stmt& stmt) {
      if (const auto* call = std::get_if<Call>(&stmt.action))
        calls[p].insert(call->procedure.value);
      if (std::holds_alternative<Spawn>(stmt.action)) spawns[p] = stmt.span;
    });
  const auto reached = [&](std::uint32_t from) {
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> work(calls[from].begin(), calls[from].end());
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      if (seen.insert(at).second) work.insert(work.end(), calls[at].begin(), calls[at].end());
    }
    return seen;
  };
  for (const auto& [code, span] : with_addresses_)
    if (reached(code.value).count(code.value) > 0)
      diagnostics_.error(
          span,
          "the address of this is taken in a function that calls itself, which is not supported");
  if (!uses_self_) return;
  for (std::uint32_t p = 0; p < count; ++p) {
    if (program_.procedures[p].kind != Procedure::Kind::Process) continue;
    auto all = reached(p);
    all.insert(p);
    for (const std::uint32_t code : all)
      if (spawns[code])
        diagnostics_.error(
            *spawns[code],
            "a thread that starts threads is not supported where threads have objects "
            "with addresses, or allocate");
  }
}

/// Names whose address becomes a value: `&x` that no function of ours works on, and arrays that are
/// named without an index.
void Builder::find_escaping(antlr4::tree::ParseTree* tree, const std::string& function) {
  std::string inside = function;
  if (auto* f = dynamic_cast<Grammar::FunctionContext*>(tree))
    inside = declared_name(f->declarator());
  if (auto* unary = dynamic_cast<Grammar::UnaryContext*>(tree);
      unary && unary->op->getText() == "&") {
    const std::string name = root(unary->expr());
    antlr4::tree::ParseTree* above = unary->parent;
    while (dynamic_cast<Grammar::ParenthesisContext*>(above) ||
           dynamic_cast<Grammar::ExpressionContext*>(above) ||
           dynamic_cast<Grammar::CastContext*>(above))
      above = above->parent;
    auto* outer = dynamic_cast<Grammar::UnaryContext*>(above);
    auto* argument = dynamic_cast<Grammar::ArgumentContext*>(above);
    auto* call = argument ? dynamic_cast<Grammar::CallContext*>(argument->parent) : nullptr;
    const bool is_harmless = (outer && outer->op->getText() == "*") ||
                             (call && works_on_objects(call->expr()->getText()) &&
                              functions_.count(call->expr()->getText()) == 0 &&
                              !(call->expr()->getText() == "pthread_create" &&
                                call->argument().size() == 4 && argument == call->argument(3)) &&
                              !(call->expr()->getText() == "thrd_create" &&
                                call->argument().size() == 3 && argument == call->argument(2)));
    if (!name.empty() && !is_harmless) {
      escaping_.insert(inside + " " + name);
      escaping_.insert(name);
    }
  }
  if (auto* name = dynamic_cast<Grammar::NameContext*>(tree)) {
    auto* index = dynamic_cast<Grammar::IndexContext*>(name->parent);
    const bool is_indexed = index && index->expr() == name;
    const bool is_called = dynamic_cast<Grammar::CallContext*>(name->parent) != nullptr;
    auto* unary = dynamic_cast<Grammar::UnaryContext*>(name->parent);
    const bool is_addressed = unary && unary->op->getText() == "&";
    auto* member = dynamic_cast<Grammar::Member_Context*>(name->parent);
    const bool is_sized = dynamic_cast<Grammar::SizeOfContext*>(name->parent) != nullptr;
    if (!is_indexed && !is_called && !is_addressed && !member && !is_sized) {
      escaping_.insert("[] " + inside + " " + name->getText()); // if it is an array
      escaping_.insert("[] " + name->getText());
    }
  }
  for (auto* child : tree->children) find_escaping(child, inside);
}

// ---- types -------------------------------------------------------------------------------------

std::string Builder::declared_name(Grammar::DeclaratorContext* declarator) {
  for (auto* direct = declarator->directDeclarator(); direct;) {
    if (auto* x = dynamic_cast<Grammar::DeclaredNameContext*>(direct)) return x->getText();
    if (auto* x = dynamic_cast<Grammar::NestedDeclaratorContext*>(direct))
      return declared_name(x->declarator());
    if (auto* x = dynamic_cast<Grammar::ArrayDeclaratorContext*>(direct))
      direct = x->directDeclarator();
    else if (auto* f = dynamic_cast<Grammar::FunctionDeclaratorContext*>(direct))
      direct = f->directDeclarator();
    else
      break;
  }
  return {};
}

Grammar::FunctionDeclaratorContext* Builder::function_part(Grammar::DeclaratorContext* declarator) {
  auto* direct = declarator->directDeclarator();
  if (auto* x = dynamic_cast<Grammar::FunctionDeclaratorContext*>(direct)) return x;
  if (auto* x = dynamic_cast<Grammar::NestedDeclaratorContext*>(direct))
    return function_part(x->declarator());
  return nullptr;
}

Builder::Specified Builder::specified(const std::vector<Grammar::SpecifierContext*>& specifiers) {
  Specified result;
  std::map<std::string, int> words;
  bool is_atomic = false;
  for (auto* specifier : specifiers) {
    if (specifier->storage) {
      const std::string word = specifier->storage->getText();
      result.is_typedef = result.is_typedef || word == "typedef";
      result.is_extern = result.is_extern || word == "extern";
      result.is_static = result.is_static || word == "static";
      result.is_thread_local = result.is_thread_local || word == "_Thread_local" ||
                               word == "__thread" || word == "__CPROVER_thread_local";
    }
    if (specifier->qualifier()) is_atomic = is_atomic || specifier->getText() == "_Atomic";
    auto* type = specifier->typeSpecifier();
    if (!type) continue;
    if (auto* x = dynamic_cast<Grammar::BasicTypeContext*>(type)) {
      ++words[x->word->getText()];
    } else if (auto* x = dynamic_cast<Grammar::NamedTypeContext*>(type)) {
      const auto found = typedefs_.find(x->getText());
      if (found == typedefs_.end()) error(x, fmt::format("'{}' is not a type here", x->getText()));
      result.type = found != typedefs_.end() ? found->second : integer(32, true);
    } else if (auto* x = dynamic_cast<Grammar::StructTypeContext*>(type)) {
      result.type = struct_type(x);
    } else if (auto* x = dynamic_cast<Grammar::StructReferenceContext*>(type)) {
      auto& known = tags_[x->tag()->getText()];
      if (!known) {
        known = std::make_shared<Type>();
        known->kind = x->kind->getText() == "union" ? Kind::Unsupported : Kind::Struct;
        known->is_complete = false;
        known->name = x->kind->getText() + " " + x->tag()->getText();
      }
      result.type = known;
    } else if (auto* x = dynamic_cast<Grammar::EnumTypeContext*>(type)) {
      result.type = enum_type(x);
    } else if (dynamic_cast<Grammar::EnumReferenceContext*>(type)) {
      result.type = integer(32, true);
    } else if (auto* x = dynamic_cast<Grammar::AtomicTypeContext*>(type)) {
      result.type = type_name(x->typeName());
      is_atomic = true;
    } else if (auto* x = dynamic_cast<Grammar::TypeOfContext*>(type)) {
      if (x->typeName()) {
        result.type = type_name(x->typeName());
      } else {
        Block ignored = collect([&] {
          const auto at = lvalue(x->expression()->expr(0));
          result.type = at ? at->type : value(x->expression()).type;
        });
      }
    }
  }
  if (!result.type) {
    const bool is_unsigned = words.count("unsigned") > 0;
    if (words.count("void"))
      result.type = void_type();
    else if (words.count("_Bool"))
      result.type = boolean();
    else if (words.count("char"))
      result.type = integer(8, !is_unsigned);
    else if (words.count("short"))
      result.type = integer(16, !is_unsigned);
    else if (words.count("long"))
      result.type = integer(64, !is_unsigned);
    else
      result.type = integer(32, !is_unsigned);
    for (const char* word : {"float", "double", "_Complex", "__int128", "__builtin_va_list"})
      if (words.count(word)) {
        Type type;
        type.kind = Kind::Unsupported;
        type.name = word;
        result.type = std::make_shared<const Type>(std::move(type));
      }
  }
  if (is_atomic) result.type = atomic(result.type);
  return result;
}

void Builder::supported(const TypeRef& type, antlr4::ParserRuleContext* where) {
  const Type* at = type.get();
  while (at->kind == Kind::Array) at = at->to.get();
  if (at->kind == Kind::Unsupported)
    error(where, fmt::format("'{}' is not supported", at->name))
        .with_hint(at->name.starts_with("union") ? "use a struct"
                                                 : "integers, pointers, arrays and structs are");
  else if (at->kind == Kind::Struct && !at->is_complete)
    error(where, at->name == "struct weir_pthread_cond"
                     ? "condition variables, reader-writer locks and barriers are not supported"
                     : fmt::format("'{}' is not complete here", at->name));
}

TypeRef Builder::struct_type(Grammar::StructTypeContext* context) {
  std::shared_ptr<Type> type;
  const std::string word = context->kind->getText();
  if (context->tag()) {
    auto& known = tags_[context->tag()->getText()];
    if (!known) known = std::make_shared<Type>();
    type = known;
  } else {
    type = std::make_shared<Type>();
  }
  type->name = word + (context->tag() ? " " + context->tag()->getText() : "");
  type->kind = word == "union" ? Kind::Unsupported : Kind::Struct;
  type->is_complete = false; // until its end
  type->members.clear();
  std::uint64_t at = 0;
  for (auto* member : context->member()) {
    if (member->specifier().empty()) continue;
    const Specified base = specified(member->specifier());
    const auto add = [&](const std::string& name, const TypeRef& of) {
      const Type* element = of.get();
      while (element->kind == Kind::Array) element = element->to.get();
      if (element->kind == Kind::Struct && !element->is_complete) {
        error(member, fmt::format("'{}' is not complete here", element->name));
        return;
      }
      type->members.push_back({name, of, at});
      at += cells(*of);
    };
    if (member->memberDeclarator().empty()) add("", base.type);
    for (auto* declarator : member->memberDeclarator()) {
      if (declarator->expr()) {
        error(declarator, "bit-fields are not supported");
        continue;
      }
      add(declared_name(declarator->declarator()), declared(base.type, declarator->declarator()));
    }
  }
  type->is_complete = true;
  return type;
}

TypeRef Builder::enum_type(Grammar::EnumTypeContext* context) {
  Value next = 0;
  for (auto* enumerator : context->enumerator()) {
    if (enumerator->expr()) next = constant_value(enumerator->expr()).value_or(0);
    Object constant;
    constant.where = Object::Where::Constant;
    constant.type = integer(32, true);
    constant.address = next++;
    (scopes_.empty() ? globals_ : scopes_.back())[enumerator->ID()->getText()] = constant;
  }
  return integer(32, true);
}

TypeRef Builder::array_type(TypeRef element, Grammar::ExprContext* length,
                            antlr4::ParserRuleContext* where) {
  if (!length) return array_of(std::move(element), 0);
  const auto count = constant_value(length);
  if (!count)
    error(where, "the length of an array is a constant here");
  else if (*count < 0 || static_cast<std::uint64_t>(*count) > most_cells)
    error(where, "this array is too long, or shorter than nothing");
  else
    return array_of(std::move(element), static_cast<std::uint64_t>(*count));
  return array_of(std::move(element), 1);
}

TypeRef Builder::declared(TypeRef base, Grammar::DeclaratorContext* declarator) {
  for (auto* star : declarator->pointer()) {
    base = pointer_to(base);
    for (auto* qualifier : star->qualifier())
      if (qualifier->getText() == "_Atomic") base = atomic(base);
  }
  // From the outside in: what stands nearest to the name is applied last.
  std::vector<Grammar::DirectDeclaratorContext*> parts;
  auto* direct = declarator->directDeclarator();
  Grammar::DeclaratorContext* inner = nullptr;
  while (direct) {
    if (auto* x = dynamic_cast<Grammar::ArrayDeclaratorContext*>(direct)) {
      parts.push_back(direct);
      direct = x->directDeclarator();
    } else if (auto* f = dynamic_cast<Grammar::FunctionDeclaratorContext*>(direct)) {
      parts.push_back(direct);
      direct = f->directDeclarator();
    } else {
      if (auto* nested = dynamic_cast<Grammar::NestedDeclaratorContext*>(direct))
        inner = nested->declarator();
      break;
    }
  }
  for (auto* part : parts) {
    if (auto* x = dynamic_cast<Grammar::ArrayDeclaratorContext*>(part)) {
      base = array_type(base, x->expr(), x);
    } else {
      Type function;
      function.kind = Kind::Function;
      function.to = base;
      base = std::make_shared<const Type>(std::move(function));
    }
  }
  return inner ? declared(base, inner) : base;
}

TypeRef Builder::abstract(TypeRef base, Grammar::AbstractDeclaratorContext* declarator) {
  for (std::size_t i = 0; i < declarator->pointer().size(); ++i) base = pointer_to(base);
  if (auto* direct = declarator->directAbstract()) {
    const auto parts = direct->abstractPart();
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      if ((*part)->abstractDeclarator()) {
        base = abstract(base, (*part)->abstractDeclarator());
      } else if ((*part)->getText()[0] == '[') {
        base = array_type(base, (*part)->expr(), *part);
      } else {
        Type function;
        function.kind = Kind::Function;
        function.to = base;
        base = std::make_shared<const Type>(std::move(function));
      }
    }
  }
  return base;
}

TypeRef Builder::type_name(Grammar::TypeNameContext* context) {
  TypeRef base = specified(context->specifier()).type;
  return context->abstractDeclarator() ? abstract(base, context->abstractDeclarator()) : base;
}

std::optional<Value> Builder::constant_value(Grammar::ExprContext* e) {
  std::optional<Rvalue> result;
  const Block steps = collect([&] { result = value(e); });
  if (!steps.empty()) return std::nullopt;
  if (result->expr.is_constant()) return result->expr.value;
  return std::nullopt;
}

// ---- objects -----------------------------------------------------------------------------------

const Object* Builder::find(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name); found != scope->end()) return &found->second;
  const auto found = globals_.find(name);
  return found == globals_.end() ? nullptr : &found->second;
}

void Builder::name_cells(const std::string& name, const Type& type,
                         std::vector<std::string>& names) {
  if (type.kind == Kind::Array) {
    for (std::uint64_t i = 0; i < type.length; ++i)
      name_cells(fmt::format("{}[{}]", name, i), *type.to, names);
  } else if (type.kind == Kind::Struct) {
    for (const Member& member : type.members)
      name_cells(member.name.empty() ? name : name + "." + member.name, *member.type, names);
  } else {
    names.push_back(name);
  }
}

Value Builder::allocate(const std::string& name, const TypeRef& type,
                        const std::vector<Initial>& values) {
  if (!memory_) {
    memory_ = SharedId{static_cast<std::uint32_t>(program_.shared.size())};
    program_.shared.push_back({unique_name("memory"), ir::Type::integer(), {Initial{0}}, {}});
  }
  const auto address = static_cast<Value>(memory_values_.size()) + 1; // 0 is null
  memory_values_.insert(memory_values_.end(), values.begin(), values.end());
  name_cells(name, *type, memory_names_);
  memory_names_.resize(memory_values_.size(), name);
  return address;
}

Value Builder::allocate_for_threads(const std::string& name, const TypeRef& type) {
  const std::vector<Initial> values(cells(*type), Initial{0});
  const Value first = allocate(fmt::format("{}#0", name), type, values);
  for (unsigned i = 1; i < most_threads; ++i) allocate(fmt::format("{}#{}", name, i), type, values);
  return first;
}

std::uint64_t Builder::listed_length(Grammar::InitializerContext* initializer) {
  std::uint64_t next = 0, length = 0;
  for (auto* part : initializer->initialPart()) {
    if (!part->designator().empty() && !part->designator(0)->ID())
      next = static_cast<std::uint64_t>(
          std::max<Value>(constant_value(part->designator(0)->expr(0)).value_or(0), 0));
    length = std::max(length, ++next);
  }
  return length;
}

void Builder::initial_values(const TypeRef& type, Grammar::InitializerContext* initializer,
                             std::vector<Initial>& values, std::uint64_t at) {
  each_initial(type, initializer, at,
               [&](std::uint64_t cell, const TypeRef& of, Grammar::ExprContext* e) {
                 std::optional<Rvalue> start;
                 const Block steps = collect([&] { start = value(e); });
                 Expr fitting = start->expr.is_bool && start->expr.is_constant()
                                    ? Expr::constant(start->expr.value)
                                    : start->expr;
                 fitting = converted(std::move(fitting), *start->type, *of);
                 if (!steps.empty() || !fitting.is_constant())
                   error(e, "a global starts at a constant");
                 else if (cell < values.size())
                   values[cell] = fitting.value;
               });
}

void Builder::each_initial(const TypeRef& type, Grammar::InitializerContext* initializer,
                           std::uint64_t at, const SetCell& set) {
  if (auto* e = initializer->expr()) {
    if (type->kind == Kind::Struct || type->kind == Kind::Array)
      error(initializer, "this takes a list of initial values: { ... }");
    else
      set(at, type, e);
    return;
  }
  std::uint64_t next = 0; // element or member
  for (auto* part : initializer->initialPart()) {
    TypeRef of = type;
    std::uint64_t cell = at;
    if (!part->designator().empty() || part->ID()) {
      const std::string text = part->ID() ? part->ID()->getText() : "";
      auto* designator = part->designator().empty() ? nullptr : part->designator(0);
      if (part->designator().size() > 1) error(part, "a designator of one level is supported");
      if (designator && designator->expr().size() > 1)
        error(part, "a designator for a range is not supported");
      if (designator && !designator->ID() && type->kind == Kind::Array) {
        next = static_cast<std::uint64_t>(constant_value(designator->expr(0)).value_or(0));
      } else {
        const std::string name =
            designator && designator->ID() ? designator->ID()->getText() : text;
        const auto found = std::find_if(type->members.begin(), type->members.end(),
                                        [&](const Member& m) { return m.name == name; });
        if (found == type->members.end()) {
          error(part, fmt::format("there is no member '{}'", name));
          continue;
        }
        next = static_cast<std::uint64_t>(found - type->members.begin());
      }
    }
    if (type->kind == Kind::Array) {
      of = type->to;
      cell = at + next * cells(*of);
      if (next >= type->length) {
        error(part, "there are more values than elements");
        return;
      }
    } else if (type->kind == Kind::Struct) {
      if (next >= type->members.size()) {
        error(part, "there are more values than members");
        return;
      }
      of = type->members[next].type;
      cell = at + type->members[next].cell;
    } else if (next > 0) {
      error(part, "there are more values than one");
      return;
    }
    each_initial(of, part->initializer(), cell, set);
    ++next;
  }
}

Object Builder::shared_object(const std::string& name, const TypeRef& type, SourceSpan span,
                              bool in_memory, Grammar::InitializerContext* initializer) {
  std::vector<Initial> values(cells(*type), Initial{0});
  if (initializer) initial_values(type, initializer, values, 0);
  Object object;
  object.type = type;
  if (in_memory) {
    object.where = Object::Where::Memory;
    object.address = allocate(name, type, values);
    return object;
  }
  object.where = Object::Where::Shared;
  object.shared = {static_cast<std::uint32_t>(program_.shared.size())};
  const ir::Type cell =
      type->kind == Kind::Int && type->is_bool ? ir::Type::range(0, 1) : ir::Type::integer();
  Shared made{unique_name(name),
              is_scalar(*type)
                  ? cell
                  : ir::Type::array(ir::Type::integer(), static_cast<std::uint32_t>(values.size())),
              values, span};
  if (!is_scalar(*type)) name_cells(name, *type, made.cell_names);
  program_.shared.push_back(std::move(made));
  return object;
}

void Builder::global(Grammar::DeclarationContext* declaration) {
  if (declaration->specifier().empty()) return; // _Static_assert
  const Specified base = specified(declaration->specifier());
  for (auto* item : declaration->initDeclarator()) {
    const std::string name = declared_name(item->declarator());
    TypeRef type = declared(base.type, item->declarator());
    if (base.is_typedef) {
      typedefs_[name] = type;
      continue;
    }
    if (type->kind == Kind::Function) continue;
    if (type->kind == Kind::Array && type->length == 0 && item->initializer())
      type = array_of(type->to, listed_length(item->initializer()));
    const auto known = globals_.find(name);
    if (known != globals_.end() && !item->initializer()) continue; // a tentative definition again
    if (base.is_extern && !item->initializer()) {
      // Declared here, defined below, or never: then it is an object of nobody else.
      bool is_defined = false;
      for (auto* other : tree_->external())
        if (auto* d = other->declaration(); d && d != declaration)
          for (auto* i : d->initDeclarator())
            is_defined = is_defined || declared_name(i->declarator()) == name;
      if (is_defined) continue;
    }
    supported(type, item->declarator());
    if (diagnostics_.has_errors() && type->kind == Kind::Unsupported) continue;
    if (cells(*type) == 0 || cells(*type) > most_cells) {
      if (cells(*type) > most_cells) error(item->declarator(), "this object is too large");
      Object empty;
      empty.where = Object::Where::Constant;
      empty.type = type;
      globals_[name] = empty;
      continue;
    }
    const bool is_array = type->kind == Kind::Array;
    const bool escapes = escaping_.count(name) > 0 || has_inner_array(*type) ||
                         (is_array && escaping_.count("[] " + name) > 0);
    const SourceSpan span = syntax_.span(item->declarator());
    if (base.is_thread_local) {
      if (!is_scalar(*type) || escapes) {
        error(item->declarator(),
              "a thread-local variable is a single number without an address here");
        continue;
      }
      std::vector<Initial> values(1, Initial{0});
      if (item->initializer()) initial_values(type, item->initializer(), values, 0);
      Object object;
      object.type = type;
      object.local = {static_cast<std::uint32_t>(program_.locals.size())};
      program_.locals.push_back(
          {unique_name(name), ir::Type::integer(), std::nullopt, values, span});
      globals_[name] = object;
      continue;
    }
    if (known != globals_.end() &&
        known->second.where != Object::Where::Constant) { // tentative before
      std::vector<Initial> values(cells(*type), Initial{0});
      initial_values(type, item->initializer(), values, 0);
      const Object& object = known->second;
      if (object.where == Object::Where::Shared)
        program_.shared[object.shared.value].initial = values;
      else
        std::copy(values.begin(), values.end(), memory_values_.begin() + object.address - 1);
      continue;
    }
    program_.sharing.push_back(
        {name, escapes ? "it is global, and its address is a value" : "it is global", span});
    globals_[name] = shared_object(name, type, span, escapes, item->initializer());
  }
}

void Builder::function_head(Grammar::FunctionContext* context) {
  const std::string name = declared_name(context->declarator());
  auto* part = function_part(context->declarator());
  if (!part) {
    error(context->declarator(), "this is not a function");
    return;
  }
  if (!context->declaration().empty())
    error(context->declaration(0), "old-style parameters are not supported");
  if (functions_.count(name) > 0) {
    error(context->declarator(), fmt::format("'{}' is defined twice", name));
    return;
  }
  Function function;
  function.tree = context;
  function.is_section = name.starts_with("__VERIFIER_atomic_");
  functions_.emplace(name, std::move(function));
}

void Builder::local_declaration(Grammar::DeclarationContext* declaration) {
  if (declaration->specifier().empty()) return;
  const Specified base = specified(declaration->specifier());
  for (auto* item : declaration->initDeclarator()) {
    const std::string name = declared_name(item->declarator());
    TypeRef type = declared(base.type, item->declarator());
    const SourceSpan span = syntax_.span(item->declarator());
    if (base.is_typedef) {
      typedefs_[name] = type;
      continue;
    }
    if (type->kind == Kind::Function) continue;
    if (base.is_extern) {
      const auto global = globals_.find(name);
      if (global == globals_.end())
        error(item, fmt::format("'{}' is no global that is declared before", name));
      else
        scopes_.back()[name] = global->second;
      continue;
    }
    if (type->kind == Kind::Array && type->length == 0 && item->initializer())
      type = array_of(type->to, listed_length(item->initializer()));
    supported(type, item->declarator());
    if (type->kind == Kind::Unsupported || type->kind == Kind::Void) continue;
    const bool is_array = type->kind == Kind::Array;
    const bool escapes = escaping_.count(function_ + " " + name) > 0 || has_inner_array(*type) ||
                         (is_array && escaping_.count("[] " + function_ + " " + name) > 0);
    if (base.is_static)
      program_.sharing.push_back(
          {name, fmt::format("it is a static variable of '{}'", function_), span});
    else if (escapes)
      program_.sharing.push_back(
          {name, fmt::format("a variable of '{}' whose address is a value", function_), span});
    if (base.is_thread_local) {
      error(item, "a thread-local variable is declared outside of functions here");
      continue;
    }
    if (base.is_static) { // one, however often the function is built
      const auto known = statics_.find(span.begin);
      scopes_.back()[name] =
          known != statics_.end()
              ? known->second
              : statics_[span.begin] =
                    shared_object(function_ + "." + name, type, span, escapes, item->initializer());
      continue;
    }
    Object object;
    object.type = type;
    const std::uint64_t count = cells(*type);
    if (escapes) {
      object.where = Object::Where::Memory;
      with_addresses_.emplace(code_, span);
      object.is_per_thread = kind_ != Procedure::Kind::Main;
      object.address = object.is_per_thread
                           ? allocate_for_threads(name, type)
                           : allocate(name, type, std::vector<Initial>(count, Initial{0}));
    } else {
      object.local = new_local(
          name,
          count == 1 && !is_array && type->kind != Kind::Struct
              ? ir::Type::integer()
              : ir::Type::array(ir::Type::integer(),
                                static_cast<std::uint32_t>(std::max<std::uint64_t>(count, 1))),
          span);
    }
    scopes_.back()[name] = object;
    auto* initializer = item->initializer();
    const Lvalue whole = of_object(object);
    if (!initializer && object.where == Object::Where::Local && is_scalar(*type)) {
      // A thread's number or an address is set before it means anything.
      const bool is_number = type->kind == Kind::Int && type->bits <= 32;
      const Value size = is_number ? Value{1} << type->bits : 0;
      if (is_number)
        unset_.emplace(object.local, type->is_bool     ? ir::Type::range(0, 1)
                                     : type->is_signed ? ir::Type::range(-size / 2, size / 2 - 1)
                                                       : ir::Type::range(0, size - 1));
    }
    if (!initializer) continue;
    if (initializer->expr() && is_scalar(*type)) {
      assign(whole, value(initializer->expr()), initializer->expr());
    } else if (initializer->expr()) {
      if (const auto from = lvalue(initializer->expr())) copy(whole, *from, initializer);
    } else {
      // A list: what it does not mention becomes 0.
      const auto cell_at = [&](std::uint64_t i, const TypeRef& of) {
        Lvalue cell = whole;
        cell.type = of;
        if (!cell.is_whole)
          cell.offset = folded(Op::Add, cell.offset, Expr::constant(static_cast<Value>(i)), span);
        return cell;
      };
      for (std::uint64_t i = 0; i < count; ++i)
        store(cell_at(i, integer(64, true)), Expr::constant(0), span);
      each_initial(type, initializer, 0,
                   [&](std::uint64_t i, const TypeRef& of, Grammar::ExprContext* e) {
                     if (i < count) store(cell_at(i, of), as_type(value(e), of, e), span);
                   });
    }
  }
}

} // namespace weir::frontend::c
