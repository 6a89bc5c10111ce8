#include "frontend/c/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::frontend::c {

using namespace ir;
using Kind = Type::Kind;

namespace {

constexpr ir::Value arena_cells = 64; ///< that a thread may allocate

std::string without(const std::string& text, std::string_view suffix) {
  return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
}

/// Calls that only print or wait.
bool is_idle(const std::string& name) {
  static const std::set<std::string> names{"printf",
                                           "fprintf",
                                           "puts",
                                           "putchar",
                                           "fputs",
                                           "fflush",
                                           "perror",
                                           "free",
                                           "sched_yield",
                                           "usleep",
                                           "sleep",
                                           "nanosleep",
                                           "pthread_yield",
                                           "thrd_yield",
                                           "thrd_sleep",
                                           "srand",
                                           "_mm_pause",
                                           "__builtin_ia32_pause",
                                           "pthread_attr_init",
                                           "pthread_attr_destroy",
                                           "pthread_mutexattr_init",
                                           "pthread_mutexattr_destroy",
                                           "pthread_mutexattr_settype",
                                           "pthread_mutex_destroy",
                                           "pthread_spin_destroy",
                                           "pthread_detach",
                                           "mtx_destroy",
                                           "cpu_relax",
                                           "barrier",
                                           "smp_rmb",
                                           "smp_mb__before_atomic",
                                           "smp_mb__after_atomic",
                                           "atomic_signal_fence",
                                           "__atomic_signal_fence",
                                           "_mm_lfence",
                                           "__VERIFIER_loop_bound",
                                           "__VERIFIER_loop_begin",
                                           "__VERIFIER_spin_start",
                                           "__VERIFIER_spin_end",
                                           "pthread_setconcurrency",
                                           "rcu_read_lock",
                                           "rcu_read_unlock"};
  return names.count(name) > 0;
}

/// `0`, `NULL`, `(void *)0`.
bool is_null(antlr4::tree::ParseTree* e) {
  if (auto* x = dynamic_cast<Grammar::ParenthesisContext*>(e))
    return x->expression()->expr().size() == 1 && is_null(x->expression()->expr(0));
  if (auto* x = dynamic_cast<Grammar::CastContext*>(e)) return is_null(x->expr());
  return dynamic_cast<Grammar::LiteralContext*>(e) && e->getText() == "0";
}

std::optional<Op> operation(const std::string& word) {
  static const std::map<std::string, Op> ops{{"add", Op::Add},
                                             {"sub", Op::Sub},
                                             {"and", Op::BitAnd},
                                             {"or", Op::BitOr},
                                             {"xor", Op::BitXor}};
  const auto found = ops.find(word);
  if (found == ops.end()) return std::nullopt;
  return found->second;
}

} // namespace

Grammar::ExprContext* Builder::argument(Grammar::CallContext* e, std::size_t at) {
  const auto arguments = e->argument();
  if (at < arguments.size() && arguments[at]->expr()) return arguments[at]->expr();
  error(e, fmt::format("'{}' takes more arguments", e->expr()->getText()));
  return nullptr;
}

std::optional<Lvalue> Builder::argument_target(Grammar::CallContext* e, std::size_t at) {
  auto* given = argument(e, at);
  return given ? target_of(given) : std::nullopt;
}

/// Evaluates the arguments of a call that does nothing with them, but for strings.
void Builder::drop_arguments(Grammar::CallContext* e) {
  for (auto* given : e->argument())
    if (given->expr() && !dynamic_cast<Grammar::TextContext*>(bare(given->expr()))) {
      auto* x = dynamic_cast<Grammar::UnaryContext*>(bare(given->expr()));
      if (!(x && x->op->getText() == "&")) effect(given->expr());
    }
}

void Builder::locked(SourceSpan span, const std::function<void()>& steps) {
  emit(AtomicBegin{}, span);
  steps();
  emit(AtomicEnd{}, span);
}

std::pair<Expr, Expr> Builder::locked_update(const Lvalue& at, SourceSpan span,
                                             const std::function<Expr(const Expr&)>& next) {
  const LocalId old = temporary(), fresh = temporary();
  locked(span, [&] {
    if (at.where == Object::Where::Local)
      emit(Assign{{old, {}}, load(at, span).expr}, span);
    else
      emit(Load{{old, {}}, place(at)}, span);
    emit(Assign{{fresh, {}}, next(read(old, span))}, span);
    store(at, read(fresh, span), span);
  });
  return {read(old, span), read(fresh, span)};
}

Rvalue Builder::compare_exchange(const Lvalue& at, const std::optional<Lvalue>& expected_at,
                                 Expr expected, Expr desired, bool gives_old, SourceSpan span) {
  const LocalId old = temporary();
  expected = kept(std::move(expected), span);
  desired = kept(std::move(desired), span);
  Expr done = Expr::binary(Op::Eq, read(old, span), expected, span);
  locked(span, [&] {
    if (at.where == Object::Where::Local)
      emit(Assign{{old, {}}, load(at, span).expr}, span);
    else
      emit(Load{{old, {}}, place(at)}, span);
    Block write = collect([&] { store(at, desired, span); });
    emit(If{done, std::move(write), {}}, span);
  });
  if (gives_old) return {read(old, span), at.type};
  if (expected_at) {
    Block learn = collect([&] { store(*expected_at, read(old, span), span); });
    emit(If{done, {}, std::move(learn)}, span);
  }
  return {std::move(done), integer(32, true)};
}

bool Builder::is_seq_cst(Grammar::CallContext* e, std::size_t at) {
  const auto arguments = e->argument();
  if (at >= arguments.size() || !arguments[at]->expr()) return true;
  const auto order = constant_value(arguments[at]->expr());
  if (!order || *order < 0 || *order > 5)
    error(arguments[at], "the memory order is a constant here")
        .with_hint("for example memory_order_seq_cst");
  return order && *order == 5;
}

Rvalue Builder::call(Grammar::CallContext* e, bool wants_value) {
  auto* callee = bare(e->expr());
  if (auto* x = dynamic_cast<Grammar::UnaryContext*>(callee); x && x->op->getText() == "&")
    callee = bare(x->expr());
  if (!dynamic_cast<Grammar::NameContext*>(callee))
    return failed(e, "a call of a function that is not named is not supported");
  const std::string name = callee->getText();
  if (find(name) && functions_.count(name) == 0)
    return failed(e, "a call by a pointer to a function is not supported");
  if (auto known = known_call(name, e)) return std::move(*known);
  const auto function = functions_.find(name);
  if (function != functions_.end()) return call_function(function->second, name, e);
  (void)wants_value;
  auto& problem = error(
      e->expr(), fmt::format("'{}' has no body here, and is not a function that Weir knows", name));
  if (name.starts_with("pthread_cond")) problem.with_hint("condition variables are not supported");
  if (name.find("rcu") != std::string::npos)
    problem.with_hint("waiting for readers (RCU) is not supported");
  return {Expr::constant(0), integer(32, true)};
}

std::optional<Rvalue> Builder::known_call(const std::string& name, Grammar::CallContext* e) {
  const SourceSpan span = syntax_.span(e);
  const Rvalue nothing{Expr::constant(0, span), integer(32, true)};
  const auto done = [&](Action action) -> std::optional<Rvalue> {
    emit(std::move(action), span);
    return nothing;
  };
  const std::size_t count = e->argument().size();
  if (name == "assert" || name == "__CPROVER_assert" || name == "MODEL_ASSERT") {
    auto* condition = argument(e, 0);
    if (!condition) return nothing;
    Expr holds = truth(condition);
    return done(Assert{std::move(holds)});
  }
  if (name == "__VERIFIER_error" || name == "reach_error" || name == "__assert_fail")
    return done(Assert{Expr::boolean(false, span)});
  if (name == "__VERIFIER_assume" || name == "__CPROVER_assume" || name == "assume") {
    if (functions_.count(name) > 0) return std::nullopt;
    auto* condition = argument(e, 0);
    if (!condition) return nothing;
    Expr holds = truth(condition);
    return done(Assume{std::move(holds)});
  }
  // The process ends: this thread goes no further, and what others do then they could do before.
  if (name == "abort" || name == "exit" || name == "_exit" || name == "__builtin_unreachable") {
    drop_arguments(e);
    return done(Assume{Expr::boolean(false, span)});
  }
  if (name == "__VERIFIER_atomic_begin" || name == "__CPROVER_atomic_begin")
    return done(AtomicBegin{});
  if (name == "__VERIFIER_atomic_end" || name == "__CPROVER_atomic_end") return done(AtomicEnd{});
  if (functions_.count(name) > 0) return std::nullopt; // the user's own
  if (name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_")) {
    const std::string kind = name.substr(name.rfind('_') + 1);
    static const std::map<std::string, std::pair<ir::Value, ir::Value>> ranges{
        {"bool", {0, 1}},           {"char", {-128, 127}},  {"uchar", {0, 255}},
        {"short", {-32768, 32767}}, {"ushort", {0, 65535}}, {"int", {-2147483648LL, 2147483647LL}},
        {"uint", {0, 4294967295LL}}};
    const auto range = ranges.find(kind);
    if (range == ranges.end()) return failed(e, fmt::format("'{}' is not supported", name));
    const LocalId any =
        new_local("any", ir::Type::range(range->second.first, range->second.second), {});
    emit(Havoc{{any, {}}}, span);
    const TypeRef type = kind == "uint" ? integer(32, false) : integer(32, true);
    return Rvalue{Expr::of_local(any, ir::Type::integer(), span), type};
  }
  if (is_idle(name)) {
    drop_arguments(e);
    return nothing;
  }
  if (name == "smp_mb" || name == "mb" || name == "__sync_synchronize" || name == "_mm_mfence")
    return done(Fence{});
  if (name == "smp_wmb" || name == "wmb" || name == "_mm_sfence") return done(StoreFence{});
  if (name == "malloc" || name == "calloc") return allocated(e, name == "calloc");
  if (name == "__builtin_expect") return argument(e, 0) ? value(argument(e, 0)) : nothing;
  if (name == "READ_ONCE" || name == "WRITE_ONCE" || name == "smp_store_mb") {
    auto* object = argument(e, 0);
    const auto at = object ? lvalue(object) : std::nullopt;
    if (!at) return nothing;
    if (name == "READ_ONCE") return load(*at, span);
    auto* given = argument(e, 1);
    if (!given) return nothing;
    Expr fresh = as_type(value(given), at->type, given);
    if (name == "WRITE_ONCE")
      store(*at, std::move(fresh), span);
    else
      locked(span, [&] { store(*at, std::move(fresh), span); });
    return nothing;
  }
  if (name == "__builtin_types_compatible_p") return nothing;
  if (auto result = atomic_call(name, e)) return result;
  if (auto result = thread_call(name, e)) return result;
  (void)count;
  return std::nullopt;
}

/// C11's atomic_*, GCC's __atomic_* and __sync_*, the kernel's xchg and cmpxchg.
std::optional<Rvalue> Builder::atomic_call(const std::string& name, Grammar::CallContext* e) {
  const SourceSpan span = syntax_.span(e);
  const Rvalue nothing{Expr::constant(0, span), void_type()};
  const std::size_t count = e->argument().size();
  const bool is_gcc = name.starts_with("__atomic_");
  const bool is_sync = name.starts_with("__sync_");
  std::string word;
  if (is_gcc)
    word = without(name.substr(9), "_n");
  else if (is_sync)
    word = name.substr(7);
  else if (name.starts_with("atomic_"))
    word = without(name.substr(7), "_explicit");
  else if (name == "smp_load_acquire")
    word = "load";
  else if (name == "smp_store_release")
    word = "plain_store";
  else if (name == "xchg")
    word = "exchange";
  else if (name == "cmpxchg")
    word = "val_compare_and_swap";
  else
    return std::nullopt;

  if (word == "thread_fence") {
    if (is_seq_cst(e, 0)) emit(Fence{}, span);
    return nothing;
  }
  if (word == "is_lock_free" || word == "always_lock_free")
    return Rvalue{Expr::constant(1, span), integer(32, true)};
  static const std::set<std::string> words{"load",
                                           "store",
                                           "plain_store",
                                           "init",
                                           "exchange",
                                           "compare_exchange_strong",
                                           "compare_exchange_weak",
                                           "compare_exchange",
                                           "test_and_set",
                                           "clear",
                                           "flag_test_and_set",
                                           "flag_clear",
                                           "val_compare_and_swap",
                                           "bool_compare_and_swap",
                                           "lock_test_and_set",
                                           "lock_release"};
  const bool is_fetch_first = word.starts_with("fetch_and_");
  const std::size_t split = word.rfind("_and_fetch");
  const bool is_fetch_last = split != std::string::npos && split + 10 == word.size();
  const bool is_fetch_c = !is_fetch_first && word.starts_with("fetch_");
  const bool is_fetch_gcc = word.size() > 6 && word.ends_with("_fetch");
  if (words.count(word) == 0 && !is_fetch_first && !is_fetch_last && !is_fetch_c && !is_fetch_gcc)
    return std::nullopt;

  const auto at = argument_target(e, 0);
  if (!at) return Rvalue{Expr::constant(0, span), integer(32, true)};
  const auto given = [&](std::size_t i) -> Expr {
    auto* x = argument(e, i);
    return x ? as_type(value(x), at->type, x) : Expr::constant(0, span);
  };
  // GCC's forms for any type get and put values by address.
  const bool is_generic = is_gcc && !name.ends_with("_n");
  if (is_generic && word == "load") {
    if (const auto into = argument_target(e, 1)) store(*into, load(*at, span).expr, span);
    return nothing;
  }
  if (is_generic && (word == "store" || word == "exchange")) {
    const auto from = argument_target(e, 1);
    if (!from) return nothing;
    const Expr fresh = kept(load(*from, span).expr, span);
    if (word == "exchange") {
      const Expr old = locked_update(*at, span, [&](const Expr&) { return fresh; }).first;
      if (const auto into = argument_target(e, 2)) store(*into, old, span);
    } else if (is_seq_cst(e, 2)) {
      locked(span, [&] { store(*at, fresh, span); });
    } else {
      store(*at, fresh, span);
    }
    return nothing;
  }
  if (word == "load") return load(*at, span);
  if (word == "store" || word == "plain_store" || word == "init") {
    Expr fresh = given(1);
    const bool is_plain = word != "store" || !is_seq_cst(e, 2);
    if (is_plain)
      store(*at, std::move(fresh), span);
    else
      locked(span, [&] { store(*at, std::move(fresh), span); });
    return nothing;
  }
  if (word == "clear" || word == "flag_clear" || word == "lock_release") {
    const bool is_plain = word == "lock_release" || !is_seq_cst(e, 1);
    if (is_plain)
      store(*at, Expr::constant(0, span), span);
    else
      locked(span, [&] { store(*at, Expr::constant(0, span), span); });
    return nothing;
  }
  if (word == "exchange" || word == "lock_test_and_set") {
    const Expr fresh = kept(given(1), span);
    return Rvalue{locked_update(*at, span, [&](const Expr&) { return fresh; }).first, at->type};
  }
  if (word == "test_and_set" || word == "flag_test_and_set") {
    const Expr old =
        locked_update(*at, span, [&](const Expr&) { return Expr::constant(1, span); }).first;
    return Rvalue{Expr::binary(Op::Ne, old, Expr::constant(0, span), span), boolean()};
  }
  if (word == "val_compare_and_swap" || word == "bool_compare_and_swap") {
    Expr expected = given(1);
    return compare_exchange(*at, std::nullopt, std::move(expected), given(2), word[0] == 'v', span);
  }
  if (word.starts_with("compare_exchange")) {
    const auto expected_at = argument_target(e, 1);
    if (!expected_at) return nothing;
    Expr expected = load(*expected_at, span).expr;
    if (is_generic) {
      const auto desired = argument_target(e, 2);
      if (!desired) return nothing;
      return compare_exchange(*at, expected_at, std::move(expected), load(*desired, span).expr,
                              false, span);
    }
    return compare_exchange(*at, expected_at, std::move(expected), given(2), false, span);
  }
  // fetch_and_add (__sync), add_and_fetch (__sync), fetch_add (C11, __atomic), add_fetch (__atomic)
  const std::string op_word = is_fetch_first  ? word.substr(10)
                              : is_fetch_last ? word.substr(0, split)
                              : is_fetch_c    ? word.substr(6)
                                              : without(word, "_fetch");
  const auto op = operation(op_word);
  if (!op) return std::nullopt;
  auto* x = argument(e, 1);
  if (!x) return nothing;
  if (at->type->kind == Kind::Pointer && (is_gcc || is_sync))
    return failed(e, "this adds bytes to an address, which is not supported");
  static const std::map<Op, std::string> symbols{
      {Op::Add, "+"}, {Op::Sub, "-"}, {Op::BitAnd, "&"}, {Op::BitOr, "|"}, {Op::BitXor, "^"}};
  Rvalue right = value(x);
  right.expr = kept(number(right), span);
  const auto [old, fresh] = locked_update(*at, span, [&](const Expr& before) {
    return as_type(combined(symbols.at(*op), {before, at->type}, right, e), at->type, e);
  });
  (void)count;
  return Rvalue{is_fetch_last || is_fetch_gcc ? fresh : old, at->type};
}

std::optional<Rvalue> Builder::thread_call(const std::string& name, Grammar::CallContext* e) {
  const SourceSpan span = syntax_.span(e);
  const Rvalue zero{Expr::constant(0, span), integer(32, true)};
  const Expr one = Expr::constant(1, span), none = Expr::constant(0, span);
  if (name == "pthread_create" || name == "thrd_create") {
    start_thread(e);
    return zero;
  }
  if (name == "pthread_join" || name == "thrd_join") {
    auto* thread = argument(e, 0);
    if (!thread) return zero;
    if (e->argument().size() > 1) {
      if (!e->argument(1)->expr() || !is_null(e->argument(1)->expr()))
        error(e->argument(1), "the result of a thread is not supported").with_hint("pass NULL");
    }
    emit(Join{number(value(thread))}, span);
    return zero;
  }
  if (name == "pthread_exit" || name == "thrd_exit") {
    drop_arguments(e);
    if (kind_ == Procedure::Kind::Procedure)
      return failed(e, "a thread can only exit in its start routine here");
    emit(Return{}, span);
    return zero;
  }
  if (name == "pthread_self" || name == "thrd_current") {
    return Rvalue{self(), integer(64, false)};
  }
  const bool is_mutex = name.starts_with("pthread_mutex_") || name.starts_with("mtx_");
  const bool is_spin = name.starts_with("pthread_spin_") || name.starts_with("spin_");
  if (!is_mutex && !is_spin) return std::nullopt;
  const std::string word = name.substr(name.rfind('_') + 1);
  const auto at = argument_target(e, 0);
  if (!at || at->where == Object::Where::Local) {
    if (at) error(e, "a lock is shared, and this one is not");
    return zero;
  }
  if (word == "init") {
    store(*at, none, span);
  } else if (word == "lock") {
    emit(Arw{place(*at), none, one}, span);
  } else if (word == "unlock") {
    // The library's unlock is a locked instruction; a spin lock's is a plain store.
    if (is_spin)
      store(*at, none, span);
    else
      locked(span, [&] { store(*at, none, span); });
  } else if (word == "trylock") {
    const LocalId taken = new_local("taken", ir::Type::boolean(), {});
    emit(Cas{LocalPlace{taken, {}}, place(*at), none, one}, span);
    const LocalId result = temporary();
    Block yes = collect([&] { emit(Assign{{result, {}}, none}, span); });
    Block no = collect([&] {
      emit(Assign{{result, {}}, Expr::constant(name == "mtx_trylock" ? 1 : 16)}, span);
    });
    emit(If{Expr::of_local(taken, ir::Type::boolean(), span), std::move(yes), std::move(no)}, span);
    return Rvalue{read(result, span), integer(32, true)};
  } else {
    return std::nullopt;
  }
  return zero;
}

void Builder::start_thread(Grammar::CallContext* e) {
  const bool is_c11 = e->expr()->getText() == "thrd_create";
  const std::size_t routine_at = is_c11 ? 1 : 2;
  auto* id = argument(e, 0);
  auto* routine = argument(e, routine_at);
  if (!id || !routine) return;
  auto* named = bare(routine);
  while (true) {
    if (auto* x = dynamic_cast<Grammar::UnaryContext*>(named); x && x->op->getText() == "&")
      named = bare(x->expr());
    else if (auto* c = dynamic_cast<Grammar::CastContext*>(named))
      named = bare(c->expr());
    else
      break;
  }
  const std::string name = named->getText();
  if (functions_.count(name) == 0) {
    error(routine, fmt::format("'{}' is not a function that is defined here", name));
    return;
  }
  std::optional<Rvalue> given;
  if (e->argument().size() > routine_at + 1 && e->argument(routine_at + 1)->expr())
    given = value(e->argument(routine_at + 1)->expr());
  std::optional<Lvalue> into;
  if (!is_null(id)) {
    // `threads + i` is an element of an array of thread numbers.
    auto* sum = dynamic_cast<Grammar::BinaryContext*>(bare(id));
    auto* array = sum && sum->op->getText() == "+"
                      ? dynamic_cast<Grammar::NameContext*>(bare(sum->left))
                      : nullptr;
    const Object* object = array ? find(array->getText()) : nullptr;
    if (object && object->type->kind == Kind::Array) {
      into = of_object(*object);
      into->offset = folded(Op::Add, into->offset, number(value(sum->right)), syntax_.span(id));
      into->type = object->type->to;
      into->is_whole = false;
    } else {
      into = target_of(id);
    }
  }
  spawn(name, given, into, e);
}

void Builder::spawn(const std::string& name, std::optional<Rvalue> given,
                    const std::optional<Lvalue>& into, antlr4::ParserRuleContext* where) {
  const SourceSpan span = syntax_.span(where);
  Function& function = functions_.at(name);
  if (!function.result) call_function(function, name, nullptr); // its head is read
  if (!function.process) {
    function.process = ProcedureId{static_cast<std::uint32_t>(program_.procedures.size())};
    program_.procedures.push_back({Procedure::Kind::Process,
                                   unique_name(name),
                                   {},
                                   {},
                                   {},
                                   syntax_.span(function.tree->declarator())});
    work_.push_back({name, *function.process, Procedure::Kind::Process});
  }
  std::vector<Expr> arguments;
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    arguments.push_back(i == 0 && given ? number(*given) : Expr::constant(0, span));
  // Threads are numbered in the order in which they are started.
  const LocalId number_of = thread_variable("started");
  emit(Fence{}, span); // pthread_create synchronises memory
  emit(Assign{{number_of, {}}, Expr::binary(Op::Add, read(number_of), Expr::constant(1), span)},
       span);
  arguments.push_back(read(number_of, span));
  const LocalId thread = temporary();
  emit(Spawn{LocalPlace{thread, {}}, *function.process, std::move(arguments)}, span);
  if (into) store(*into, read(thread, span), span);
}

/// A call of a function of the program. Without a call, only its head is read.
Rvalue Builder::call_function(Function& function, const std::string& name,
                              Grammar::CallContext* e) {
  if (!function.result) {
    TypeRef type =
        declared(specified(function.tree->specifier()).type, function.tree->declarator());
    while (type->kind == Kind::Pointer && !function_part(function.tree->declarator()))
      type = type->to;
    function.result = type->kind == Kind::Function ? type->to : integer(32, true);
    auto* list = function_part(function.tree->declarator())->parameters();
    if (list && list->ellipsis)
      error(list, "functions with any number of arguments are not supported");
    if (list)
      for (auto* parameter : list->parameter()) {
        if (parameter->specifier().empty()) {
          error(parameter, "old-style parameters are not supported");
          continue;
        }
        TypeRef of = specified(parameter->specifier()).type;
        std::string called;
        if (parameter->declarator()) {
          of = declared(of, parameter->declarator());
          called = declared_name(parameter->declarator());
        } else if (parameter->abstractDeclarator()) {
          of = abstract(of, parameter->abstractDeclarator());
        }
        if (of->kind == Kind::Void) continue;
        if (of->kind == Kind::Array) of = pointer_to(of->to);
        if (of->kind == Kind::Function) of = pointer_to(of);
        supported(of, parameter);
        if (of->kind == Kind::Struct) error(parameter, "a struct is passed by its address here");
        function.parameters.emplace_back(called, of);
      }
    if (function.result->kind == Kind::Struct)
      error(function.tree->declarator(), "a struct cannot be a result here");
    supported(function.result, function.tree->declarator());
  }
  if (!e) return {Expr::constant(0), integer(32, true)};
  const SourceSpan span = syntax_.span(e);
  if (name == "main") return failed(e, "main cannot be called");
  if (!function.procedure) {
    function.procedure = ProcedureId{static_cast<std::uint32_t>(program_.procedures.size())};
    program_.procedures.push_back({Procedure::Kind::Procedure,
                                   unique_name(name),
                                   {},
                                   {},
                                   {},
                                   syntax_.span(function.tree->declarator())});
    work_.push_back({name, *function.procedure, Procedure::Kind::Procedure});
  }
  const auto given = e->argument();
  if (given.size() < function.parameters.size())
    return failed(e, fmt::format("'{}' takes {} argument{}", name, function.parameters.size(),
                                 function.parameters.size() == 1 ? "" : "s"));
  std::vector<Expr> arguments;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i]->expr()) return failed(given[i], "expected a value");
    Rvalue v = value(given[i]->expr());
    if (i >= function.parameters.size()) continue; // `f()` takes any
    Expr fitting = as_type(std::move(v), function.parameters[i].second, given[i]);
    const bool later = i + 1 < given.size() && has_effects(given[i + 1]);
    arguments.push_back(later ? kept(std::move(fitting), span) : std::move(fitting));
  }
  emit(Call{*function.procedure, std::move(arguments)}, span);
  if (function.result->kind == Kind::Void) return {Expr::constant(0, span), void_type()};
  return {kept(read(thread_variable("result"), span), span), function.result};
}

/// A new object from the thread's part of the arena. The argument tells what it is for.
Rvalue Builder::allocated(Grammar::CallContext* e, bool is_calloc) {
  const SourceSpan span = syntax_.span(e);
  // `sizeof(T)` is as many cells as T has; a number of bytes, one for every byte at most.
  ir::Value size = 0;
  const std::function<ir::Value(Grammar::ExprContext*)> cells_of =
      [&](Grammar::ExprContext* x) -> ir::Value {
    x = bare(x);
    if (auto* s = dynamic_cast<Grammar::SizeOfTypeContext*>(x))
      return static_cast<ir::Value>(cells(*type_name(s->typeName())));
    if (auto* s = dynamic_cast<Grammar::SizeOfContext*>(x)) {
      TypeRef type;
      collect([&] {
        if (const auto at = lvalue(s->expr())) type = at->type;
      });
      return type ? static_cast<ir::Value>(cells(*type)) : 1;
    }
    if (auto* b = dynamic_cast<Grammar::BinaryContext*>(x)) {
      const std::string op = b->op->getText();
      if (op == "*") return cells_of(b->left) * cells_of(b->right);
      if (op == "+") return cells_of(b->left) + cells_of(b->right);
    }
    return constant_value(x).value_or(-1);
  };
  if (!argument(e, 0)) return {Expr::constant(0), pointer_to(void_type())};
  size = cells_of(argument(e, 0));
  if (is_calloc && argument(e, 1)) size *= cells_of(argument(e, 1));
  if (size < 1 || size > arena_cells)
    return failed(e, "the size of an allocated object must be a small constant");
  if (!arena_) {
    std::vector<Initial> values(static_cast<std::size_t>(arena_cells) * most_threads, Initial{0});
    program_.sharing.push_back(
        {"malloc",
         fmt::format("objects that are allocated, {} numbers for each thread", arena_cells), span});
    arena_ = allocate("allocated", array_of(integer(64, true), values.size()), values);
  }
  const LocalId used = thread_variable("allocated");
  const Expr number = self();
  const Expr begin = kept(
      Expr::binary(Op::Add,
                   Expr::binary(Op::Add,
                                Expr::binary(Op::Mul, number, Expr::constant(arena_cells), span),
                                read(used), span),
                   Expr::constant(*arena_), span),
      span);
  emit(Assign{{used, {}}, Expr::binary(Op::Add, read(used), Expr::constant(size), span)}, span);
  give_up_if(Expr::binary(Op::Gt, read(used), Expr::constant(arena_cells), span), span);
  return {begin, pointer_to(void_type())};
}

} // namespace weir::frontend::c
