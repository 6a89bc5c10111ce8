#include "lower/automata.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weir::lower {
namespace {

std::string text(const Variable& variable, const ValueSet& values) {
  if (values == variable.all()) return "*";
  std::string out;
  for (std::uint32_t v = 0; v < variable.size(); ++v)
    if (values[v]) out += (out.empty() ? "" : ",") + variable.values[v];
  return "{" + out + "}";
}

std::string text(const Automata& automata, const Op& op) {
  static constexpr const char* names[] = {"nop", "read", "write", "atomic"};
  std::string out = names[static_cast<unsigned>(op.kind)];
  for (const Among& read : op.reads) {
    const Variable& variable = automata.variables[read.variable];
    out += fmt::format(" {}=={}", variable.name, text(variable, read.values));
  }
  for (const Becomes& write : op.writes) {
    const Variable& variable = automata.variables[write.variable];
    out += fmt::format(" {}:={}", variable.name, variable.values[write.value]);
  }
  return out;
}

} // namespace

bool Automaton::covers(StateIndex wide, StateIndex narrow) const {
  if (wide == narrow) return true;
  if (wide < states) return false;
  const auto& members = groups[wide - states];
  if (narrow < states) return members[narrow];
  const auto& inner = groups[narrow - states];
  for (std::uint32_t s = 0; s < states; ++s)
    if (inner[s] && !members[s]) return false;
  return true;
}

std::string print(const Automata& automata) {
  std::string out;
  for (const Variable& variable : automata.variables)
    out += fmt::format("variable {} of {}: initially {}\n", variable.name,
                       fmt::join(variable.values, ","), text(variable, variable.initial));
  for (const Automaton& thread : automata.threads) {
    out += fmt::format("thread {}: {} states\n", thread.name, thread.states);
    for (std::uint32_t s = 0; s < thread.size(); ++s) {
      std::string what = thread.initial[s] ? " initial" : "";
      if (thread.holds_section[s]) what += " in-section";
      if (s >= thread.states) {
        what += " group";
        for (std::uint32_t m = 0; m < thread.states; ++m)
          if (thread.groups[s - thread.states][m]) what += fmt::format(" {}", m);
      }
      if (!what.empty()) out += fmt::format("  {}:{}\n", s, what);
    }
    for (const Transition& t : thread.transitions)
      out += fmt::format("  {} -> {}: {}\n", t.from, t.to, text(automata, t.op));
  }
  for (const Target& target : automata.targets) {
    out += "target";
    for (const StateIndex s : target.at) out += fmt::format(" {}", s);
    for (const Among& memory : target.memory) {
      const Variable& variable = automata.variables[memory.variable];
      out += fmt::format(" {}=={}", variable.name, text(variable, memory.values));
    }
    out += "\n";
  }
  return out;
}

} // namespace weir::lower
