#include "crosscheck/theorems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace weir::crosscheck {

using namespace ir;
using engine::check_explicit;
using engine::ExplicitOptions;

namespace {

using Memories = std::set<std::vector<Value>>;

/// One side of the comparison. Only the first `cells` of memory are the program's own.
struct Side {
  const Code& code;
  ExplicitOptions options;
  std::size_t cells;
  Memories memories;
  Verdict verdict;
  std::string incomplete; ///< why there may be more; empty: there is not
  std::uint64_t states = 0;

  std::vector<Value> own(const std::vector<Value>& memory) const {
    return {memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(cells)};
  }

  void explore() {
    ExplicitOptions collecting = options;
    collecting.on_memory = [&](const std::vector<Value>& memory) {
      memories.insert(own(memory));
      return false;
    };
    const auto collected = check_explicit(code, collecting).answer;
    states = collected.statistics.states;
    if (const auto* u = std::get_if<Undecided>(&collected.verdict)) incomplete = u->reason;
    if (const auto* safe = std::get_if<Safe>(&collected.verdict);
        safe && options.rules.buffer && safe->coverage.bounds.size() > 1)
      incomplete = safe->coverage.bounds.back();
    const auto checked = check_explicit(code, options).answer;
    verdict = checked.verdict;
    if (const auto* u = std::get_if<Undecided>(&verdict); u && incomplete.empty())
      incomplete = u->reason;
  }

  Difference reaching(const std::vector<Value>& memory, std::string what) const {
    ExplicitOptions searching = options;
    searching.on_memory = [&](const std::vector<Value>& found) { return own(found) == memory; };
    const auto witness = check_explicit(code, searching).witness;
    if (!witness) return {std::move(what), true, {}, {}};
    return {std::move(what), true, witness->initial, witness->steps};
  }
};

std::string memory_text(const Code& code, const std::vector<Value>& memory) {
  std::vector<std::string> cells;
  for (std::uint32_t i = 0; i < memory.size(); ++i)
    cells.push_back(fmt::format(
        "{} = {}", cell_name(*code.program, code.layout, Cell{i}),
        value_text((*code.program)[code.layout.cell_variable[i]].type.scalar(), memory[i])));
  return fmt::format("{}", fmt::join(cells, ", "));
}

std::optional<Difference> extra(const Side& side, const Side& other, const char* name,
                                bool in_source) {
  for (const auto& memory : side.memories)
    if (!other.memories.contains(memory)) {
      Difference d = side.reaching(
          memory, fmt::format("only {} reaches {}", name, memory_text(side.code, memory)));
      d.in_source = in_source;
      return d;
    }
  return std::nullopt;
}

} // namespace

Comparison compare(const Program& source, const translate::Translation& translated,
                   const Limits& limits, std::optional<std::uint32_t> buffer) {
  const Code source_code(source), translated_code(translated.program);
  ExplicitOptions tso, sc;
  tso.rules.bound = translated.bound;
  tso.rules.buffer = buffer;
  sc.rules.model = Model::SC;
  sc.rules.depth += 4; // the calls of the machinery
  tso.limits = sc.limits = limits;
  const std::size_t cells = source_code.layout.cell_count();
  Side left{source_code, tso, cells, {}, {}, {}, 0};
  Side right{translated_code, sc, cells, {}, {}, {}, 0};
  left.explore();
  right.explore();

  Comparison result;
  result.source_states = left.states;
  result.translated_states = right.states;
  const auto* bad_left = std::get_if<Unsafe>(&left.verdict);
  const auto* bad_right = std::get_if<Unsafe>(&right.verdict);
  result.memories = left.memories.size();
  // What was found on one side is there; what was not may have been cut off.
  if (right.incomplete.empty() || bad_right) {
    if (bad_left && !bad_right)
      result.difference = Difference{"only the source violates a property", true,
                                     bad_left->run.initial, bad_left->run.steps};
  }
  if ((left.incomplete.empty() || bad_left) && bad_right && !bad_left)
    result.difference = Difference{"only the translated program violates a property", false,
                                   bad_right->run.initial, bad_right->run.steps};
  if (!result.difference && right.incomplete.empty())
    result.difference = extra(left, right, "the source", true);
  if (!result.difference && left.incomplete.empty())
    result.difference = extra(right, left, "the translated program", false);
  if (right.incomplete.empty() && left.memories == right.memories && !bad_left == !bad_right) {
    // Nothing more can be there: what the translation reaches is all that it reaches.
  } else if (!left.incomplete.empty())
    result.incomplete = "the source: " + left.incomplete;
  else if (!right.incomplete.empty())
    result.incomplete = "the translated program: " + right.incomplete;
  return result;
}

} // namespace weir::crosscheck
