#include "lower/lower.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::lower {
namespace {

class Assembler {
public:
  Assembler(const ir::Code& code, Unfolding unfolding, Shrunk shrunk, Targets targets)
      : code_(code), targets_(std::move(targets)) {
    result_.cut = unfolding.cut.empty() ? targets_.cut : unfolding.cut;
    result_.unfolding = std::move(unfolding);
    result_.shrunk = std::move(shrunk);
  }

  std::variant<Lowered, Refusal> run() {
    for (VariableIndex v = 0; v < result_.unfolding.variables.size(); ++v)
      if (auto refusal = add_variable(v)) return *refusal;
    for (std::size_t t = 0; t < result_.shrunk.threads.size(); ++t) add_thread(t);
    for (Target& target : targets_.list) {
      std::vector<Among> memory;
      for (const Among& among : target.memory)
        if (const auto variable = result_.variable_of[among.variable])
          memory.push_back({*variable, among.values});
      result_.automata.targets.push_back({std::move(target.at), std::move(memory)});
    }
    return std::move(result_);
  }

private:
  std::string name(VariableIndex v) const {
    const UnfoldedVariable& variable = result_.unfolding.variables[v];
    const auto thread = [&] {
      return fmt::format("{}#{}", result_.unfolding.threads[variable.thread].name, variable.thread);
    };
    switch (variable.kind) {
    case UnfoldedVariable::Kind::Memory: break;
    case UnfoldedVariable::Kind::Begun: return "begun " + thread();
    case UnfoldedVariable::Kind::Ended: return "ended " + thread();
    }
    return ir::cell_name(*code_.program, code_.layout, ir::Cell{v});
  }

  std::string value_name(VariableIndex v, ir::Value value) const {
    if (result_.unfolding.variables[v].kind != UnfoldedVariable::Kind::Memory)
      return std::to_string(value);
    return ir::value_text((*code_.program)[code_.layout.cell_variable[v]].type, value);
  }

  std::optional<Refusal> add_variable(VariableIndex v) {
    const ShrunkVariable& shrunk = result_.shrunk.variables[v];
    const UnfoldedVariable& unfolded = result_.unfolding.variables[v];
    if (!shrunk.is_visible) {
      result_.variable_of.emplace_back();
      return std::nullopt;
    }
    if (shrunk.classes > most_values)
      return Refusal{{},
                     fmt::format("'{}' has {} values that can be told apart; the exact engines "
                                 "take {}",
                                 name(v), shrunk.classes, most_values)};
    Variable variable{name(v), std::vector<std::string>(shrunk.classes), {}};
    for (std::size_t value = unfolded.values.size(); value-- > 0;)
      variable.values[shrunk.class_of[value]] = value_name(v, unfolded.values[value]);
    for (const std::uint32_t value : unfolded.initial) variable.initial.set(shrunk.class_of[value]);
    result_.variable_of.emplace_back(static_cast<VariableIndex>(result_.automata.variables.size()));
    result_.automata.variables.push_back(std::move(variable));
    return std::nullopt;
  }

  Op op_of(const ShrunkEdge& edge) const {
    Op op{edge.kind, {}, {}};
    for (const auto& [variable, values] : edge.reads) {
      Among among{*result_.variable_of[variable], {}};
      for (const std::uint32_t value : values) among.values.set(value);
      op.reads.push_back(among);
    }
    for (const auto& [variable, value] : edge.writes)
      op.writes.push_back({*result_.variable_of[variable], value});
    return op;
  }

  void add_thread(std::size_t t) {
    const ShrunkThread& shrunk = result_.shrunk.threads[t];
    const UnfoldedThread& unfolded = result_.unfolding.threads[t];
    Automaton thread;
    thread.name = unfolded.name;
    thread.states = shrunk.states;
    thread.groups = std::move(targets_.groups[t]);
    thread.initial = shrunk.initial;
    thread.holds_section.assign(shrunk.states, false);
    for (std::size_t l = 0; l < unfolded.locations.size(); ++l)
      if (shrunk.state_of[l] && unfolded.locations[l].kind == Location::Kind::InSection)
        thread.holds_section[*shrunk.state_of[l]] = true;
    for (const ShrunkEdge& edge : shrunk.edges)
      thread.transitions.push_back({edge.from, edge.to, op_of(edge)});
    thread.own_transitions = static_cast<std::uint32_t>(thread.transitions.size());
    for (std::size_t g = 0; g < thread.groups.size(); ++g) add_group(thread, g);
    result_.automata.threads.push_back(std::move(thread));
  }

  static void add_group(Automaton& thread, std::size_t g) {
    const auto& members = thread.groups[g];
    const StateIndex number = thread.states + static_cast<StateIndex>(g);
    bool is_initial = false;
    for (StateIndex s = 0; s < thread.states; ++s)
      is_initial = is_initial || (members[s] && thread.initial[s]);
    thread.initial.push_back(is_initial);
    thread.holds_section.push_back(false);
    for (std::uint32_t i = 0; i < thread.own_transitions; ++i) {
      const Transition& own = thread.transitions[i];
      if (!members[own.to] || (members[own.from] && own.op.writes.empty())) continue;
      Transition into{own.from, number, own.op};
      const auto first = thread.transitions.begin() + thread.own_transitions;
      if (std::find(first, thread.transitions.end(), into) == thread.transitions.end())
        thread.transitions.push_back(std::move(into));
    }
  }

  const ir::Code& code_;
  Targets targets_;
  Lowered result_;
};

} // namespace

std::variant<Lowered, Refusal> lower(const ir::Code& code, const Rules& rules,
                                     const LowerOptions& options) {
  Watch watch(options.limits);
  auto unfolded = unfold(code, rules, watch);
  if (const auto* refusal = std::get_if<Refusal>(&unfolded)) return *refusal;
  Unfolding& unfolding = std::get<Unfolding>(unfolded);
  Shrunk shrunk = shrink(unfolding, marks(code, unfolding), options.merges, watch);
  if (watch.reason()) return Refusal{{}, *watch.reason()};
  auto found = targets(code, unfolding, shrunk, watch);
  if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
  return Assembler(code, std::move(unfolding), std::move(shrunk),
                   std::move(std::get<Targets>(found)))
      .run();
}

} // namespace weir::lower
