#include "emit/c.h"

#include "base/invariant.h"
#include "base/match.h"
#include "base/source.h"
#include "emit/names.h"
#include "emit/runtime.h"
#include "ir/faults.h"
#include "ir/layout.h"
#include "translate/build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>

namespace weir::emit {

using namespace ir;
using translate::Part;
using translate::Translation;
using translate::Unsupported;

namespace {

constexpr Value int_min = std::numeric_limits<std::int32_t>::min();
constexpr Value int_max = std::numeric_limits<std::int32_t>::max();

struct Refused {
  Unsupported why;
};

/// Plain `int` has 32 bits in C.
Program narrowed(Program program) {
  const auto narrow = [](const auto& self, Type& type) -> void {
    if (type.is_scalar()) {
      if (type.is_unbounded()) type = Type::range(int_min, int_max);
      return;
    }
    self(self, type.parts[0]);
    type.lo = type.parts[0].lo;
    type.hi = type.parts[0].hi;
  };
  for (Shared& s : program.shared) narrow(narrow, s.type);
  for (Local& l : program.locals) narrow(narrow, l.type);
  return program;
}

bool is_int(const Interval& values) { return values.lo >= int_min && values.hi <= int_max; }

int precedence(Op op) {
  switch (op) {
  case Op::Or: return 1;
  case Op::And: return 2;
  case Op::BitOr: return 3;
  case Op::BitXor: return 4;
  case Op::BitAnd: return 5;
  case Op::Eq:
  case Op::Ne: return 6;
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge: return 7;
  case Op::Shl:
  case Op::Shr: return 8;
  case Op::Add:
  case Op::Sub: return 9;
  case Op::Mul:
  case Op::Div:
  case Op::Mod: return 10;
  case Op::Not:
  case Op::Neg: return 11;
  case Op::Const:
  case Op::Any:
  case Op::Local:
  case Op::Shared:
  case Op::OfThread: break;
  }
  return 12;
}

const char* symbol(Op op) {
  switch (op) {
  case Op::Or: return "||";
  case Op::And: return "&&";
  case Op::BitOr: return "|";
  case Op::BitXor: return "^";
  case Op::BitAnd: return "&";
  case Op::Shl: return "<<";
  case Op::Shr: return ">>";
  case Op::Eq: return "==";
  case Op::Ne: return "!=";
  case Op::Lt: return "<";
  case Op::Le: return "<=";
  case Op::Gt: return ">";
  case Op::Ge: return ">=";
  case Op::Add: return "+";
  case Op::Sub: return "-";
  case Op::Mul: return "*";
  case Op::Div: return "/";
  case Op::Mod: return "%";
  case Op::Not: return "!";
  case Op::Neg: return "-";
  default: return "";
  }
}

class Writer {
public:
  Writer(const Translation& translation, const COptions& options)
      : original_(translation.program), program_(narrowed(translation.program)),
        parts_(translation.parts), options_(options), names_(program_) {
    parts_.resize(program_.procedures.size(), Part::Image);
  }

  CProgram run() {
    look_around();
    head();
    variables();
    for (const ProcedureId p : reachable_)
      if (!is_main(p)) line("static {};", signature(p));
    for (const ProcedureId p : reachable_)
      if (parts_[p.value] != Part::Image && !is_main(p)) function(p);
    if (is_threaded_) thread_starts();
    main_function();
    is_mapped_ = true;
    for (const ProcedureId p : reachable_)
      if (parts_[p.value] == Part::Image && !is_main(p)) function(p);
    return {std::move(out_), std::move(bounds_)};
  }

private:
  // ---- what there is ----------------------------------------------------------------------------

  void look_around() {
    for (const InitialThread& thread : program_.threads) reach(thread.process);
    is_threaded_ = program_.threads.size() > 1 || !spawned_.empty();
    if (!program_.finals.empty()) needs_ended_ = true;
    read_.resize(program_.procedures.size());
    for (const ProcedureId p : reachable_) find_reads(p);
    for (const Local& l : original_.locals)
      if (l.type.scalar().is_unbounded()) has_plain_ints_ = true;
    for (const Shared& s : original_.shared)
      if (s.type.scalar().is_unbounded()) has_plain_ints_ = true;
  }

  void reach(ProcedureId id) {
    if (std::find(reachable_.begin(), reachable_.end(), id) != reachable_.end()) return;
    reachable_.push_back(id);
    for_each_statement(program_[id].body, [&](const Stmt& s) {
      if (const auto* call = std::get_if<Call>(&s.action)) reach(call->procedure);
      if (const auto* spawn = std::get_if<Spawn>(&s.action)) {
        if (std::find(spawned_.begin(), spawned_.end(), spawn->process) == spawned_.end())
          spawned_.push_back(spawn->process);
        reach(spawn->process);
      }
      if (std::holds_alternative<Join>(s.action)) needs_ended_ = true;
    });
    std::sort(reachable_.begin(), reachable_.end());
  }

  /// The variables that a function reads: C compilers warn of the others.
  void find_reads(ProcedureId p) {
    std::set<LocalId>& reads = read_[p.value];
    const auto in = [&](const auto& self, const Expr& e) -> void {
      if (e.op == Op::Local) reads.insert(e.local);
      for (const Expr& arg : e.args) self(self, arg);
    };
    const auto all = [&](const std::vector<Expr>& list) {
      for (const Expr& e : list) in(in, e);
    };
    for_each_statement(program_[p].body, [&](const Stmt& s) {
      match(
          s.action, [&](const Assume& a) { in(in, a.condition); },
          [&](const Assert& a) { in(in, a.condition); },
          [&](const Assign& a) {
            in(in, a.value);
            all(a.to.path);
            used_.insert({p, a.to.variable});
          },
          [&](const Havoc& a) {
            all(a.to.path), used_.insert({p, a.to.variable});
          },
          [&](const Load& a) {
            all(a.into.path), all(a.from.path);
            used_.insert({p, a.into.variable});
          },
          [&](const Store& a) { all(a.to.path), in(in, a.value); },
          [&](const Cas& a) {
            all(a.at.path), in(in, a.expected), in(in, a.desired);
            if (a.into) all(a.into->path), used_.insert({p, a.into->variable});
          },
          [&](const Arw& a) { all(a.at.path), in(in, a.expected), in(in, a.desired); },
          [&](const Spawn& a) {
            all(a.arguments);
            if (a.into) all(a.into->path), used_.insert({p, a.into->variable});
          },
          [&](const Join& a) { in(in, a.thread); }, [&](const Call& a) { all(a.arguments); },
          [&](const If& a) { in(in, a.condition); }, [&](const Loop& a) { in(in, a.condition); },
          [](const auto&) {});
    });
    for (const LocalId l : reads) used_.insert({p, l});
  }

  bool is_main(ProcedureId p) const { return !is_threaded_ && program_.threads[0].process == p; }

  bool is_process(ProcedureId p) const { return program_[p].kind != Procedure::Kind::Procedure; }

  /// A thread variable that no procedure uses can be a local of each process that does: cheaper
  /// for all checkers than one copy per thread of a global.
  bool is_global(LocalId l) const {
    if (program_[l].owner) return false;
    if (!is_threaded_) return true;
    return std::any_of(reachable_.begin(), reachable_.end(), [&](ProcedureId p) {
      return !is_process(p) && used_.contains({p, l});
    });
  }

  // ---- text -------------------------------------------------------------------------------------

  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(2 * depth_, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void head() {
    out_ += "/*\n";
    for (const std::string& text : options_.head)
      out_ += text.empty() ? " *\n" : " * " + text + "\n";
    out_ += " */\n\n";
    if (is_threaded_) out_ += "#include <pthread.h>\n\n";
    switch (options_.target) {
    case Target::Cbmc: out_ += runtime_cbmc; break;
    case Target::Esbmc: out_ += runtime_esbmc; break;
    case Target::Svcomp: out_ += runtime_svcomp; break;
    }
    out_ += '\n';
    out_ += runtime_any;
    out_ += '\n';
  }

  static const char* c_type(const Type& scalar) {
    if (scalar.kind == Type::Kind::Bool) return "_Bool";
    if (scalar.lo >= 0 && scalar.hi <= 255) return "unsigned char";
    if (scalar.lo >= -128 && scalar.hi <= 127) return "signed char";
    if (scalar.lo >= -32768 && scalar.hi <= 32767) return "short";
    if (scalar.lo >= int_min && scalar.hi <= int_max) return "int";
    return "long long";
  }

  static std::string dimensions(const Type& type) {
    return type.is_scalar() ? "" : fmt::format("[{}]{}", type.length, dimensions(type.parts[0]));
  }

  static std::string initial_part(const Type& type, const std::vector<Initial>& values,
                                  std::size_t& next) {
    if (type.is_scalar()) return std::to_string(values[next++].value_or(0));
    std::vector<std::string> parts;
    for (std::uint32_t i = 0; i < type.length; ++i)
      parts.push_back(initial_part(type.parts[0], values, next));
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }

  std::string declaration(const std::string& name, const Type& type,
                          const std::vector<Initial>& initial, bool is_static) const {
    const bool is_zero = std::all_of(initial.begin(), initial.end(),
                                     [](const Initial& v) { return v.value_or(0) == 0; });
    std::string result = fmt::format("{} {}{}", c_type(type.scalar()), name, dimensions(type));
    std::size_t next = 0;
    if (!is_zero)
      result += " = " + initial_part(type, initial, next);
    else if (!is_static)
      result += type.is_scalar() ? " = 0" : " = {0}";
    return result;
  }

  void variables() {
    for (std::uint32_t i = 0; i < program_.shared.size(); ++i)
      line("{};", declaration(names_[SharedId{i}], program_.shared[i].type,
                              program_.shared[i].initial, true));
    const char* kind = is_threaded_ ? "_Thread_local " : "";
    for (std::uint32_t i = 0; i < program_.locals.size(); ++i)
      if (is_global(LocalId{i}) && is_used(LocalId{i}))
        line("{}{};", kind,
             declaration(names_[LocalId{i}], program_.locals[i].type, program_.locals[i].initial,
                         true));
    if (needs_ended_ && is_threaded_) {
      ended_ = names_.fresh("ended");
      line("_Bool {}[{}];", ended_, thread_count());
    }
    if (!spawned_.empty()) {
      count_ = names_.fresh("thread_count");
      line("int {} = {};", count_, program_.threads.size());
      bounds_.push_back(fmt::format("at most {} threads", most_threads));
    }
    if (is_threaded_) declare_results();
    if (has_plain_ints_) bounds_.emplace_back("plain int variables within 32 bits");
    out_ += '\n';
  }

  std::size_t thread_count() const {
    return spawned_.empty() ? program_.threads.size() : most_threads;
  }

  bool is_used(LocalId l) const {
    return std::any_of(reachable_.begin(), reachable_.end(), [&](ProcedureId p) {
      return used_.contains({p, l});
    });
  }

  std::string signature(ProcedureId p) const {
    std::vector<std::string> parameters;
    for (const LocalId l : program_[p].parameters)
      parameters.push_back(fmt::format("{} {}", c_type(program_[l].type), names_[l]));
    return fmt::format("void {}({})", names_[p],
                       parameters.empty() ? "void"
                                          : fmt::format("{}", fmt::join(parameters, ", ")));
  }

  void function(ProcedureId p) {
    line("\nstatic {} {{", signature(p));
    ++depth_;
    body(p);
    --depth_;
    line("}}");
  }

  void body(ProcedureId p) {
    const Procedure& code = program_[p];
    here_ = p;
    last_line_ = 0;
    for (std::uint32_t i = 0; i < program_.locals.size(); ++i) {
      const LocalId l{i};
      const Local& local = program_.locals[i];
      const bool is_parameter =
          std::find(code.parameters.begin(), code.parameters.end(), l) != code.parameters.end();
      const bool is_own =
          local.owner == p || (!local.owner && is_process(p) && !is_global(l) && wants(p, l));
      if (!is_own) continue;
      if (!is_parameter) line("{};", declaration(names_[l], local.type, local.initial, false));
      if (!read_[p.value].contains(l)) line("(void){};", names_[l]);
    }
    if (is_process(p)) { // what starts at any value
      for (std::uint32_t i = 0; i < program_.locals.size(); ++i) {
        const Local& local = program_.locals[i];
        if (local.owner || !wants(p, LocalId{i})) continue;
        const auto all = translate::paths(local.type);
        for (std::size_t c = 0; c < all.size(); ++c)
          if (!local.initial[c])
            line("{} = {};", place({LocalId{i}, all[c]}), any(local.type.scalar()));
      }
    }
    find_targets(code);
    block(code.body);
    if (is_process(p)) results(p);
    if (again_.empty()) return;
    line("return{};", is_main(p) ? " 0" : "");
    for (const LabelId label : again_) {
      const std::string target = label_name(code.labels[label.value], label.value);
      out_ += fmt::format("{}:;\n", again(target));
      line("goto {};", target);
    }
  }

  /// Several jumps back to one label become jumps to one that goes back: checkers count each jump
  /// back as a loop of its own, and nested ones multiply.
  void find_targets(const Procedure& code) {
    targets_.clear();
    again_.clear();
    std::set<LabelId> passed;
    std::map<LabelId, int> jumps_back;
    for_each_statement(code.body, [&](const Stmt& s) {
      passed.insert(s.labels.begin(), s.labels.end());
      const auto* jump = std::get_if<Goto>(&s.action);
      if (!jump) return;
      targets_.insert(jump->target);
      if (passed.contains(jump->target) && ++jumps_back[jump->target] == 2)
        again_.insert(jump->target);
    });
  }

  static std::string again(const std::string& label) { return label + "_again"; }

  bool wants(ProcedureId p, LocalId l) const {
    if (used_.contains({p, l})) return true;
    return std::any_of(results_.begin(), results_.end(), [&](const Result& one) {
      return one.thread.process == p && one.local == l;
    });
  }

  // ---- statements -------------------------------------------------------------------------------

  void block(const Block& statements) {
    for (const Stmt& s : statements) statement(s);
  }

  void nested(const Block& statements) {
    ++depth_;
    block(statements);
    --depth_;
  }

  static std::string quoted(const std::string& name) {
    std::string result;
    for (const char c : name)
      result += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return result;
  }

  void map_line(SourceSpan span) {
    if (!is_mapped_ || span.end <= span.begin || !program_.source) return;
    const auto at = program_.source->position(span.begin).line;
    if (at == last_line_) return;
    last_line_ = at;
    out_ += fmt::format("#line {} \"{}\"\n", at, quoted(program_.source->name()));
  }

  void statement(const Stmt& s) {
    for (const LabelId label : s.labels)
      if (targets_.contains(label))
        out_ += fmt::format("{}:;\n", label_name(program_[here_].labels[label.value], label.value));
    map_line(s.span);
    match(
        s.action, [&](const Skip&) {},
        [&](const Assume& a) { line("assume({});", text(a.condition)); },
        [&](const Assert& a) { line("check({}, \"{}\");", text(a.condition), what(s.span)); },
        [&](const Assign& a) { assign(place(a.to), is_plain(a.to), a.value); },
        [&](const Havoc& a) { line("{} = {};", place(a.to), any(type(a.to))); },
        [&](const Load& a) { line("{} = {};", place(a.into), place(a.from)); },
        [&](const Store& a) { assign(place(a.to), is_plain(a.to), a.value); },
        [&](const Cas& a) { compare_and_swap(a); },
        [&](const Arw& a) {
          line("atomic_begin();");
          line("assume({} == {});", place(a.at), text(a.expected, 4));
          line("{} = {};", place(a.at), text(a.desired));
          line("atomic_end();");
        },
        [&](const Fence&) { line("full_fence();"); }, [&](const StoreFence&) { line(";"); },
        [&](const AtomicBegin&) { line("atomic_begin();"); },
        [&](const AtomicEnd&) { line("atomic_end();"); }, [&](const Spawn& a) { spawn(a); },
        [&](const Join& a) {
          const std::string t = text(a.thread, 4);
          const std::string count = spawned_.empty() ? std::to_string(thread_count()) : count_;
          const Interval values = interval(program_, a.thread);
          if (values.lo < 0) line("check({} >= 0, \"there is such a thread\");", t);
          if (values.hi >= static_cast<Value>(program_.threads.size()))
            line("check({} < {}, \"there is such a thread\");", t, count);
          line("assume({}[{}]);", ended_, text(a.thread));
        },
        [&](const Call& a) { call(a); },
        [&](const Return&) {
          if (is_process(here_)) results(here_);
          line("return{};", is_main(here_) ? " 0" : "");
        },
        [&](const Goto& a) {
          const std::string target =
              label_name(program_[here_].labels[a.target.value], a.target.value);
          line("goto {};", again_.contains(a.target) ? again(target) : target);
        },
        [&](const If& a) { branch(a); }, [&](const Loop& a) { loop(a); });
  }

  std::string what(SourceSpan span) const {
    if (!program_.source || span.end <= span.begin) return "no error is reached";
    return fmt::format("line {}", program_.source->position(span.begin).line);
  }

  void branch(const If& a) {
    line("if ({}) {{", condition(a.condition));
    nested(a.yes);
    if (!a.no.empty()) {
      line("}} else {{");
      nested(a.no);
    }
    line("}}");
  }

  void loop(const Loop& a) {
    if (a.before.empty()) {
      line("while ({}) {{", condition(a.condition));
      nested(a.body);
      return line("}}");
    }
    if (a.body.empty()) {
      line("do {{");
      nested(a.before);
      return line("}} while ({});", condition(a.condition));
    }
    line("while (1) {{");
    nested(a.before);
    ++depth_;
    line("if (!({})) break;", condition(a.condition));
    --depth_;
    nested(a.body);
    line("}}");
  }

  void assign(const std::string& to, bool is_plain_int, const Expr& value) {
    if (is_plain_int && !is_int(interval(program_, value))) cut(value);
    line("{} = {};", to, text(value));
  }

  /// A plain int that would leave its 32 bits ends what we follow.
  void cut(const Expr& value) {
    line("assume({} >= {} && {} <= {});", text(value, 4), number(int_min), text(value, 4), int_max);
  }

  static std::string number(Value value) {
    if (value == int_min) return "(-2147483647 - 1)";
    if (value > int_max || value < int_min) return fmt::format("{}LL", value);
    return std::to_string(value);
  }

  void call(const Call& a) {
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < a.arguments.size(); ++i) {
      const LocalId parameter = program_[a.procedure].parameters[i];
      if (original_[parameter].type.is_unbounded() && !is_int(interval(program_, a.arguments[i])))
        cut(a.arguments[i]);
      arguments.push_back(text(a.arguments[i]));
    }
    line("{}({});", names_[a.procedure], fmt::join(arguments, ", "));
  }

  void compare_and_swap(const Cas& a) {
    line("atomic_begin();");
    line("if ({} == {}) {{", place(a.at), text(a.expected, 4));
    ++depth_;
    line("{} = {};", place(a.at), text(a.desired));
    if (a.into) line("{} = 1;", place(*a.into));
    --depth_;
    if (a.into) {
      line("}} else {{");
      ++depth_;
      line("{} = 0;", place(*a.into));
      --depth_;
    }
    line("}}");
    line("atomic_end();");
  }

  // ---- expressions ------------------------------------------------------------------------------

  const Type& type(const LocalPlace& p) const { return program_[p.variable].type.scalar(); }
  const Type& type(const Place& p) const { return program_[p.variable].type.scalar(); }
  bool is_plain(const LocalPlace& p) const {
    return original_[p.variable].type.scalar().is_unbounded();
  }
  bool is_plain(const Place& p) const { return original_[p.variable].type.scalar().is_unbounded(); }

  std::string path(const std::vector<Expr>& indices) const {
    std::string result;
    for (const Expr& e : indices) result += fmt::format("[{}]", text(e));
    return result;
  }
  std::string place(const LocalPlace& p) const { return names_[p.variable] + path(p.path); }
  std::string place(const Place& p) const { return names_[p.variable] + path(p.path); }

  static std::string any(const Type& scalar) {
    if (scalar.lo >= 0 && scalar.hi <= 255)
      return fmt::format("any_uchar({}, {})", scalar.lo, scalar.hi);
    if (scalar.lo < int_min || scalar.hi > int_max)
      throw Refused{{"a choice among more values than an int has", {}}};
    return fmt::format("any_int({}, {})", number(scalar.lo), number(scalar.hi));
  }

  std::string condition(const Expr& e) const {
    return e.op == Op::Any ? "any_uchar(0, 1)" : text(e);
  }

  std::string text(const Expr& e, int context = 0) const {
    const int own = precedence(e.op);
    switch (e.op) {
    case Op::Const:
      return e.value < 0 && context > 0 ? fmt::format("({})", number(e.value)) : number(e.value);
    case Op::Local: return names_[e.local] + path(e.args);
    case Op::Shared: return names_[e.shared] + path(e.args);
    case Op::OfThread: return result(e) + path(e.args);
    case Op::Any: return "any_uchar(0, 1)";
    default: break;
    }
    const Interval values = interval(program_, e);
    if (values.lo < std::numeric_limits<Value>::min() ||
        values.hi > std::numeric_limits<Value>::max())
      throw Refused{{"arithmetic that may go beyond 64 bits: declare smaller ranges", e.span}};
    std::string inner;
    if (e.args.size() == 1) {
      const bool widens =
          e.op == Op::Neg && !is_int(values) && is_int(interval(program_, e.args[0]));
      inner =
          fmt::format("{}{}{}", symbol(e.op), widens ? "(long long)" : "", text(e.args[0], own));
    } else {
      // C computes in int unless an operand is wider.
      const bool widens = !is_int(values) && is_int(interval(program_, e.args[0])) &&
                          is_int(interval(program_, e.args[1]));
      // Compilers want brackets where || and && meet.
      const bool mixes = e.op == Op::Or;
      const auto side = [&](std::size_t i) {
        const auto compares = [](Op op) { return precedence(op) == 6 || precedence(op) == 7; };
        const auto is_bitwise = [](Op op) {
          return (precedence(op) >= 3 && precedence(op) <= 5) || precedence(op) == 8;
        };
        const Op inner_op = e.args[i].op;
        const bool brackets = (mixes && inner_op == Op::And) ||
                              (compares(e.op) && compares(inner_op)) ||
                              (inner_op != e.op && (is_bitwise(e.op) || is_bitwise(inner_op)) &&
                               precedence(inner_op) < 11);
        const int needed = brackets ? 13 : own + (i == 1 ? 1 : 0);
        return text(e.args[i], needed);
      };
      inner = fmt::format("{}{} {} {}", widens ? "(long long)" : "",
                          widens ? text(e.args[0], 11) : side(0), symbol(e.op), side(1));
    }
    return context > own ? "(" + inner + ")" : inner;
  }

  // ---- threads ----------------------------------------------------------------------------------

  void spawn(const Spawn& a) {
    const std::string n = names_.fresh("n");
    line("{{");
    ++depth_;
    line("int {} = {};", n,
         count_); // only here is it changed, and no section is needed: see README
    line("assume({} < {});", n, most_threads);
    line("{} = {} + 1;", count_, n);
    for (std::size_t i = 0; i < a.arguments.size(); ++i)
      line("{}_arguments[{}].{} = {};", names_[a.process], n,
           names_[program_[a.process].parameters[i]], text(a.arguments[i]));
    line("{}_arguments[{}].{} = {};", names_[a.process], n, number_, n);
    const std::string id = names_.fresh("id");
    line("pthread_t {};", id);
    line("pthread_create(&{}, 0, start_{}, &{}_arguments[{}]);", id, names_[a.process],
         names_[a.process], n);
    if (a.into) {
      const Type& to = type(*a.into);
      if (to.hi < most_threads) line("check({} <= {}, \"the thread's number fits\");", n, to.hi);
      line("{} = {};", place(*a.into), n);
    }
    --depth_;
    line("}}");
  }

  void thread_starts() {
    for (std::size_t t = 1; t < program_.threads.size(); ++t) {
      line("\nstatic void *thread_{}(void *unused) {{", t);
      ++depth_;
      line("(void)unused;");
      start(program_.threads[t], t);
      line("return 0;");
      --depth_;
      line("}}");
    }
    for (const ProcedureId p : spawned_) {
      std::string fields = fmt::format("int {};", number_);
      for (const LocalId l : program_[p].parameters)
        fields += fmt::format(" {} {};", c_type(program_[l].type), names_[l]);
      line("\nstruct {}_start {{ {} }};", names_[p], fields);
      line("static struct {}_start {}_arguments[{}];", names_[p], names_[p], most_threads);
      line("static void *start_{}(void *argument) {{", names_[p]);
      ++depth_;
      line("struct {}_start *with = argument;", names_[p]);
      line("(void)with;");
      std::vector<std::string> arguments;
      for (const LocalId l : program_[p].parameters)
        arguments.push_back(fmt::format("with->{}", names_[l]));
      line("{}({});", names_[p], fmt::join(arguments, ", "));
      if (needs_ended_) line("{}[with->{}] = 1;", ended_, number_);
      line("return 0;");
      --depth_;
      line("}}");
    }
  }

  void start(const InitialThread& thread, std::size_t number) {
    line("{}({});", names_[thread.process], fmt::join(thread.arguments, ", "));
    if (needs_ended_) line("{}[{}] = 1;", ended_, number);
  }

  void main_function() {
    line("\nint main(void) {{");
    ++depth_;
    for (std::uint32_t i = 0; i < program_.shared.size(); ++i) {
      const Shared& variable = program_.shared[i];
      const auto all = translate::paths(variable.type);
      for (std::size_t c = 0; c < all.size(); ++c)
        if (!variable.initial[c])
          line("{} = {};", place(Place{SharedId{i}, all[c]}), any(variable.type.scalar()));
    }
    if (!is_threaded_) {
      body(program_.threads[0].process);
    } else {
      for (std::size_t t = 1; t < program_.threads.size(); ++t) {
        line("pthread_t id_{};", t);
        line("pthread_create(&id_{}, 0, thread_{}, 0);", t, t);
      }
      start(program_.threads[0], 0);       // main is the first thread: one switch less
      if (options_.target != Target::Cbmc) // there the end of main ends all
        for (std::size_t t = 1; t < program_.threads.size(); ++t)
          line("pthread_join(id_{}, 0);", t);
      finals();
    }
    line("return 0;");
    --depth_;
    line("}}");
  }

  // ---- final conditions of threads --------------------------------------------------------------

  struct Result {
    ThreadName thread;
    LocalId local;
    std::string name;
  };

  void declare_results() {
    const auto find = [&](const auto& self, const Expr& e) -> void {
      if (e.op == Op::OfThread) {
        const bool known = std::any_of(results_.begin(), results_.end(), [&](const Result& one) {
          return one.thread == *e.thread && one.local == e.local;
        });
        if (!known) {
          check_unique(*e.thread, e.span);
          const Local& local = program_[e.local];
          std::string name =
              names_.fresh(fmt::format("final_{}_{}", names_[e.thread->process], names_[e.local]));
          line("{};", declaration(name, local.type, local.initial, true));
          results_.push_back({*e.thread, e.local, std::move(name)});
        }
      }
      for (const Expr& arg : e.args) self(self, arg);
    };
    for (const Final& f : program_.finals) find(find, f.condition);
  }

  /// The name must mean one thread, whoever comes first.
  void check_unique(const ThreadName& name, SourceSpan span) const {
    std::size_t meant = 0;
    for (const InitialThread& t : program_.threads)
      meant +=
          t.process == name.process && (name.arguments.empty() || t.arguments == name.arguments);
    for (const ProcedureId p : reachable_)
      for_each_statement(program_[p].body, [&](const Stmt& s) {
        const auto* spawn = std::get_if<Spawn>(&s.action);
        if (!spawn || spawn->process != name.process) return;
        bool other = false;
        for (std::size_t i = 0; i < name.arguments.size(); ++i)
          other = other || (spawn->arguments[i].is_constant() &&
                            spawn->arguments[i].value != name.arguments[i]);
        meant += !other;
      });
    if (meant > 1)
      throw Refused{{"a final condition of a thread that may be one of several: not for C with "
                     "threads",
                     span}};
  }

  /// At the end of a process: what final conditions ask of it.
  void results(ProcedureId p) {
    for (const Result& one : results_) {
      if (one.thread.process != p) continue;
      std::string test;
      for (std::size_t i = 0; i < one.thread.arguments.size(); ++i)
        test += fmt::format("{}{} == {}", i ? " && " : "", names_[program_[p].parameters[i]],
                            one.thread.arguments[i]);
      if (!test.empty()) line("if ({}) {{", test);
      depth_ += !test.empty();
      for (const auto& way : translate::paths(program_[one.local].type))
        line("{}{} = {};", one.name, path(way), place(LocalPlace{one.local, way}));
      depth_ -= !test.empty();
      if (!test.empty()) line("}}");
    }
  }

  std::string result(const Expr& e) const {
    for (const Result& one : results_)
      if (one.thread == *e.thread && one.local == e.local) return one.name;
    invariant(false, "a final condition's variable should be known");
    return {};
  }

  void finals() {
    if (program_.finals.empty()) return;
    for (std::size_t t = 0; t < thread_count(); ++t) {
      if (t < program_.threads.size())
        line("assume({}[{}]);", ended_, t);
      else
        line("assume({} <= {} || {}[{}]);", count_, t, ended_, t);
    }
    for (const Final& f : program_.finals) {
      if (const auto fine = is_fine(program_, f.condition))
        line("check({}, \"the final condition makes sense\");", text(*fine));
      line("check({}, \"{}\");", text(f.condition), what(f.span));
    }
  }

  const Program& original_;
  Program program_; ///< with narrowed types
  std::vector<Part> parts_;
  const COptions& options_;
  Names names_;
  std::vector<ProcedureId> reachable_, spawned_;
  std::vector<std::set<LocalId>> read_; ///< by ProcedureId
  std::set<std::pair<ProcedureId, LocalId>> used_;
  std::vector<Result> results_;
  std::set<LabelId> targets_; ///< labels of the function that something jumps to
  std::set<LabelId> again_;   ///< those that several jump back to
  std::vector<std::string> bounds_;
  std::string out_, ended_, count_;
  std::string number_ = names_.fresh("number"); ///< field of a started thread
  ProcedureId here_;
  std::size_t depth_ = 0, last_line_ = 0;
  bool is_threaded_ = false, needs_ended_ = false, has_plain_ints_ = false, is_mapped_ = false;
};

} // namespace

std::variant<CProgram, Unsupported> emit_c(const Translation& translation,
                                           const COptions& options) {
  try {
    return Writer(translation, options).run();
  } catch (const Refused& refused) { return refused.why; }
}

} // namespace weir::emit
