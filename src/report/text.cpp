#include "report/text.h"

#include "base/match.h"
#include "report/steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace weir::report {

using namespace ir;

namespace {

std::string buffers_text(const Code& code, const semantics::State& state,
                         const std::vector<std::string>& names) {
  std::string result;
  for (std::size_t t = 0; t < state.threads.size(); ++t) {
    if (state.threads[t].buffer.empty()) continue;
    result += fmt::format("{}{}:", result.empty() ? "" : "  ", names[t]);
    for (const semantics::Pending& p : state.threads[t].buffer)
      result += fmt::format(
          " {}={}", cell_name(*code.program, code.layout, p.cell),
          value_text((*code.program)[code.layout.cell_variable[p.cell.value]].type, p.value));
  }
  return result;
}

std::string memory_text(const Code& code, const std::vector<Value>& memory,
                        const std::set<std::uint32_t>& shown) {
  std::string result;
  for (const std::uint32_t cell : shown)
    result += fmt::format(
        "{}{}={}", result.empty() ? "" : " ", cell_name(*code.program, code.layout, Cell{cell}),
        value_text((*code.program)[code.layout.cell_variable[cell]].type, memory[cell]));
  return result;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

struct Row {
  std::size_t number;
  ThreadIndex thread;
  std::string statement, effect, buffers, memory;
};

std::string table(const std::vector<Row>& rows, const std::vector<std::string>& names,
                  const std::string& first_memory, const Style& style) {
  std::vector<std::size_t> widths;
  for (const std::string& name : names) widths.push_back(columns(name));
  const bool any_pending =
      std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.buffers.empty(); });
  std::size_t effect = 4, buffers = any_pending ? 13 : 0; // under SC there is no such column
  for (const Row& row : rows) {
    widths[row.thread] = std::max(widths[row.thread], columns(row.statement));
    effect = std::max(effect, columns(row.effect));
    buffers = std::max(buffers, columns(row.buffers));
  }
  std::string out = "  step ";
  for (std::size_t t = 0; t < names.size(); ++t)
    out += " " + bold(style, padded(names[t], widths[t])) + " ";
  const auto tail = [&](const std::string& what, const std::string& pending,
                        const std::string& memory) {
    return any_pending ? fmt::format(" {}  {}  {}\n", padded(what, effect),
                                     padded(pending, buffers), memory)
                       : fmt::format(" {}  {}\n", padded(what, effect), memory);
  };
  out += tail("what", "store buffers", "memory");
  out += std::string(columns("  step "), ' ');
  for (const std::size_t w : widths) out += std::string(w + 2, ' ');
  out += tail("", "", dim(style, first_memory));
  for (const Row& row : rows) {
    out += fmt::format("  {:>4} ", row.number);
    for (std::size_t t = 0; t < names.size(); ++t)
      out += fmt::format(" {} ", padded(t == row.thread ? row.statement : "", widths[t]));
    out += tail(row.effect, row.buffers, row.memory);
  }
  return out;
}

/// For terminals too narrow for columns: one thread per line, what it did below.
std::string list(const std::vector<Row>& rows, const std::vector<std::string>& names,
                 const Style& style) {
  std::string out;
  std::string last_buffers, last_memory;
  for (const Row& row : rows) {
    out += fmt::format("  {:>4}  {}  {}\n        {}\n", row.number, bold(style, names[row.thread]),
                       row.statement, row.effect);
    if (row.buffers != last_buffers)
      out +=
          dim(style, fmt::format("        buffers  {}", row.buffers.empty() ? "-" : row.buffers)) +
          "\n";
    if (row.memory != last_memory) out += dim(style, "        memory   " + row.memory) + "\n";
    last_buffers = row.buffers;
    last_memory = row.memory;
  }
  return out;
}

std::string trimmed_lines(const std::string& text) {
  std::string out, line;
  for (const char c : text) {
    if (c != '\n') {
      line += c;
      continue;
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
    line.clear();
  }
  return out;
}

std::string counted(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(static_cast<std::size_t>(i), " ");
  return digits;
}

} // namespace

std::string run_text(const Code& code, const semantics::Playback& playback, const Style& style) {
  const Program& program = *code.program;
  const semantics::State& last =
      playback.steps.empty() ? playback.start : playback.steps.back().after;
  const auto names = thread_names(program, last);
  std::set<std::uint32_t> touched; // the cells this run is about
  for (const semantics::Played& played : playback.steps)
    if (played.effect.access) touched.insert(played.effect.access->cell.value);
  std::vector<Row> rows;
  const semantics::State* before = &playback.start;
  for (const semantics::Played& played : playback.steps) {
    const StepWords words = describe(code, *before, played);
    before = &played.after;
    if (words.is_minor) continue;
    const std::string line = words.line ? fmt::format("{}: ", words.line) : "";
    rows.push_back({rows.size() + 1, played.step.thread, line + words.statement, words.effect,
                    buffers_text(code, played.after, names),
                    memory_text(code, played.after.memory, touched)});
  }
  if (rows.empty()) return "  (no step is needed)\n";
  const std::string memory = memory_text(code, playback.start.memory, touched);
  std::string wide = trimmed_lines(table(rows, names, memory, style));
  if (style.width == 0) return wide;
  const std::string plain = trimmed_lines(table(rows, names, memory, {})); // colours take no room
  std::size_t widest = 0, start = 0;
  for (std::size_t i = 0; i < plain.size(); ++i)
    if (plain[i] == '\n') {
      widest = std::max(widest, columns(std::string_view(plain).substr(start, i - start)));
      start = i + 1;
    }
  return widest <= style.width ? wide : list(rows, names, style);
}

std::string rules_text(const Rules& rules) {
  std::string text(name(rules.model));
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(std::toupper(c)); });
  if (rules.bound.kind == Bound::Kind::Rounds)
    text += fmt::format(", {} rounds per thread", rules.bound.k + 1);
  if (rules.bound.kind == Bound::Kind::Age) text += fmt::format(", store age {}", rules.bound.k);
  if (rules.bound.kind == Bound::Kind::Sweeps)
    text += fmt::format(", {} sweeps", rules.bound.k + 1);
  if (rules.buffer) text += fmt::format(", buffers of {}", *rules.buffer);
  return text;
}

std::string statistics_text(const Statistics& s) {
  if (!s.tool.empty())
    return fmt::format("{}, {:.2f} s, {:.1f} MB", s.tool, s.seconds,
                       static_cast<double>(s.bytes) / (1 << 20));
  if (s.unit == Statistics::Unit::Constraints)
    return fmt::format("{} constraints, {} predecessors, {:.2f} s, {:.1f} MB", counted(s.states),
                       counted(s.transitions), s.seconds, static_cast<double>(s.bytes) / (1 << 20));
  return fmt::format("{} states, {} transitions, depth {}, {:.2f} s, {:.1f} MB", counted(s.states),
                     counted(s.transitions), s.depth, s.seconds,
                     static_cast<double>(s.bytes) / (1 << 20));
}

std::string state_text(const Code& code, const semantics::State& state) {
  const auto names = thread_names(*code.program, state);
  std::set<std::uint32_t> all;
  for (std::uint32_t i = 0; i < state.memory.size(); ++i) all.insert(i);
  const std::string buffers = buffers_text(code, state, names);
  return fmt::format("memory: {}\nstore buffers: {}\n", memory_text(code, state.memory, all),
                     buffers.empty() ? "all empty" : buffers);
}

std::string answer_text(const Code& code, const Rules& rules, const Answer& answer,
                        const semantics::Playback* playback, const Style& style) {
  const Program& program = *code.program;
  const std::string file = program.source ? program.source->name() : "program";
  std::string out = match(
      answer.verdict,
      [&](const Safe& safe) {
        if (safe.coverage.is_exhaustive())
          return fmt::format("{}: {} under {}\n  {}\n", file, green(style, "SAFE"),
                             rules_text(rules),
                             answer.statistics.unit == Statistics::Unit::Constraints
                                 ? "no run violates anything, however long the store buffers grow"
                                 : "every reachable state was looked at");
        return fmt::format(
            "{}: {} under {}\n  no violation in any run with {}; other runs were not "
            "looked at\n",
            file, green(style, "SAFE WITHIN BOUNDS"), rules_text(rules),
            fmt::join(safe.coverage.bounds, " and "));
      },
      [&](const Unsafe& unsafe) {
        const semantics::State& last =
            playback->steps.empty() ? playback->start : playback->steps.back().after;
        const SourceSpan span = violation_span(program, unsafe.run.violation);
        const Position at = program.source ? program.source->position(span.begin) : Position{};
        return fmt::format("{}: {} under {}\n  {}:{}:{}: {}\n\n{}\n", file, red(style, "UNSAFE"),
                           rules_text(rules), file, at.line, at.column,
                           violation_text(code, unsafe.run.violation, last),
                           run_text(code, *playback, style));
      },
      [&](const Undecided& undecided) {
        return fmt::format("{}: {} under {}\n  {}\n", file, bold(style, "UNDECIDED"),
                           rules_text(rules), undecided.reason);
      });
  return out + "  " + dim(style, statistics_text(answer.statistics)) + "\n";
}

} // namespace weir::report
