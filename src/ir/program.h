#pragma once
// The one Program: a concurrent program as plain values.
//
// Structured statements; each simple statement touches shared memory at most once, and says so by
// its kind (Load, Store, Cas, Arw). Expressions read thread variables and locals only, so they
// happen in one step. Front ends produce it, translate/ maps it to itself, everything else reads it.

#include "base/id.h"
#include "base/source.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weir::ir {

using Value = std::int64_t;
using SharedId = Id<struct SharedTag>;
using LocalId = Id<struct LocalTag>;         ///< a thread variable, or a local of a procedure
using ProcedureId = Id<struct ProcedureTag>; ///< code: main, a process or a procedure
using LabelId = Id<struct LabelTag>;         ///< a label of one procedure
using StatementId = Id<struct StatementTag>; ///< a statement as the user wrote it

// ---- types -----------------------------------------------------------------------------------

/// What a variable holds. Aggregates list what they consist of in `parts`, outermost first: an
/// array has one part, its element, and `length` of them.
struct Type {
  enum class Kind : std::uint8_t { Bool, Int, Array };
  Kind kind = Kind::Int;
  Value lo = std::numeric_limits<Value>::min(); ///< Int: least value
  Value hi = std::numeric_limits<Value>::max(); ///< Int: greatest value
  std::vector<Type> parts;
  std::uint32_t length = 1;

  static Type boolean() { return {Kind::Bool, 0, 1, {}, 1}; }
  static Type integer() { return {}; }
  static Type range(Value lo, Value hi) { return {Kind::Int, lo, hi, {}, 1}; }
  static Type array(Type element, std::uint32_t length);

  bool is_scalar() const { return kind != Kind::Array; }
  /// An `int` without a declared range: mathematically unbounded.
  bool is_unbounded() const;
  bool contains(Value value) const { return lo <= value && value <= hi; }
  /// How many scalars it consists of.
  std::uint64_t cells() const;
  /// The type of all its scalars.
  const Type& scalar() const;
  bool operator==(const Type&) const = default;
};

// ---- expressions -----------------------------------------------------------------------------

// clang-format off
enum class Op : std::uint8_t {
  Const,     ///< `value`
  Any,       ///< any truth value; only as the whole condition of an If or a Loop
  Local,     ///< `local`, its elements selected by `args`
  Not, Neg,
  Mul, Div, Mod, Add, Sub,
  Shl, Shr,  ///< by 0 to 63; of the number, not of its representation: x * 2^n, floor(x / 2^n)
  BitAnd, BitXor, BitOr, ///< of two's complement
  Lt, Le, Gt, Ge, Eq, Ne,
  And, Or,   ///< short-circuit
  Shared,    ///< `shared`, selected by `args`; only in final conditions
  OfThread,  ///< variable `local` of the thread `thread`; only in final conditions
};
// clang-format on

/// Names a thread by its process and, if there are several, by the arguments it was started with.
struct ThreadName {
  ProcedureId process;
  std::vector<Value> arguments; ///< empty: whichever thread of the process
  bool operator==(const ThreadName&) const = default;
};

struct Expr {
  Op op = Op::Const;
  bool is_bool = false;
  Value value = 0;
  LocalId local;
  SharedId shared;
  std::optional<ThreadName> thread;
  std::vector<Expr> args;
  SourceSpan span;

  static Expr constant(Value value, SourceSpan span = {});
  static Expr boolean(bool value, SourceSpan span = {});
  static Expr any(SourceSpan span = {});
  static Expr of_local(LocalId local, const Type& scalar, SourceSpan span = {});
  static Expr unary(Op op, Expr operand, SourceSpan span = {});
  static Expr binary(Op op, Expr left, Expr right, SourceSpan span = {});

  bool is_constant() const { return op == Op::Const; }
  bool operator==(const Expr&) const = default;
};

/// A scalar in shared memory: a variable and the way to one of its cells. Each element of the path
/// selects a part of the aggregate so far: an index of an array.
struct Place {
  SharedId variable;
  std::vector<Expr> path;
  bool operator==(const Place&) const = default;
};

/// The same for variables that belong to one thread.
struct LocalPlace {
  LocalId variable;
  std::vector<Expr> path;
  bool operator==(const LocalPlace&) const = default;
};

// ---- statements ------------------------------------------------------------------------------

struct Stmt;
using Block = std::vector<Stmt>;

// clang-format off
struct Skip { bool operator==(const Skip&) const = default; };
/// Blocks the thread for ever unless the condition holds.
struct Assume { Expr condition; bool operator==(const Assume&) const = default; };
struct Assert { Expr condition; bool operator==(const Assert&) const = default; };
struct Assign { LocalPlace to; Expr value; bool operator==(const Assign&) const = default; };
/// Any value of the type of `to`.
struct Havoc { LocalPlace to; bool operator==(const Havoc&) const = default; };
struct Load { LocalPlace into; Place from; bool operator==(const Load&) const = default; };
struct Store { Place to; Expr value; bool operator==(const Store&) const = default; };
/// If memory holds `expected`, writes `desired`; `into` learns whether it did. Never blocks on the value.
struct Cas {
  std::optional<LocalPlace> into;
  Place at;
  Expr expected, desired;
  bool operator==(const Cas&) const = default;
};
/// Waits until memory holds `expected`, and writes `desired` in the same step.
struct Arw { Place at; Expr expected, desired; bool operator==(const Arw&) const = default; };
struct Fence { bool operator==(const Fence&) const = default; };
/// Stores before it reach memory before stores after it. Under TSO they do anyway.
struct StoreFence { bool operator==(const StoreFence&) const = default; };
struct AtomicBegin { bool operator==(const AtomicBegin&) const = default; };
struct AtomicEnd { bool operator==(const AtomicEnd&) const = default; };
/// `into` gets the number of the new thread, which `Join` takes.
struct Spawn {
  std::optional<LocalPlace> into;
  ProcedureId process;
  std::vector<Expr> arguments;
  bool operator==(const Spawn&) const = default;
};
struct Join { Expr thread; bool operator==(const Join&) const = default; };
struct Call {
  ProcedureId procedure;
  std::vector<Expr> arguments;
  bool operator==(const Call&) const = default;
};
struct Return { bool operator==(const Return&) const = default; };
struct Goto { LabelId target; bool operator==(const Goto&) const = default; };
struct If { Expr condition; Block yes, no; bool operator==(const If&) const; };
/// Runs `before`, then tests: if the condition holds, runs `body` and starts again. A `while` has
/// nothing before, a `do` has no body, and a condition that reads shared memory needs both.
struct Loop { Block before; Expr condition; Block body; bool operator==(const Loop&) const; };
// clang-format on

using Action =
    std::variant<Skip, Assume, Assert, Assign, Havoc, Load, Store, Cas, Arw, Fence, StoreFence,
                 AtomicBegin, AtomicEnd, Spawn, Join, Call, Return, Goto, If, Loop>;

/// What happens, and where the user wrote it. Passes keep the span of what they replace.
struct Stmt {
  Action action;
  SourceSpan span;
  std::vector<LabelId> labels;
  /// The user's statement that it is a part of, or does the work of; none: nobody's. Like spans,
  /// not a part of what the program is.
  std::optional<StatementId> origin{};
  bool operator==(const Stmt& other) const;
};

// By hand: a defaulted comparison of types that contain each other crashes clang 14.
inline bool If::operator==(const If& other) const {
  return condition == other.condition && yes == other.yes && no == other.no;
}
inline bool Loop::operator==(const Loop& other) const {
  return before == other.before && condition == other.condition && body == other.body;
}
inline bool Stmt::operator==(const Stmt& other) const {
  return action == other.action && labels == other.labels;
}

// ---- the program -----------------------------------------------------------------------------

/// An initial value, or any value of the type.
using Initial = std::optional<Value>;

struct Shared {
  std::string name;
  Type type;
  std::vector<Initial> initial; ///< one per cell
  SourceSpan span;
  /// What the user calls its cells, if it is not one of the user's variables. No part of what it is.
  std::vector<std::string> cell_names{};
  bool operator==(const Shared& other) const {
    return name == other.name && type == other.type && initial == other.initial;
  }
};

struct Local {
  std::string name;
  Type type;
  std::optional<ProcedureId> owner; ///< none: a thread variable, visible in all code
  std::vector<Initial> initial;     ///< one per cell; those of a procedure start at a known value
  SourceSpan span;
  bool operator==(const Local&) const = default;
};

struct Procedure {
  enum class Kind : std::uint8_t { Main, Process, Procedure };
  Kind kind = Kind::Process;
  std::string name;
  std::vector<LocalId> parameters;
  std::vector<std::string> labels; ///< by LabelId
  Block body;
  SourceSpan span;
  bool operator==(const Procedure&) const = default;
};

/// A thread that exists from the start.
struct InitialThread {
  ProcedureId process;
  std::vector<Value> arguments;
  bool operator==(const InitialThread&) const = default;
};

/// One thread at one label.
struct Whereabouts {
  ThreadName thread;
  LabelId label;
  bool operator==(const Whereabouts&) const = default;
};

/// Bad if as many different threads are at these places at once.
struct Forbid {
  std::vector<Whereabouts> places;
  SourceSpan span;
  bool operator==(const Forbid&) const = default;
};

/// Holds whenever all threads have ended and all buffers are empty.
struct Final {
  Expr condition;
  SourceSpan span;
  bool operator==(const Final&) const = default;
};

/// A statement of the source text, which may be several of ours. Between two of them a fence can go.
struct SourceStatement {
  SourceSpan span;       ///< without its labels
  SourceSpan whole;      ///< with them
  bool is_alone = false; ///< the text allows no other statement beside it: an `if` without braces
  /// The same of the labelled block that starts with it, if it is the first in one: what goes
  /// before the statement goes before that.
  SourceSpan outer = whole;
  bool outer_is_alone = is_alone;
};

/// Why an object of the source is shared, in words.
struct Sharing {
  std::string name, why;
  SourceSpan span;
};

struct Program {
  std::shared_ptr<const Source> source;
  std::vector<Shared> shared;
  std::vector<Local> locals;
  std::vector<Procedure> procedures;
  std::vector<InitialThread> threads;
  std::vector<Forbid> forbids;
  std::vector<Final> finals;
  std::vector<SourceStatement> statements; ///< by StatementId
  std::vector<Sharing> sharing;            ///< if the front end has to find out

  const Shared& operator[](SharedId id) const { return shared[id.value]; }
  const Local& operator[](LocalId id) const { return locals[id.value]; }
  const Procedure& operator[](ProcedureId id) const { return procedures[id.value]; }
  const SourceStatement& operator[](StatementId id) const { return statements[id.value]; }

  /// The same program, wherever it was written.
  bool operator==(const Program& other) const;
};

/// The way a thread is called in messages and conditions: `P`, or `P(0, 1)` with arguments.
std::string thread_name(const Program& program, ProcedureId process,
                        const std::vector<Value>& arguments);

/// Calls `visit(stmt)` for each statement of the block, outer ones first.
template <class Visit> void for_each_statement(const Block& block, Visit&& visit) {
  for (const Stmt& stmt : block) {
    visit(stmt);
    if (const auto* branch = std::get_if<If>(&stmt.action)) {
      for_each_statement(branch->yes, visit);
      for_each_statement(branch->no, visit);
    } else if (const auto* loop = std::get_if<Loop>(&stmt.action)) {
      for_each_statement(loop->before, visit);
      for_each_statement(loop->body, visit);
    }
  }
}

} // namespace weir::ir
