#include "frontend/litmus/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace weir::frontend::litmus {

using namespace ir;

namespace {

// Addresses are numbers that programs do not compute with by accident.
constexpr Value first_address = Value{1} << 40;
constexpr Value address_step = Value{1} << 12;

/// Words that mean something where Programs are printed.
const std::set<std::string>& taken_words() {
  static const std::set<std::string> words{
      "const",        "shared",     "thread", "bool",   "int",        "main",   "process",
      "procedure",    "forbid",     "final",  "skip",   "call",       "return", "if",
      "else",         "while",      "do",     "goto",   "cas",        "arw",    "break",
      "continue",     "atomic",     "spawn",  "join",   "true",       "false",  "fence",
      "atomic_begin", "atomic_end", "assume", "assert", "store_fence"};
  return words;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// The names of the eight old registers and the eight new ones by width; the 64-bit name comes first.
const std::map<std::string, std::string>& wide_registers() {
  static const std::map<std::string, std::string> names = [] {
    std::map<std::string, std::string> result;
    for (const char* old : {"ax", "bx", "cx", "dx"}) {
      const std::string stem = old;
      for (const std::string& name : {"r" + stem, "e" + stem, stem, stem.substr(0, 1) + "l"})
        result.emplace(upper(name), "r" + stem);
    }
    for (const char* old : {"si", "di", "bp", "sp"}) {
      const std::string stem = old;
      for (const std::string& name : {"r" + stem, "e" + stem, stem, stem + "l"})
        result.emplace(upper(name), "r" + stem);
    }
    for (const char* special : {"rip", "cs"}) result.emplace(upper(special), special);
    result.emplace("EIP", "rip");
    for (int n = 8; n < 16; ++n)
      for (const char* width : {"", "d", "w", "b"})
        result.emplace(upper(fmt::format("r{}{}", n, width)), fmt::format("r{}", n));
    return result;
  }();
  return names;
}

} // namespace

std::string Context::unique_name(const std::string& wish) {
  std::string name;
  for (const char c : wish) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "_" + name;
  if (taken_words().count(name) > 0) name += "_";
  std::string result = name;
  for (unsigned n = 2; !names_.insert(result).second; ++n) result = fmt::format("{}_{}", name, n);
  return result;
}

std::optional<SharedId> Context::find_location(const std::string& name) const {
  const auto found = locations_.find(name);
  if (found == locations_.end()) return std::nullopt;
  return found->second;
}

SharedId Context::location(const std::string& name) {
  if (const auto known = find_location(name)) return *known;
  const SharedId id{static_cast<std::uint32_t>(program.shared.size())};
  program.shared.push_back({unique_name(name), Type::integer(), {Initial{0}}, {}});
  location_names_.push_back(name);
  locations_.emplace(name, id);
  return id;
}

Place Context::place(const Target& target) const {
  if (program[target.variable].type.is_scalar()) return {target.variable, {}};
  return {target.variable, {Expr::constant(target.element)}};
}

Value Context::address(const Target& target) {
  return first_address + address_step * Value{target.variable.value} + Value{target.element};
}

std::map<Value, std::string> Context::addresses() const {
  std::map<Value, std::string> result;
  for (const Target& target : exposed_)
    result.emplace(address(target),
                   program[target.variable].type.is_scalar()
                       ? location_name(target.variable)
                       : fmt::format("{}[{}]", location_name(target.variable), target.element));
  return result;
}

void Context::expose(SharedId id) {
  if (std::any_of(exposed_.begin(), exposed_.end(),
                  [&](const Target& t) { return t.variable == id; }))
    return;
  for (std::uint32_t i = 0; i < program[id].type.cells(); ++i) exposed_.push_back({id, i});
}

std::optional<std::string> Context::register_named(const std::string& spelling) const {
  static const std::set<std::string> old{"EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "EBP", "ESP"};
  switch (architecture) {
  case Architecture::X86: {
    const std::string name = upper(spelling);
    if (old.count(name) > 0) return name;
    // Seen in X86 files too; the same register.
    const auto wide = wide_registers().find(name);
    if (wide == wide_registers().end()) return std::nullopt;
    const std::string narrow = upper(wide->second);
    if (narrow == "CS") return narrow;
    return std::isdigit(static_cast<unsigned char>(narrow[1])) != 0 ? narrow
                                                                    : "E" + narrow.substr(1);
  }
  case Architecture::X86_64: {
    const auto found = wide_registers().find(upper(spelling));
    if (found == wide_registers().end()) return std::nullopt;
    return found->second;
  }
  case Architecture::C: return spelling;
  }
  return std::nullopt;
}

std::optional<LocalId> Context::find_register(std::size_t thread, const std::string& name) const {
  const auto found = registers_.find({thread, name});
  if (found == registers_.end()) return std::nullopt;
  return found->second;
}

LocalId Context::reg(std::size_t thread, const std::string& name) {
  if (const auto known = find_register(thread, name)) return *known;
  const LocalId id{static_cast<std::uint32_t>(program.locals.size())};
  // A span, so that it counts as one of the user's.
  program.locals.push_back({unique_name(name),
                            Type::integer(),
                            ProcedureId{static_cast<std::uint32_t>(thread)},
                            {Initial{initial(thread, name).value_or(0)}},
                            name.starts_with("flags.") ? SourceSpan{} : SourceSpan{0, 1}});
  registers_.emplace(std::pair{thread, name}, id);
  return id;
}

void Context::set_initial(std::size_t thread, const std::string& name, Value value) {
  initial_[{thread, name}] = value;
}

std::optional<Value> Context::initial(std::size_t thread, const std::string& name) const {
  const auto found = initial_.find({thread, name});
  if (found == initial_.end()) return std::nullopt;
  return found->second;
}

ProcedureId Context::add_thread(SourceSpan span) {
  const ProcedureId id{static_cast<std::uint32_t>(program.procedures.size())};
  program.procedures.push_back(
      {Procedure::Kind::Process, unique_name(fmt::format("P{}", id.value)), {}, {}, {}, span});
  program.threads.push_back({id, {}});
  return id;
}

void Emitter::begin_statement(SourceSpan span, SourceSpan whole, bool is_alone) {
  statement_ = StatementId{static_cast<std::uint32_t>(context_.program.statements.size())};
  context_.program.statements.push_back({span, whole, is_alone});
  used_ = 0;
}

void Emitter::emit(Action action, SourceSpan span, std::vector<LabelId> labels) {
  out_->push_back({std::move(action), span, std::move(labels), statement_});
}

Block Emitter::collect(const std::function<void()>& make) {
  Block result;
  Block* const outer = std::exchange(out_, &result);
  make();
  out_ = outer;
  return result;
}

LocalId Emitter::temporary() {
  if (used_ == temporaries_.size()) {
    const LocalId id{static_cast<std::uint32_t>(context_.program.locals.size())};
    context_.program.locals.push_back(
        {context_.unique_name("t"), Type::integer(), code_, {Initial{0}}, {}});
    temporaries_.push_back(id);
  }
  return temporaries_[used_++];
}

Expr Emitter::read(LocalId local, SourceSpan span) const {
  return Expr::of_local(local, Type::integer(), span);
}

Expr Emitter::load(const Place& from, SourceSpan span) {
  const LocalId into = temporary();
  emit(Load{{into, {}}, from}, span);
  return read(into, span);
}

void Emitter::store(const Place& to, Expr value, SourceSpan span) {
  emit(Store{to, std::move(value)}, span);
}

void Emitter::assign(LocalId to, Expr value, SourceSpan span) {
  emit(Assign{{to, {}}, std::move(value)}, span);
}

void Emitter::locked(SourceSpan span, const std::function<void()>& steps) {
  emit(AtomicBegin{}, span);
  steps();
  emit(AtomicEnd{}, span);
}

void Emitter::at_address(const Expr& address, SourceSpan span,
                         const std::function<void(const Place&)>& act) {
  const auto& targets = context_.exposed();
  if (address.is_constant()) {
    for (const Target& target : targets)
      if (Context::address(target) == address.value) return act(context_.place(target));
    context_.diagnostics.error(span, "this is not the address of a location");
    return;
  }
  const std::size_t used = used_; // only one of the ways is taken
  Block otherwise = collect([&] { emit(Assert{Expr::boolean(false, span)}, span); });
  for (std::size_t i = targets.size(); i-- > 0;) {
    used_ = used;
    Block hit = collect([&] { act(context_.place(targets[i])); });
    Expr test = Expr::binary(Op::Eq, address, Expr::constant(Context::address(targets[i])), span);
    Block whole = collect([&] {
      emit(If{std::move(test), std::move(hit), std::move(otherwise)}, span);
    });
    otherwise = std::move(whole);
  }
  for (Stmt& stmt : otherwise) out_->push_back(std::move(stmt));
}

} // namespace weir::frontend::litmus
