#include "frontend/litmus/x86.h"

#include "X86Lexer.h"
#include "X86Parser.h"
#include "frontend/antlr/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <set>

namespace weir::frontend::litmus {

using namespace ir;

namespace {

using Grammar = weir_antlr::X86Parser;
using Syntax = antlr::Syntax<weir_antlr::X86Lexer, Grammar>;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// One thread's column.
class Column {
public:
  Column(Context& context, Syntax& syntax, std::size_t thread, ProcedureId code)
      : context_(context), syntax_(syntax), thread_(thread), code_(code), out_(context, code) {}

  /// Registers that no instruction of the thread writes keep their initial values, and labels are
  /// known before jumps mention them.
  void look_at(Grammar::CellContext* cell) {
    for (auto* label : cell->label()) {
      const std::string name = label->NAME()->getText();
      auto& names = context_.program.procedures[code_.value].labels;
      if (!labels_.emplace(name, LabelId{static_cast<std::uint32_t>(names.size())}).second)
        error(label, fmt::format("label '{}' is defined twice", name));
      else
        names.push_back(name);
    }
    if (auto* instruction = cell->instruction())
      for (auto* operand : instruction->operand()) {
        if (auto* address = dynamic_cast<Grammar::AddressOfContext*>(operand))
          context_.expose(context_.location(address->NAME()->getText()));
        if (auto* reg = dynamic_cast<Grammar::RegisterContext*>(operand))
          if (const auto name = context_.register_named(reg->NAME()->getText()))
            if (may_write(instruction, operand)) written_.insert(*name);
      }
    if (auto* instruction = cell->instruction(); instruction && mnemonic(instruction) == "cmpxchg")
      written_.insert(accumulator());
  }

  void add(Grammar::CellContext* cell) {
    for (auto* label : cell->label()) pending_.push_back(labels_.at(label->NAME()->getText()));
    auto* instruction = cell->instruction();
    if (!instruction) return;
    const SourceSpan whole = syntax_.span(cell);
    span_ = syntax_.span(instruction);
    out_.begin_statement(span_, whole, false);
    Block steps = out_.collect([&] { act(instruction); });
    place_labels(steps);
    for (Stmt& stmt : steps) body_.push_back(std::move(stmt));
  }

  void finish() {
    if (!pending_.empty()) {
      out_.resume_statement(std::nullopt);
      Block steps;
      place_labels(steps);
      for (Stmt& stmt : steps) body_.push_back(std::move(stmt));
    }
    context_.program.procedures[code_.value].body = std::move(body_);
  }

private:
  template <class Where> Diagnostic& error(Where* where, std::string message) {
    return context_.diagnostics.error(syntax_.span(where), std::move(message));
  }

  void place_labels(Block& steps) {
    if (pending_.empty()) return;
    if (steps.empty() || !steps.front().labels.empty())
      steps.insert(steps.begin(), Stmt{Skip{}, span_, {}, out_.statement()});
    steps.front().labels = std::move(pending_);
    pending_.clear();
  }

  bool is_att() const { return context_.architecture == Architecture::X86_64; }
  std::string accumulator() const { return is_att() ? "rax" : "EAX"; }

  /// Without the letter for the width, where there may be one.
  static std::string mnemonic(Grammar::InstructionContext* instruction) {
    static const std::set<std::string> sized{
        "mov", "add", "sub",  "and",     "or",   "xor", "cmp", "inc", "dec",    "xchg", "xadd",
        "not", "neg", "test", "cmpxchg", "uxch", "shl", "sal", "shr", "movnti", "lea"};
    std::string name = lower(instruction->mnemonic->getText());
    if (name == "movntil" || name == "movntiq") return "movnti";
    if (sized.count(name) == 0 && name.size() > 1 &&
        std::string("bwlqt").find(name.back()) != std::string::npos) {
      const std::string stem = name.substr(0, name.size() - 1);
      if (sized.count(stem) > 0) return stem;
    }
    return name;
  }

  /// The operands, the one that is written first.
  std::vector<Grammar::OperandContext*> operands(Grammar::InstructionContext* instruction) const {
    auto result = instruction->operand();
    // AT&T: the source comes first. Of those that are symmetric herd7 takes either order.
    if (is_att() && result.size() == 2) {
      const std::string name = mnemonic(instruction);
      const bool is_memory_first = dynamic_cast<Grammar::MemoryContext*>(result[0]) != nullptr;
      if (!((name == "cmpxchg" || name == "xchg" || name == "uxch") && is_memory_first))
        std::swap(result[0], result[1]);
    }
    return result;
  }

  bool may_write(Grammar::InstructionContext* instruction, Grammar::OperandContext* operand) const {
    const std::string name = mnemonic(instruction);
    if (name == "cmp" || name == "test") return false;
    if (name == "xchg" || name == "uxch" || name == "xadd") return true;
    const auto all = operands(instruction);
    return !all.empty() && all[0] == operand;
  }

  Value number(const std::string& text, antlr4::ParserRuleContext* where) {
    const bool negative = text[0] == '-';
    const std::size_t at = negative ? 1 : 0;
    const bool hex = text.size() > at + 1 && (text[at + 1] == 'x' || text[at + 1] == 'X');
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data() + at + (hex ? 2 : 0),
                                                text.data() + text.size(), value, hex ? 16 : 10);
    if (problem != std::errc{} || value > (std::uint64_t{1} << 62))
      error(where, "this number does not fit");
    return negative ? -static_cast<Value>(value) : static_cast<Value>(value);
  }

  Expr constant(Value value) const { return Expr::constant(value, span_); }

  std::optional<LocalId> register_of(Grammar::RegisterContext* operand) {
    const std::string name = operand->NAME()->getText();
    if (const auto known = context_.register_named(name)) return context_.reg(thread_, *known);
    error(operand, fmt::format("'{}' is not a register", name))
        .with_hint(fmt::format("a location is written {}",
                               is_att() ? "(" + name + ")" : "[" + name + "]"));
    return std::nullopt;
  }

  /// Does something to the cell that a memory operand means.
  void at(Grammar::MemoryContext* operand, const std::function<void(const Place&)>& act) {
    auto* base = operand->base();
    const bool has_offset = operand->number() && number(operand->number()->getText(), operand) != 0;
    if (has_offset || base->NUMBER() || (!base->NAME() && !base->LOCK())) {
      error(operand, "an address with an offset is not supported")
          .with_hint("name the location, or a register that holds its address");
      return;
    }
    const std::string name = base->NAME() ? base->NAME()->getText() : base->LOCK()->getText();
    const auto reg = context_.register_named(name);
    if (!reg || (context_.find_location(name) && base->getText()[0] != '%' &&
                 !context_.initial(thread_, *reg))) {
      const SharedId id = context_.location(name);
      if (!context_.program[id].type.is_scalar()) {
        error(operand,
              fmt::format("'{}' is an array: an address with an offset is not supported", name));
        return;
      }
      return act(Place{id, {}});
    }
    const LocalId pointer = context_.reg(thread_, *reg);
    if (auto* index = operand->index()) { // of an array, in elements
      const auto by = context_.register_named(index->NAME()->getText());
      if (!by) {
        error(index, fmt::format("'{}' is not a register", index->NAME()->getText()));
        return;
      }
      out_.at_address(
          Expr::binary(Op::Add, out_.read(pointer), out_.read(context_.reg(thread_, *by)), span_),
          syntax_.span(operand), act);
      return;
    }
    if (written_.count(*reg) == 0)
      return out_.at_address(constant(context_.initial(thread_, *reg).value_or(0)),
                             syntax_.span(operand), act);
    out_.at_address(out_.read(pointer), syntax_.span(operand), act);
  }

  Expr value(Grammar::OperandContext* operand) {
    if (auto* immediate = dynamic_cast<Grammar::ImmediateContext*>(operand))
      return constant(number(immediate->number()->getText(), operand));
    if (auto* address = dynamic_cast<Grammar::AddressOfContext*>(operand)) {
      const SharedId id = context_.location(address->NAME()->getText());
      context_.expose(id);
      return constant(Context::address({id, 0}));
    }
    if (auto* reg = dynamic_cast<Grammar::RegisterContext*>(operand)) {
      const auto local = register_of(reg);
      return local ? out_.read(*local, syntax_.span(operand)) : constant(0);
    }
    const LocalId into = out_.temporary();
    at(dynamic_cast<Grammar::MemoryContext*>(operand), [&](const Place& place) {
      out_.emit(Load{{into, {}}, place}, span_);
    });
    return out_.read(into, syntax_.span(operand));
  }

  void put(Grammar::OperandContext* operand, Expr value) {
    if (auto* reg = dynamic_cast<Grammar::RegisterContext*>(operand)) {
      if (const auto local = register_of(reg)) out_.assign(*local, std::move(value), span_);
    } else if (auto* memory = dynamic_cast<Grammar::MemoryContext*>(operand)) {
      at(memory, [&](const Place& place) { out_.store(place, value, span_); });
    } else {
      error(operand, "a value cannot be written to");
    }
  }

  static bool is_memory(Grammar::OperandContext* operand) {
    return dynamic_cast<Grammar::MemoryContext*>(operand) != nullptr;
  }

  /// A memory operand is read and written back: keeps what was read in a local of its own, because
  /// the value to write is computed from it.
  Expr kept(Expr value) {
    const LocalId copy = out_.temporary();
    out_.assign(copy, std::move(value), span_);
    return out_.read(copy, span_);
  }

  LocalId flag(const char* name) { return context_.reg(thread_, fmt::format("flags.{}", name)); }
  void compare(Expr left, Expr right) {
    out_.assign(flag("left"), std::move(left), span_);
    out_.assign(flag("right"), std::move(right), span_);
  }
  Expr flags(Op op) {
    return Expr::binary(op, out_.read(flag("left"), span_), out_.read(flag("right"), span_), span_);
  }
  /// Less, as numbers without a sign.
  Expr below() {
    const Expr left = out_.read(flag("left"), span_), right = out_.read(flag("right"), span_);
    const auto negative = [&](const Expr& e) {
      return Expr::binary(Op::Lt, e, constant(0), span_);
    };
    return Expr::binary(
        Op::Or,
        Expr::binary(Op::And, Expr::binary(Op::Eq, negative(left), negative(right), span_),
                     Expr::binary(Op::Lt, left, right, span_), span_),
        Expr::binary(Op::And, negative(right), Expr::unary(Op::Not, negative(left)), span_), span_);
  }

  std::optional<Expr> test_of(const std::string& suffix) {
    const auto is = [&](std::initializer_list<const char*> names) {
      return std::find(names.begin(), names.end(), suffix) != names.end();
    };
    const auto sign = [&](Op op) {
      return Expr::binary(op,
                          Expr::binary(Op::Sub, out_.read(flag("left"), span_),
                                       out_.read(flag("right"), span_), span_),
                          constant(0), span_);
    };
    if (is({"e", "z"})) return flags(Op::Eq);
    if (is({"ne", "nz"})) return flags(Op::Ne);
    if (is({"l", "lt", "nge"})) return flags(Op::Lt);
    if (is({"le", "ng"})) return flags(Op::Le);
    if (is({"g", "gt", "nle"})) return flags(Op::Gt);
    if (is({"ge", "nl"})) return flags(Op::Ge);
    if (is({"s"})) return sign(Op::Lt);
    if (is({"ns"})) return sign(Op::Ge);
    if (is({"b", "c", "nae"})) return below();
    if (is({"ae", "nc", "nb"})) return Expr::unary(Op::Not, below());
    return std::nullopt;
  }

  /// An instruction with two operands that computes: the first becomes `op` of both.
  static std::optional<Op> arithmetic(const std::string& name) {
    static const std::map<std::string, Op> ops{
        {"add", Op::Add},    {"sub", Op::Sub}, {"and", Op::BitAnd}, {"or", Op::BitOr},
        {"xor", Op::BitXor}, {"shl", Op::Shl}, {"sal", Op::Shl},    {"shr", Op::Shr}};
    const auto found = ops.find(name);
    if (found == ops.end()) return std::nullopt;
    return found->second;
  }

  bool has_operands(Grammar::InstructionContext* instruction, std::size_t count) {
    if (instruction->operand().size() == count) return true;
    error(instruction,
          fmt::format("'{}' takes {} operand{}, not {}", instruction->mnemonic->getText(), count,
                      count == 1 ? "" : "s", instruction->operand().size()));
    return false;
  }

  void act(Grammar::InstructionContext* instruction) {
    const std::string name = mnemonic(instruction);
    const auto args = operands(instruction);
    const bool is_locked = instruction->LOCK() != nullptr;
    const bool touches_memory = std::any_of(args.begin(), args.end(), is_memory);
    const auto as_locked = [&](bool locked, const std::function<void()>& steps) {
      if (locked && touches_memory)
        out_.locked(span_, steps);
      else
        steps();
    };
    if (std::count_if(args.begin(), args.end(), is_memory) > 1) {
      error(instruction, "only one operand can be in memory");
      return;
    }
    static const std::set<std::string> lockable{"add", "sub", "and", "or",   "xor",  "inc",
                                                "dec", "not", "neg", "xchg", "xadd", "cmpxchg"};
    if (is_locked && (lockable.count(name) == 0 || args.empty() || !touches_memory)) {
      error(instruction, fmt::format("'{}' cannot be locked", instruction->mnemonic->getText()))
          .with_hint("LOCK goes before instructions that read and write memory");
      return;
    }
    if (arithmetic(name)) {
      if (has_operands(instruction, 2))
        as_locked(is_locked, [&] {
          const Expr right = value(args[1]);
          const Expr result = kept(Expr::binary(*arithmetic(name), value(args[0]), right, span_));
          put(args[0], result);
          compare(result, constant(0));
        });
    } else if (name == "inc" || name == "dec" || name == "not" || name == "neg") {
      if (has_operands(instruction, 1))
        as_locked(is_locked, [&] {
          const Expr old = value(args[0]);
          const Expr result = kept(name == "inc"   ? Expr::binary(Op::Add, old, constant(1), span_)
                                   : name == "dec" ? Expr::binary(Op::Sub, old, constant(1), span_)
                                   : name == "not" ? Expr::binary(Op::Sub, constant(-1), old, span_)
                                                   : Expr::unary(Op::Neg, old, span_));
          put(args[0], result);
          if (name != "not") compare(result, constant(0));
        });
    } else if (name == "mov" || name == "movnti") {
      if (has_operands(instruction, 2)) put(args[0], value(args[1]));
    } else if (name == "lea") {
      error(instruction, "'lea' is not supported").with_hint("put the address there: 0:rax=x");
    } else if (name == "cmp" || name == "test") {
      if (has_operands(instruction, 2)) {
        const Expr left = value(args[0]), right = value(args[1]);
        if (name == "cmp")
          compare(left, right);
        else
          compare(Expr::binary(Op::BitAnd, left, right, span_), constant(0));
      }
    } else if (name == "xchg" || name == "uxch") { // xchg locks by itself
      if (has_operands(instruction, 2))
        as_locked(name == "xchg", [&] {
          const Expr first = kept(value(args[0])), second = kept(value(args[1]));
          put(args[0], second);
          put(args[1], first);
        });
    } else if (name == "xadd") {
      if (has_operands(instruction, 2))
        as_locked(is_locked, [&] {
          const Expr old = kept(value(args[0]));
          const Expr sum = kept(Expr::binary(Op::Add, old, value(args[1]), span_));
          put(args[1], old);
          put(args[0], sum);
          compare(sum, constant(0));
        });
    } else if (name == "cmpxchg") {
      if (has_operands(instruction, 2))
        as_locked(is_locked, [&] {
          const LocalId rax = context_.reg(thread_, accumulator());
          const Expr old = kept(value(args[0]));
          compare(out_.read(rax), old);
          Block swap = out_.collect([&] { put(args[0], value(args[1])); });
          Block keep = out_.collect([&] { out_.assign(rax, old, span_); });
          out_.emit(If{flags(Op::Eq), std::move(swap), std::move(keep)}, span_);
        });
    } else if (name == "mfence") {
      if (has_operands(instruction, 0)) out_.emit(Fence{}, span_);
    } else if (name == "sfence") {
      if (has_operands(instruction, 0)) out_.emit(StoreFence{}, span_);
    } else if (name == "lfence" || name == "pause" || name == "nop" || name == "nopl" ||
               name == "nopw" || name == "endbr64" || name == "clflush" || name == "clflushopt") {
      out_.emit(Skip{}, span_);
    } else if (name == "ret" || name == "retq") {
      out_.emit(Return{}, span_);
    } else if (name.size() > 1 && name[0] == 'j') {
      jump(instruction, name);
    } else if (name.starts_with("set") && test_of(name.substr(3))) {
      if (has_operands(instruction, 1))
        choose(args[0], *test_of(name.substr(3)), constant(1), constant(0));
    } else if (name.starts_with("cmov") && test_of(name.substr(4))) {
      if (has_operands(instruction, 2)) {
        const Expr other = value(args[1]); // read in any case
        choose(args[0], *test_of(name.substr(4)), other, std::nullopt);
      }
    } else {
      error(instruction->mnemonic, fmt::format("'{}' is not an instruction that Weir knows",
                                               instruction->mnemonic->getText()));
    }
  }

  void choose(Grammar::OperandContext* into, const Expr& test, const Expr& yes,
              const std::optional<Expr>& no) {
    Block taken = out_.collect([&] { put(into, yes); });
    Block other = out_.collect([&] {
      if (no) put(into, *no);
    });
    out_.emit(If{test, std::move(taken), std::move(other)}, span_);
  }

  void jump(Grammar::InstructionContext* instruction, const std::string& name) {
    if (!has_operands(instruction, 1)) return;
    auto* target = dynamic_cast<Grammar::RegisterContext*>(instruction->operand(0));
    const auto label = target ? labels_.find(target->NAME()->getText()) : labels_.end();
    if (label == labels_.end()) {
      error(instruction->operand(0), fmt::format("there is no label '{}' in this thread",
                                                 instruction->operand(0)->getText()));
      return;
    }
    if (name == "jmp") {
      out_.emit(Goto{label->second}, span_);
    } else if (const auto test = test_of(name.substr(1))) {
      Block taken = out_.collect([&] { out_.emit(Goto{label->second}, span_); });
      out_.emit(If{*test, std::move(taken), {}}, span_);
    } else {
      error(instruction->mnemonic, fmt::format("'{}' is not an instruction that Weir knows", name));
    }
  }

  Context& context_;
  Syntax& syntax_;
  std::size_t thread_;
  ProcedureId code_;
  Emitter out_;
  Block body_;
  std::map<std::string, LabelId> labels_;
  std::vector<LabelId> pending_; ///< of the next instruction
  std::set<std::string> written_;
  SourceSpan span_;
};

} // namespace

void read_x86(const Source& source, SourceSpan span, Context& context) {
  Syntax syntax(source, only(source, span, Comments::Blank));
  const std::size_t mistakes = context.diagnostics.size();
  auto* tree = syntax.parse(&Grammar::program, context.diagnostics);
  if (context.diagnostics.size() > mistakes) return;
  const auto error = [&](auto* where, std::string message) -> Diagnostic& {
    return context.diagnostics.error(syntax.span(where), std::move(message));
  };
  std::deque<Column> columns; // they stay where they are
  for (auto* name : tree->header()->NAME()) {
    if (lower(name->getText()) != fmt::format("p{}", columns.size()))
      error(name->getSymbol(), fmt::format("expected P{} here", columns.size()));
    if (columns.size() == 64) {
      error(name->getSymbol(), "a test may have 64 threads");
      return;
    }
    const ProcedureId code = context.add_thread(syntax.span(name->getSymbol()));
    columns.emplace_back(context, syntax, columns.size(), code);
  }
  for (auto* row : tree->row()) {
    const auto cells = row->cell();
    if (cells.size() == 1 && cells[0]->label().empty() && !cells[0]->instruction()) continue;
    if (cells.size() != columns.size()) {
      error(row, fmt::format("this row has {} column{}, but there are {} threads", cells.size(),
                             cells.size() == 1 ? "" : "s", columns.size()));
      return;
    }
    for (std::size_t t = 0; t < cells.size(); ++t) columns[t].look_at(cells[t]);
  }
  for (auto* row : tree->row()) {
    const auto cells = row->cell();
    if (cells.size() != columns.size()) continue;
    for (std::size_t t = 0; t < cells.size(); ++t) columns[t].add(cells[t]);
  }
  for (Column& column : columns) column.finish();
}

} // namespace weir::frontend::litmus
