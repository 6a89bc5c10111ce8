#include "ir/validate.h"

#include "base/invariant.h"
#include "base/match.h"
#include "ir/print.h"

#include <fmt/format.h>

#include <set>

namespace weir::ir {
namespace {

struct Flaw {
  std::string text;
};

class Validator {
public:
  explicit Validator(const Program& program) : program_(program) {}

  void run() {
    for (const Shared& s : program_.shared) variable(s.name, s.type, s.initial);
    for (const Local& l : program_.locals) {
      variable(l.name, l.type, l.initial);
      if (l.owner) {
        need(l.owner->value < program_.procedures.size(), "a local's owner should exist");
        for (const Initial& i : l.initial)
          need(i.has_value(), "a procedure's local should start at a known value");
      }
    }
    std::size_t mains = 0;
    for (std::uint32_t i = 0; i < program_.procedures.size(); ++i) procedure(ProcedureId{i}, mains);
    need(mains <= 1, "there should be one main at most");
    for (const InitialThread& t : program_.threads) {
      const Procedure& code = process(t.process);
      need(t.arguments.size() == code.parameters.size(), "a thread should get all arguments");
      for (std::size_t i = 0; i < t.arguments.size(); ++i)
        need(program_[code.parameters[i]].type.contains(t.arguments[i]),
             "an argument should fit its parameter");
    }
    for (const Forbid& f : program_.forbids)
      for (const Whereabouts& w : f.places) {
        thread(w.thread);
        need(w.label.value < program_[w.thread.process].labels.size(),
             "a forbidden label should exist");
      }
    for (const Final& f : program_.finals) {
      in_final_ = true;
      expression(f.condition, true);
    }
  }

private:
  static void need(bool holds, std::string_view what) {
    if (!holds) throw Flaw{std::string(what)};
  }

  void variable(const std::string& name, const Type& type, const std::vector<Initial>& initial) {
    need(!name.empty(), "a variable should have a name");
    need(initial.size() == type.cells(), "each cell should have an initial value");
    for (const Initial& value : initial)
      need(!value || type.scalar().contains(*value), "an initial value should fit its type");
  }

  const Procedure& process(ProcedureId id) {
    need(id.value < program_.procedures.size(), "a process should exist");
    need(program_[id].kind != Procedure::Kind::Procedure, "a thread should run a process");
    return program_[id];
  }

  void thread(const ThreadName& name) {
    const Procedure& code = process(name.process);
    need(name.arguments.empty() || name.arguments.size() == code.parameters.size(),
         "a thread's name should have all arguments or none");
  }

  void procedure(ProcedureId id, std::size_t& mains) {
    current_ = id;
    in_final_ = false;
    const Procedure& code = program_[id];
    if (code.kind == Procedure::Kind::Main) {
      ++mains;
      need(code.parameters.empty(), "main should have no parameters");
    }
    for (const LocalId p : code.parameters) {
      need(p.value < program_.locals.size() && program_[p].owner == id,
           "a parameter should be a local of its procedure");
      need(program_[p].type.is_scalar(), "a parameter should be a scalar");
    }
    std::set<std::uint32_t> defined;
    for_each_statement(code.body, [&](const Stmt& stmt) {
      for (const LabelId label : stmt.labels) {
        need(label.value < code.labels.size(), "a label should exist");
        need(defined.insert(label.value).second, "a label should stand in one place");
      }
    });
    need(defined.size() == code.labels.size(), "each label should stand somewhere");
    for_each_statement(code.body, [&](const Stmt& stmt) { statement(stmt); });
  }

  const Type& select(const Type& type, const std::vector<Expr>& path) {
    const Type* at = &type;
    for (const Expr& index : path) {
      need(at->kind == Type::Kind::Array, "only an array should be indexed");
      expression(index, false);
      at = &at->parts[0];
    }
    need(at->is_scalar(), "a place should be a scalar");
    return *at;
  }

  const Type& local(LocalId id, const std::vector<Expr>& path) {
    need(id.value < program_.locals.size(), "a local should exist");
    const Local& variable = program_[id];
    need(in_final_ || !variable.owner || *variable.owner == current_,
         "a local should be used in its own procedure");
    return select(variable.type, path);
  }

  const Type& place(const Place& p) {
    need(p.variable.value < program_.shared.size(), "a shared variable should exist");
    return select(program_[p.variable].type, p.path);
  }
  const Type& place(const LocalPlace& p) { return local(p.variable, p.path); }

  void expression(const Expr& e, bool is_bool) {
    need(e.is_bool == is_bool, fmt::format("'{}' should be of the other type", print(program_, e)));
    const auto operands = [&](std::size_t count) {
      need(e.args.size() == count, "an operator should have its operands");
    };
    const auto is_bool_type = [](const Type& t) { return t.kind == Type::Kind::Bool; };
    switch (e.op) {
    case Op::Const:
      return need(!is_bool || e.value == 0 || e.value == 1, "a truth value is 0 or 1");
    case Op::Any: throw Flaw{"'*' should be a whole condition"};
    case Op::Local:
      need(!in_final_, "a final condition should name the thread of a local");
      return need(is_bool_type(local(e.local, e.args)) == is_bool, "a local should have its type");
    case Op::Shared:
      need(in_final_, "only final conditions should read shared memory in an expression");
      need(e.shared.value < program_.shared.size(), "a shared variable should exist");
      return need(is_bool_type(select(program_[e.shared].type, e.args)) == is_bool,
                  "a shared variable should have its type");
    case Op::OfThread:
      need(in_final_ && e.thread, "only final conditions should read another thread's variables");
      thread(*e.thread);
      need(e.local.value < program_.locals.size(), "a local should exist");
      need(!program_[e.local].owner || *program_[e.local].owner == e.thread->process,
           "a thread's variable should be one of its own");
      return need(is_bool_type(local(e.local, e.args)) == is_bool, "a local should have its type");
    case Op::Not: operands(1); return expression(e.args[0], true);
    case Op::Neg: operands(1); return expression(e.args[0], false);
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::Add:
    case Op::Sub:
    case Op::Shl:
    case Op::Shr:
    case Op::BitAnd:
    case Op::BitXor:
    case Op::BitOr:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
      operands(2);
      expression(e.args[0], false);
      return expression(e.args[1], false);
    case Op::Eq:
    case Op::Ne:
      operands(2);
      expression(e.args[0], e.args[0].is_bool);
      return expression(e.args[1], e.args[0].is_bool);
    case Op::And:
    case Op::Or:
      operands(2);
      expression(e.args[0], true);
      return expression(e.args[1], true);
    }
  }

  void value_for(const Type& type, const Expr& e) { expression(e, type.kind == Type::Kind::Bool); }

  void condition(const Expr& e) {
    if (e.op != Op::Any) expression(e, true);
  }

  void arguments(const Procedure& code, const std::vector<Expr>& values) {
    need(values.size() == code.parameters.size(), "a call should give all arguments");
    for (std::size_t i = 0; i < values.size(); ++i)
      value_for(program_[code.parameters[i]].type, values[i]);
  }

  void statement(const Stmt& stmt) {
    match(
        stmt.action, [](const Skip&) {}, [&](const Assume& s) { expression(s.condition, true); },
        [&](const Assert& s) { expression(s.condition, true); },
        [&](const Assign& s) { value_for(place(s.to), s.value); },
        [&](const Havoc& s) { place(s.to); },
        [&](const Load& s) {
          need(place(s.into).kind == place(s.from).kind, "a load should keep the type");
        },
        [&](const Store& s) { value_for(place(s.to), s.value); },
        [&](const Cas& s) {
          if (s.into)
            need(place(*s.into).kind == Type::Kind::Bool, "cas should give a truth value");
          value_for(place(s.at), s.expected);
          value_for(place(s.at), s.desired);
        },
        [&](const Arw& s) {
          value_for(place(s.at), s.expected);
          value_for(place(s.at), s.desired);
        },
        [](const Fence&) {}, [](const StoreFence&) {}, [](const AtomicBegin&) {},
        [](const AtomicEnd&) {},
        [&](const Spawn& s) {
          if (s.into) need(place(*s.into).kind == Type::Kind::Int, "spawn should give a number");
          arguments(process(s.process), s.arguments);
        },
        [&](const Join& s) { expression(s.thread, false); },
        [&](const Call& s) {
          need(s.procedure.value < program_.procedures.size() &&
                   program_[s.procedure].kind == Procedure::Kind::Procedure,
               "a call should name a procedure");
          arguments(program_[s.procedure], s.arguments);
        },
        [](const Return&) {},
        [&](const Goto& s) {
          need(s.target.value < program_[current_].labels.size(), "a goto should name a label");
        },
        [&](const If& s) { condition(s.condition); },
        [&](const Loop& s) { condition(s.condition); });
  }

  const Program& program_;
  ProcedureId current_;
  bool in_final_ = false;
};

} // namespace

std::optional<std::string> find_flaw(const Program& program) {
  try {
    Validator(program).run();
    return std::nullopt;
  } catch (const Flaw& flaw) { return flaw.text; }
}

Program validated(Program program) {
  const auto flaw = find_flaw(program);
  invariant(!flaw, flaw.value_or(""));
  return program;
}

} // namespace weir::ir
