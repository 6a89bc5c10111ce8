#include "frontend/litmus/header.h"

#include "LitmusLexer.h"
#include "LitmusParser.h"
#include "frontend/antlr/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace weir::frontend::litmus {

using namespace ir;

namespace {

using Grammar = weir_antlr::LitmusParser;
using Syntax = antlr::Syntax<weir_antlr::LitmusLexer, Grammar>;

/// What reading a part of the file needs.
class Reader {
public:
  Reader(const Source& source, SourceSpan span, Context& context)
      : context_(context), syntax_(source, only(source, span, Comments::Blank)) {}

protected:
  template <class Where> Diagnostic& error(Where* where, std::string message) {
    return context_.diagnostics.error(syntax_.span(where), std::move(message));
  }

  Value number(antlr4::tree::TerminalNode* node) {
    std::string text = node->getText();
    const bool negative = text[0] == '-';
    if (negative) text.erase(0, 1);
    const bool hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
    std::uint64_t value = 0;
    const char* const begin = text.data() + (hex ? 2 : 0);
    const auto [end, problem] =
        std::from_chars(begin, text.data() + text.size(), value, hex ? 16 : 10);
    if (problem != std::errc{} || value > (std::uint64_t{1} << 62)) {
      error(node->getSymbol(), "this number does not fit");
      return 0;
    }
    return negative ? -static_cast<Value>(value) : static_cast<Value>(value);
  }

  /// `0:EAX` or `P0:EAX`: the number of the thread.
  std::optional<std::size_t> thread(antlr4::Token* token) {
    std::string text = token->getText();
    if (text[0] == 'P' || text[0] == 'p') text.erase(0, 1);
    std::size_t result = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (problem == std::errc{} && end == text.data() + text.size() && result < 64) return result;
    error(token, fmt::format("'{}' names no thread", token->getText()))
        .with_hint("threads are 0, 1, ...: 0:EAX or P0:EAX");
    return std::nullopt;
  }

  std::optional<std::string> register_name(antlr4::Token* token) {
    const auto name = context_.register_named(token->getText());
    if (!name) error(token, fmt::format("'{}' is not a register", token->getText()));
    return name;
  }

  Context& context_;
  Syntax syntax_;
};

class InitialState : Reader {
public:
  using Reader::Reader;

  void read() {
    const std::size_t mistakes = context_.diagnostics.size();
    auto* tree = syntax_.parse(&Grammar::initialState, context_.diagnostics);
    if (context_.diagnostics.size() > mistakes) return;
    // Locations first: a value may be the address of one that comes later.
    for (auto* item : tree->initialItem()) declare(item);
    for (auto* item : tree->initialItem()) set(item);
  }

private:
  void declare(Grammar::InitialItemContext* item) {
    auto* location = dynamic_cast<Grammar::LocationContext*>(item->place());
    if (!location) return;
    const std::string name = location->name->getText();
    if (context_.find_location(name)) {
      error(location, fmt::format("'{}' is given twice", name));
      return;
    }
    const SharedId id = context_.location(name);
    Shared& shared = context_.program.shared[id.value];
    shared.span = syntax_.span(location);
    if (!item->NUMBER()) return;
    const Value length = number(item->NUMBER());
    if (length < 1 || length > 4096) {
      error(item, "an array has 1 to 4096 elements");
      return;
    }
    shared.type = Type::array(Type::integer(), static_cast<std::uint32_t>(length));
    shared.initial.assign(static_cast<std::size_t>(length), Initial{0});
  }

  std::optional<Value> value(Grammar::InitialValueContext* given) {
    if (given->NAME() && !given->getTokens(Grammar::NAME).empty() && given->NUMBER() &&
        given->getText().find('(') != std::string::npos)
      return number(given->NUMBER()); // ATOMIC_INIT(1)
    if (given->NAME()) {
      const SharedId id = context_.location(given->NAME()->getText());
      context_.expose(id);
      Value element = given->NUMBER() ? number(given->NUMBER()) : 0;
      const auto cells = static_cast<Value>(context_.program[id].type.cells());
      if (element < 0 || element >= cells) {
        error(given, "there is no such element");
        element = 0;
      }
      return Context::address({id, static_cast<std::uint32_t>(element)});
    }
    if (given->NUMBER()) return number(given->NUMBER());
    error(given, "a list of values is for an array");
    return std::nullopt;
  }

  void set(Grammar::InitialItemContext* item) {
    auto* given = item->initialValue();
    if (auto* reg = dynamic_cast<Grammar::RegisterPlaceContext*>(item->place())) {
      const auto of = thread(reg->thread);
      const auto name = register_name(reg->reg);
      const auto start = given ? value(given) : Value{0};
      if (!of || !name || !start) return;
      if (context_.initial(*of, *name))
        error(reg, "this register is given twice");
      else
        context_.set_initial(*of, *name, *start);
      return;
    }
    auto* location = dynamic_cast<Grammar::LocationContext*>(item->place());
    if (!location) {
      error(item->place(), "a register belongs to a thread")
          .with_hint("say which: 0:" + item->place()->getText());
      return;
    }
    const auto id = context_.find_location(location->name->getText());
    if (!given || !id) return;
    const auto list = given->initialValue();
    const std::size_t cells = context_.program[*id].initial.size();
    if (list.empty() && context_.program[*id].type.is_scalar()) {
      if (const auto start = value(given)) context_.program.shared[id->value].initial[0] = *start;
    } else if (list.size() != cells) {
      error(given, fmt::format("{} values for {} elements", list.size(), cells));
    } else {
      for (std::size_t i = 0; i < cells; ++i)
        if (const auto start = value(list[i]))
          context_.program.shared[id->value].initial[i] = *start;
    }
  }
};

class Constraint : Reader {
public:
  Constraint(const Source& source, SourceSpan span, Context& context, Test& test)
      : Reader(source, span, context), test_(test) {}

  void read() {
    const std::size_t mistakes = context_.diagnostics.size();
    auto* tree = syntax_.parse(&Grammar::constraint, context_.diagnostics);
    if (context_.diagnostics.size() > mistakes) return;
    Text text{"true", 4};
    if (auto* condition = tree->condition()) {
      if (auto* quantifier = condition->quantifier()) {
        const std::string word = quantifier->word->getText();
        test_.quantifier = word == "forall"   ? Quantifier::Forall
                           : quantifier->sign ? Quantifier::NotExists
                                              : Quantifier::Exists;
        if (word == "forall" && quantifier->sign) error(quantifier, "~ goes with exists only");
      } else {
        test_.quantifier = Quantifier::Exists;
      }
      test_.condition = proposition(condition->proposition(), text);
      span_ = syntax_.span(condition);
    }
    if (auto* locations = tree->locations())
      for (auto* shown : locations->shownPlace()) {
        const auto place = this->place(shown->place(), shown->element());
        if (place) show(*place);
      }
    shows_ = false;
    if (auto* filter = tree->filter()) {
      Text ignored;
      test_.filter = proposition(filter->proposition(), ignored);
    }
    finish(text.text);
  }

private:
  /// A proposition as herd7 prints it, and how tightly its outermost operator binds.
  struct Text {
    std::string text;
    int binds = 0;
  };

  struct Place {
    Expr value;
    std::string name;
    // Registers come first, by thread and in the order of the architecture; then locations by name.
    std::size_t thread = ~std::size_t{0};
    std::string order;
  };

  void finish(const std::string& text) {
    const char* word = test_.quantifier == Quantifier::Exists      ? "exists"
                       : test_.quantifier == Quantifier::NotExists ? "~exists"
                                                                   : "forall";
    test_.condition_text = fmt::format("{} ({})", word, text);
    std::stable_sort(shown_.begin(), shown_.end(), [](const Place& a, const Place& b) {
      return std::pair(a.thread, a.order) < std::pair(b.thread, b.order);
    });
    for (Place& place : shown_) test_.observed.push_back({place.name, std::move(place.value)});
    if (span_.end == 0) return; // there is no condition
    Expr holds = test_.condition;
    if (test_.quantifier != Quantifier::Forall) holds = Expr::unary(Op::Not, std::move(holds));
    if (test_.filter)
      holds = Expr::binary(Op::Or, Expr::unary(Op::Not, *test_.filter), std::move(holds));
    context_.program.finals.push_back({std::move(holds), span_});
  }

  void show(const Place& place) {
    if (!shows_) return;
    for (const Place& known : shown_)
      if (known.name == place.name) return;
    shown_.push_back(place);
  }

  std::optional<std::uint32_t> element_of(SharedId id, Grammar::ElementContext* element) {
    const Value index = number(element->NUMBER());
    const Type& type = context_.program[id].type;
    if (!type.is_scalar() && index >= 0 && index < type.length)
      return static_cast<std::uint32_t>(index);
    error(element, type.is_scalar() ? "this is not an array" : "there is no such element");
    return std::nullopt;
  }

  std::optional<Place> place(Grammar::PlaceContext* place, Grammar::ElementContext* element) {
    Place result;
    result.value.span = syntax_.span(place);
    if (auto* reg = dynamic_cast<Grammar::RegisterPlaceContext*>(place)) {
      const auto of = thread(reg->thread);
      const auto name = register_name(reg->reg);
      if (!of || !name) return std::nullopt;
      if (*of >= context_.threads()) {
        error(reg->thread, fmt::format("there is no thread {}", *of));
        return std::nullopt;
      }
      if (element) {
        error(element, "a register has no elements");
        return std::nullopt;
      }
      result.value.op = Op::OfThread;
      result.value.thread = ThreadName{ProcedureId{static_cast<std::uint32_t>(*of)}, {}};
      result.value.local = context_.reg(*of, *name);
      result.name = fmt::format("{}:{}", *of, *name);
      result.thread = *of;
      result.order = register_order(*name);
      return result;
    }
    auto* location = dynamic_cast<Grammar::LocationContext*>(place);
    if (!location) {
      error(place, "a register belongs to a thread").with_hint("say which: 0:" + place->getText());
      return std::nullopt;
    }
    const std::string name = location->name->getText();
    if (context_.architecture != Architecture::C && !context_.find_location(name) &&
        context_.register_named(name)) {
      error(place, "a register belongs to a thread").with_hint("say which: 0:" + name);
      return std::nullopt;
    }
    const SharedId id = context_.location(name);
    result.value.op = Op::Shared;
    result.value.shared = id;
    result.name = fmt::format("[{}]", name);
    result.order = name;
    if (element) {
      const auto index = element_of(id, element);
      if (!index) return std::nullopt;
      result.value.args.push_back(Expr::constant(*index));
      result.name = fmt::format("{}[{}]", name, *index);
    } else if (!context_.program[id].type.is_scalar()) {
      error(place, fmt::format("'{}' is an array: say which element", name));
      return std::nullopt;
    }
    return result;
  }

  std::string register_order(const std::string& name) const {
    static const char* const old[] = {"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP"};
    if (context_.architecture == Architecture::C) return name;
    std::string upper = name;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (std::size_t i = 0; i < std::size(old); ++i)
      if (upper.ends_with(old[i])) return fmt::format("{:02}", i);
    return fmt::format("{:02}", 10 + std::atoi(name.c_str() + 1));
  }

  static std::string bracketed(const Text& part, int binds) {
    return part.binds < binds ? "(" + part.text + ")" : part.text;
  }

  Expr proposition(Grammar::PropositionContext* p, Text& text) {
    if (++depth_ > deepest) {
      if (depth_ == deepest + 1)
        error(p, "nested too deeply")
            .with_hint(fmt::format("conditions may nest {} levels", deepest));
      return Expr::boolean(false);
    }
    Expr result = inner_proposition(p, text);
    --depth_;
    return result;
  }

  Expr inner_proposition(Grammar::PropositionContext* p, Text& text) {
    if (auto* e = dynamic_cast<Grammar::ParenthesisContext*>(p))
      return proposition(e->proposition(), text);
    if (auto* e = dynamic_cast<Grammar::NegationContext*>(p)) {
      Text inner;
      Expr operand = proposition(e->proposition(), inner);
      text = {fmt::format("not ({})", inner.text), 4};
      return Expr::unary(Op::Not, std::move(operand), syntax_.span(p));
    }
    if (auto* e = dynamic_cast<Grammar::TruthContext*>(p)) {
      text = {e->value->getText(), 4};
      return Expr::boolean(e->value->getText() == "true", syntax_.span(p));
    }
    if (auto* e = dynamic_cast<Grammar::ImplicationContext*>(p)) {
      Text left, right;
      Expr a = proposition(e->proposition(0), left), b = proposition(e->proposition(1), right);
      text = {fmt::format("{} => {}", bracketed(left, 4), bracketed(right, 3)), 3};
      return Expr::binary(Op::Or, Expr::unary(Op::Not, std::move(a)), std::move(b),
                          syntax_.span(p));
    }
    if (auto* e = dynamic_cast<Grammar::ConjunctionContext*>(p)) {
      Text left, right;
      Expr a = proposition(e->proposition(0), left), b = proposition(e->proposition(1), right);
      text = {fmt::format("{} /\\ {}", bracketed(left, 2), bracketed(right, 2)), 2};
      return Expr::binary(Op::And, std::move(a), std::move(b), syntax_.span(p));
    }
    if (auto* e = dynamic_cast<Grammar::DisjunctionContext*>(p)) {
      Text left, right;
      Expr a = proposition(e->proposition(0), left), b = proposition(e->proposition(1), right);
      text = {fmt::format("{} \\/ {}", bracketed(left, 1), bracketed(right, 1)), 1};
      return Expr::binary(Op::Or, std::move(a), std::move(b), syntax_.span(p));
    }
    return atom(dynamic_cast<Grammar::AtomContext*>(p), text);
  }

  Expr atom(Grammar::AtomContext* e, Text& text) {
    const auto left = place(e->left, e->leftElement);
    if (!left) return Expr::boolean(false);
    show(*left);
    Expr right;
    std::string shown;
    if (e->list()) {
      error(e->list(), "whole arrays are not compared")
          .with_hint("compare their elements: t[0]=1 /\\ t[1]=2");
      return Expr::boolean(false);
    }
    if (e->NUMBER()) {
      const Value value = number(e->NUMBER());
      right = Expr::constant(value, syntax_.span(e));
      shown = std::to_string(value);
    } else if (auto* location = dynamic_cast<Grammar::LocationContext*>(e->right);
               location && e->right->getText()[0] != '[' && e->right->getText()[0] != '*') {
      // A plain name is the address of the location.
      const SharedId id = context_.location(location->name->getText());
      std::uint32_t index = 0;
      if (e->rightElement) index = element_of(id, e->rightElement).value_or(0);
      right = Expr::constant(Context::address({id, index}), syntax_.span(e));
      shown = location->name->getText();
      if (e->rightElement) shown += fmt::format("[{}]", index);
    } else {
      const auto other = place(e->right, e->rightElement);
      if (!other) return Expr::boolean(false);
      show(*other);
      right = other->value;
      shown = other->name;
    }
    const std::string op = e->op->getText();
    Expr equal = Expr::binary(Op::Eq, left->value, std::move(right), syntax_.span(e));
    text = {fmt::format("{}={}", left->name, shown), 4};
    if (op == "=" || op == "==") return equal;
    text = {fmt::format("not ({})", text.text), 4};
    return Expr::unary(Op::Not, std::move(equal), syntax_.span(e));
  }

  static constexpr std::size_t deepest = 1000;
  std::size_t depth_ = 0;
  Test& test_;
  SourceSpan span_;
  bool shows_ = true; ///< what is read is displayed
  std::vector<Place> shown_;
};

} // namespace

void read_initial_state(const Source& source, SourceSpan span, Context& context) {
  InitialState(source, span, context).read();
}

void read_constraint(const Source& source, SourceSpan span, Context& context, Test& test) {
  Constraint(source, span, context, test).read();
}

} // namespace weir::frontend::litmus
