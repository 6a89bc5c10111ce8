#include "ir/print.h"

#include "base/match.h"
#include "ir/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace weir::ir {
namespace {

struct Operator {
  const char* text;
  int precedence;
};

Operator operator_of(Op op) {
  switch (op) {
  case Op::Or: return {"||", 1};
  case Op::And: return {"&&", 2};
  case Op::BitOr: return {"|", 3};
  case Op::BitXor: return {"^", 4};
  case Op::BitAnd: return {"&", 5};
  case Op::Eq: return {"==", 6};
  case Op::Ne: return {"!=", 6};
  case Op::Lt: return {"<", 7};
  case Op::Le: return {"<=", 7};
  case Op::Gt: return {">", 7};
  case Op::Ge: return {">=", 7};
  case Op::Shl: return {"<<", 8};
  case Op::Shr: return {">>", 8};
  case Op::Add: return {"+", 9};
  case Op::Sub: return {"-", 9};
  case Op::Mul: return {"*", 10};
  case Op::Div: return {"/", 10};
  case Op::Mod: return {"%", 10};
  case Op::Not: return {"!", 11};
  case Op::Neg: return {"-", 11};
  case Op::Const:
  case Op::Any:
  case Op::Local:
  case Op::Shared:
  case Op::OfThread: break;
  }
  return {"", 12};
}

/// The least integer has no literal: its positive part does not fit.
std::string number_text(Value value) {
  if (value != std::numeric_limits<Value>::min()) return std::to_string(value);
  return fmt::format("-{} - 1", std::numeric_limits<Value>::max());
}

std::string constant_text(const Expr& expr) {
  if (expr.is_bool) return expr.value ? "true" : "false";
  if (expr.value != std::numeric_limits<Value>::min()) return number_text(expr.value);
  return "(" + number_text(expr.value) + ")";
}

class Printer {
public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string whole() {
    for (const Shared& variable : program_.shared)
      line("shared {} {}{}{};", scalar(variable.type), variable.name, dimensions(variable.type),
           initial(variable.type, variable.initial));
    for (const Local& variable : program_.locals)
      if (!variable.owner)
        line("thread {} {}{}{};", scalar(variable.type), variable.name, dimensions(variable.type),
             initial(variable.type, variable.initial));
    for (std::uint32_t i = 0; i < program_.procedures.size(); ++i) procedure(ProcedureId{i});
    if (!program_.forbids.empty() || !program_.finals.empty()) out_ += '\n';
    for (const Forbid& forbid : program_.forbids) {
      std::vector<std::string> places;
      for (const Whereabouts& place : forbid.places)
        places.push_back(fmt::format(
            "{}@{}", thread_name(program_, place.thread.process, place.thread.arguments),
            program_[place.thread.process].labels[place.label.value]));
      line("forbid {};", fmt::join(places, ", "));
    }
    for (const Final& final_ : program_.finals) line("final {};", text(final_.condition));
    return std::move(out_);
  }

  std::string text(const Expr& expr) const { return text(expr, 0); }

  std::string text(const Place& place) const {
    return program_[place.variable].name + path(place.path);
  }

  std::string text(const LocalPlace& place) const {
    return program_[place.variable].name + path(place.path);
  }

private:
  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(2 * depth_, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  std::string scalar(const Type& type) const { return print(type.scalar()); }

  static std::string dimensions(const Type& type) {
    if (type.is_scalar()) return {};
    return fmt::format("[{}]{}", type.length, dimensions(type.parts[0]));
  }

  std::string initial(const Type& type, const std::vector<Initial>& values) const {
    bool all_zero = true;
    for (const Initial& value : values) all_zero = all_zero && value == Value{0};
    if (all_zero && type.scalar().contains(0)) return {};
    std::size_t next = 0;
    return " = " + initial_part(type, values, next);
  }

  std::string initial_part(const Type& type, const std::vector<Initial>& values,
                           std::size_t& next) const {
    if (type.is_scalar()) {
      const Initial& value = values[next++];
      if (!value) return "*";
      return type.kind == Type::Kind::Int ? number_text(*value) : value_text(type, *value);
    }
    std::vector<std::string> parts;
    for (std::uint32_t i = 0; i < type.length; ++i)
      parts.push_back(initial_part(type.parts[0], values, next));
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }

  std::string path(const std::vector<Expr>& indices) const {
    std::string result;
    for (const Expr& index : indices) result += fmt::format("[{}]", text(index));
    return result;
  }

  std::string text(const Expr& expr, int context) const {
    const auto [symbol, precedence] = operator_of(expr.op);
    switch (expr.op) {
    case Op::Const: return constant_text(expr);
    case Op::Any: return "*";
    case Op::Local: return program_[expr.local].name + path(expr.args);
    case Op::Shared: return program_[expr.shared].name + path(expr.args);
    case Op::OfThread:
      return fmt::format("{}.{}{}",
                         thread_name(program_, expr.thread->process, expr.thread->arguments),
                         program_[expr.local].name, path(expr.args));
    case Op::Not:
    case Op::Neg: {
      const auto operand = text(expr.args[0], precedence);
      return context > precedence ? fmt::format("({}{})", symbol, operand) : symbol + operand;
    }
    default: {
      const auto inner = fmt::format("{} {} {}", text(expr.args[0], precedence), symbol,
                                     text(expr.args[1], precedence + 1));
      return context > precedence ? "(" + inner + ")" : inner;
    }
    }
  }

  std::string arguments(const std::vector<Expr>& values) const {
    if (values.empty()) return {};
    std::vector<std::string> parts;
    for (const Expr& value : values) parts.push_back(text(value));
    return fmt::format("({})", fmt::join(parts, ", "));
  }

  void procedure(ProcedureId id) {
    const Procedure& code = program_[id];
    std::string head;
    switch (code.kind) {
    case Procedure::Kind::Main: head = code.name == "main" ? "main" : "main " + code.name; break;
    case Procedure::Kind::Process: head = "process " + code.name; break;
    case Procedure::Kind::Procedure: head = "procedure " + code.name; break;
    }
    if (!code.parameters.empty()) {
      std::vector<std::string> parameters;
      for (const LocalId parameter : code.parameters)
        parameters.push_back(
            fmt::format("{} {}", print(program_[parameter].type), program_[parameter].name));
      head += fmt::format("({})", fmt::join(parameters, ", "));
    }
    out_ += '\n';
    line("{} {{", head);
    ++depth_;
    code_ = &code;
    for (std::uint32_t i = 0; i < program_.locals.size(); ++i) {
      const Local& local = program_.locals[i];
      const bool is_parameter = std::find(code.parameters.begin(), code.parameters.end(),
                                          LocalId{i}) != code.parameters.end();
      if (local.owner == id && !is_parameter)
        line("{} {}{}{};", scalar(local.type), local.name, dimensions(local.type),
             initial(local.type, local.initial));
    }
    block(code.body);
    --depth_;
    line("}}");
  }

  void block(const Block& statements) {
    for (const Stmt& stmt : statements) statement(stmt);
  }

  void nested(const Block& statements) {
    ++depth_;
    block(statements);
    --depth_;
  }

  void statement(const Stmt& stmt) {
    std::string labels;
    for (const LabelId label : stmt.labels) labels += code_->labels[label.value] + ": ";
    const auto say = [&](std::string_view body) { line("{}{}", labels, body); };
    match(
        stmt.action, [&](const Skip&) { say("skip;"); },
        [&](const Assume& s) { say(fmt::format("assume({});", text(s.condition))); },
        [&](const Assert& s) { say(fmt::format("assert({});", text(s.condition))); },
        [&](const Assign& s) { say(fmt::format("{} = {};", text(s.to), text(s.value))); },
        [&](const Havoc& s) { say(fmt::format("{} = *;", text(s.to))); },
        [&](const Load& s) { say(fmt::format("{} = {};", text(s.into), text(s.from))); },
        [&](const Store& s) { say(fmt::format("{} = {};", text(s.to), text(s.value))); },
        [&](const Cas& s) {
          say(fmt::format("{}cas({}, {}, {});", s.into ? text(*s.into) + " = " : "", text(s.at),
                          text(s.expected), text(s.desired)));
        },
        [&](const Arw& s) {
          say(fmt::format("arw({}, {}, {});", text(s.at), text(s.expected), text(s.desired)));
        },
        [&](const Fence&) { say("fence;"); }, [&](const StoreFence&) { say("store_fence;"); },
        [&](const AtomicBegin&) { say("atomic_begin;"); },
        [&](const AtomicEnd&) { say("atomic_end;"); },
        [&](const Spawn& s) {
          say(fmt::format("{}spawn {}{};", s.into ? text(*s.into) + " = " : "",
                          program_[s.process].name, arguments(s.arguments)));
        },
        [&](const Join& s) { say(fmt::format("join {};", text(s.thread))); },
        [&](const Call& s) {
          say(fmt::format("call {}{};", program_[s.procedure].name, arguments(s.arguments)));
        },
        [&](const Return&) { say("return;"); },
        [&](const Goto& s) { say(fmt::format("goto {};", code_->labels[s.target.value])); },
        [&](const If& s) {
          say(fmt::format("if ({}) {{", text(s.condition)));
          nested(s.yes);
          if (!s.no.empty()) {
            line("}} else {{");
            nested(s.no);
          }
          line("}}");
        },
        [&](const Loop& s) { loop(s, labels); });
  }

  void loop(const Loop& loop, const std::string& labels) {
    if (loop.before.empty()) {
      line("{}while ({}) {{", labels, text(loop.condition));
    } else {
      line("{}do {{", labels);
      nested(loop.before);
      if (loop.body.empty()) return line("}} while ({});", text(loop.condition));
      line("}} while ({}) {{", text(loop.condition));
    }
    nested(loop.body);
    line("}}");
  }

  const Program& program_;
  const Procedure* code_ = nullptr;
  std::string out_;
  std::size_t depth_ = 0;
};

} // namespace

std::string print(const Type& type) {
  if (type.kind == Type::Kind::Array)
    return fmt::format("{}[{}]", print(type.parts[0]), type.length);
  if (type.kind == Type::Kind::Bool) return "bool";
  if (type.is_unbounded()) return "int";
  return fmt::format("int<{}..{}>", number_text(type.lo), number_text(type.hi));
}

std::string print(const Program& program) { return Printer(program).whole(); }
std::string print(const Program& program, const Expr& expr) { return Printer(program).text(expr); }
std::string print(const Program& program, const Place& place) {
  return Printer(program).text(place);
}
std::string print(const Program& program, const LocalPlace& place) {
  return Printer(program).text(place);
}

} // namespace weir::ir
