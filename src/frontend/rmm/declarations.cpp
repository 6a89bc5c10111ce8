#include "frontend/rmm/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace weir::frontend::rmm {

using namespace ir;

namespace {
constexpr std::size_t most_processes = 64;
} // namespace

Program Builder::build() {
  if (tree_->data()) declare(tree_->data()->location(), globals_);
  for (auto* process : tree_->process()) text(process);
  // Names are given out before the first body: a register must not hide what is seen by all.
  share(globals_, "", global_names_);
  for (std::uint32_t pid = 0; pid < processes_.size(); ++pid) {
    program_.procedures.push_back({Procedure::Kind::Process,
                                   names_.unique(fmt::format("P{}", pid)),
                                   {},
                                   {},
                                   {},
                                   span(texts_[processes_[pid].text].tree->start)});
    program_.threads.push_back({ProcedureId{pid}, {}});
  }
  for (std::size_t pid = 0; pid < processes_.size(); ++pid)
    share(texts_[processes_[pid].text].locations, fmt::format("_{}", pid),
          processes_[pid].locations);
  for (std::size_t pid = 0; pid < processes_.size(); ++pid) body(pid);
  if (processes_.empty())
    error(tree_->process(0)->start, "the program has no process");
  else if (has_all_processes_)
    for (auto* tuple : tree_->tuple()) forbid(tuple);
  return std::move(program_);
}

template <class Declaration>
void Builder::declare(const std::vector<Declaration*>& declarations, std::vector<Declared>& into) {
  for (auto* declaration : declarations) {
    const std::string name = declaration->name->getText();
    for (const Declared& other : into)
      if (other.name == name) error(declaration->name, fmt::format("'{}' is declared twice", name));
    Declared result{name, type(declaration->domain()), std::nullopt, span(declaration)};
    if (auto* value = declaration->initial()->integer()) {
      result.initial = integer(value);
      if (!result.type.contains(*result.initial)) {
        error(value, fmt::format("{} is outside [{}:{}], the domain of '{}'", *result.initial,
                                 result.type.lo, result.type.hi, name));
        result.initial = result.type.lo;
      }
    }
    into.push_back(std::move(result));
  }
}

Type Builder::type(Grammar::DomainContext* context) {
  if (context == nullptr) return Type::integer();
  if (context->all) {
    if (context->all->getText() != "Z")
      error(context->all, fmt::format("'{}' is not a domain", context->all->getText()))
          .with_hint("write a range such as [0:1], or Z for all integers");
    return Type::integer();
  }
  const Value lo = integer(context->low), hi = integer(context->high);
  if (lo <= hi) return Type::range(lo, hi);
  error(context, fmt::format("the domain [{}:{}] is empty", lo, hi));
  return Type::integer();
}

Value Builder::integer(Grammar::IntegerContext* context) {
  const Value value = number(context->NUMBER()->getSymbol());
  return context->minus ? -value : value;
}

Value Builder::number(antlr4::Token* token) {
  const std::string text = token->getText();
  Value value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{}) error(token, "this number does not fit into 64 bits");
  return value;
}

void Builder::text(Grammar::ProcessContext* context) {
  Text result{context, {}, {}, {}, {}};
  const Grammar::SectionContext* data = nullptr;
  const Grammar::SectionContext* registers = nullptr;
  for (auto* section : context->section()) {
    auto& earlier = section->data() ? data : registers;
    if (earlier)
      error(section->start, fmt::format("a process has '{}' once", section->start->getText()));
    earlier = section;
    if (section->data()) declare(section->data()->location(), result.locations);
    if (section->registers()) declare(section->registers()->owned(), result.registers);
  }
  Names names;
  find_labels(context->statements(), result, names);
  const Value count = context->count ? number(context->count) : 1;
  for (Value i = 0; i < count && has_all_processes_; ++i) {
    has_all_processes_ = processes_.size() < most_processes;
    if (has_all_processes_)
      processes_.push_back({texts_.size(), {}});
    else
      error(context->count ? context->count : context->start,
            fmt::format("there are more than {} processes", most_processes));
  }
  texts_.push_back(std::move(result));
}

/// In the order of the text, so that labels have the same numbers when a printed program is read.
void Builder::find_labels(antlr4::tree::ParseTree* tree, Text& text, Names& names) {
  if (auto* statement = dynamic_cast<Grammar::StatementContext*>(tree)) {
    const auto labels = statement->label();
    if (labels.size() > 1)
      error(labels[1], "a statement has one label at most")
          .with_hint("a block can have another one: A: {B: ...}");
    for (auto* label : labels) {
      const std::string name = label->ID()->getText();
      if (text.labels.count(name) > 0) {
        auto& problem = error(label, fmt::format("the label '{}' is defined twice", name));
        if (stretch(syntax_, label).piece)
          problem.with_hint("a macro that is used twice takes its labels as arguments");
        continue;
      }
      text.labels.emplace(name, names.unique(name));
      text.label_order.push_back(name);
    }
  }
  for (auto* child : tree->children) find_labels(child, text, names);
}

void Builder::share(const std::vector<Declared>& declared, const std::string& suffix,
                    std::map<std::string, SharedId>& into) {
  for (const Declared& location : declared) {
    into.emplace(location.name, SharedId{static_cast<std::uint32_t>(program_.shared.size())});
    program_.shared.push_back(
        {names_.unique(location.name + suffix), location.type, {location.initial}, location.span});
  }
}

void Builder::body(std::size_t pid) {
  const Text& text = texts_[processes_[pid].text];
  Procedure& code = program_.procedures[pid];
  pid_ = pid;
  statement_.reset();
  own_names_ = names_;
  registers_.clear();
  temporaries_.clear();
  labels_.clear();
  labelled_block_.reset();

  // A tuple of nothing but `*` forbids the initial state, where the first process is at its start.
  const auto tuples = tree_->tuple();
  std::optional<LabelId> start;
  if (pid == 0 && std::any_of(tuples.begin(), tuples.end(), is_everywhere)) {
    Names names;
    for (const std::string& name : text.label_order) names.unique(text.labels.at(name));
    start = LabelId{0};
    code.labels.push_back(names.unique("start"));
  }
  for (const std::string& name : text.label_order) {
    labels_.emplace(name, LabelId{static_cast<std::uint32_t>(code.labels.size())});
    code.labels.push_back(text.labels.at(name));
  }

  Block result;
  out_ = &result;
  for (const Declared& declared : text.registers) {
    const LocalId id{static_cast<std::uint32_t>(program_.locals.size())};
    std::string name = declared.name.substr(1); // without the $
    if (name[0] >= '0' && name[0] <= '9') name.insert(0, "r");
    const Value value = declared.initial.value_or(declared.type.contains(0) ? 0 : declared.type.lo);
    program_.locals.push_back({own_names_.unique(name),
                               declared.type,
                               ProcedureId{static_cast<std::uint32_t>(pid)},
                               {value},
                               declared.span});
    registers_.emplace(declared.name, id);
    if (!declared.initial) emit(Havoc{LocalPlace{id, {}}}, declared.span);
  }
  statements(text.tree->statements());
  if (start) result.front().labels.insert(result.front().labels.begin(), *start);
  code.body = std::move(result);
}

bool Builder::is_everywhere(Grammar::TupleContext* tuple) {
  const auto entries = tuple->entry();
  return std::all_of(entries.begin(), entries.end(), [](auto* entry) { return entry->any; });
}

void Builder::forbid(Grammar::TupleContext* tuple) {
  const auto entries = tuple->entry();
  if (entries.size() != processes_.size()) {
    error(tuple, fmt::format("this forbids a state of {} process{}, but there {} {}",
                             entries.size(), entries.size() == 1 ? "" : "es",
                             processes_.size() == 1 ? "is" : "are", processes_.size()))
        .with_hint("write a label or * for each process; process(n) counts n times");
    return;
  }
  Forbid result{{}, span(tuple)};
  for (std::uint32_t pid = 0; pid < entries.size(); ++pid) {
    if (entries[pid]->any) continue;
    const std::string name = entries[pid]->ID()->getText();
    const auto& labels = texts_[processes_[pid].text].labels;
    const auto found = labels.find(name);
    if (found == labels.end()) {
      error(entries[pid], fmt::format("process {} has no label '{}'", pid, name))
          .with_hint("processes are numbered from 0, as they stand in the text");
      continue;
    }
    const auto& all = program_.procedures[pid].labels;
    const auto at = std::find(all.begin(), all.end(), found->second);
    result.places.push_back(
        {{ProcedureId{pid}, {}}, {static_cast<std::uint32_t>(at - all.begin())}});
  }
  if (is_everywhere(tuple)) result.places.push_back({{ProcedureId{0}, {}}, {0}});
  program_.forbids.push_back(std::move(result));
}

} // namespace weir::frontend::rmm
