#include "report/fences.h"

#include "base/invariant.h"
#include "report/json.h"
#include "report/steps.h"
#include "report/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace weir::report {

using namespace ir;
using Json = nlohmann::ordered_json;
using frontend::Change;

namespace {

std::string plural(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

semantics::Playback playback(const Code& code, const Rules& rules, const Run& run) {
  const semantics::Machine machine(code, rules);
  auto played = semantics::replay(machine, run);
  invariant(std::holds_alternative<semantics::Playback>(played), "a reported run should replay");
  return std::move(std::get<semantics::Playback>(played));
}

const semantics::State& last_state(const semantics::Playback& playback) {
  return playback.steps.empty() ? playback.start : playback.steps.back().after;
}

/// " (P(0))" if only this thread runs the code, of several of the process.
std::string owner(const Program& program, const fence::Place& place) {
  std::optional<ProcedureId> code;
  for (std::uint32_t p = 0; p < program.procedures.size(); ++p)
    for_each_statement(program.procedures[p].body, [&](const Stmt& stmt) {
      if (stmt.origin == place.statement) code = ProcedureId{p};
    });
  std::size_t namesakes = 0;
  for (const Procedure& other : program.procedures)
    namesakes += code && other.name == program[*code].name;
  std::size_t there = 0; // statements at the same place of the text
  for (const SourceStatement& other : program.statements)
    there += other.span.begin == program[place.statement].span.begin;
  for (const InitialThread& thread : program.threads)
    if (code == thread.process && (namesakes > 1 || there > 1))
      return fmt::format(" ({})", thread_name(program, thread.process, thread.arguments));
  return {};
}

class Text {
public:
  Text(const FenceReport& report, const Style& style)
      : report_(report), result_(report.result), program_(*report.code.program), style_(style) {}

  std::string run() {
    out_ = fmt::format("{}: {}\n", file(), headline());
    if (!result_.is_complete)
      out_ +=
          fmt::format("  the search ended early, {}: {}\n",
                      result_.sets.empty() ? "before a set was found" : "there may be more sets",
                      result_.reason);
    if (result_.run && result_.sets.empty()) violation();
    if (report_.is_removal)
      for (std::size_t i = 0; i < report_.sets.size(); ++i) kept(i);
    else
      for (std::size_t i = 0; i < report_.sets.size(); ++i) proposed(i);
    out_ += "  " + dim(style_, costs()) + "\n";
    return std::move(out_);
  }

private:
  std::string file() const { return program_.source ? program_.source->name() : "program"; }

  std::string headline() const {
    const std::size_t count = result_.sets.size();
    const bool needs_none = count == 1 && result_.sets[0].empty();
    if (result_.is_wrong_under_sc)
      return fmt::format("{} under SC too: no fence helps", red(style_, "UNSAFE"));
    if (count == 0 && !result_.is_complete)
      return fmt::format("{} under TSO", bold(style_, "UNDECIDED"));
    if (report_.is_removal) {
      if (count == 0) return fmt::format("{} under TSO with all its fences", red(style_, "UNSAFE"));
      const std::size_t least = result_.sets[0].size(), all = report_.places.size();
      if (all == 0)
        return fmt::format("{} under TSO, and there is no fence in it", green(style_, "SAFE"));
      if (least == all)
        return fmt::format("{} under TSO: {}", green(style_, "SAFE"),
                           all == 1 ? "its fence is needed" : "all its fences are needed");
      return fmt::format("{} under TSO with {} of its {}{}", green(style_, "SAFE"),
                         least == 0 ? "none" : std::to_string(least), plural(all, "fence"),
                         count > 1 ? fmt::format(", in {} ways", count) : "");
    }
    if (needs_none) return fmt::format("{} under TSO: no fence is needed", green(style_, "SAFE"));
    if (count == 0)
      return fmt::format("{} under TSO: {}", red(style_, "UNSAFE"),
                         "it cannot be repaired with fences at these places");
    const std::size_t least = result_.sets[0].size();
    if (count > 1)
      return fmt::format("{} under TSO with {}, in {} ways", green(style_, "SAFE"),
                         least == result_.sets.back().size()
                             ? plural(least, "more fence")
                             : fmt::format("{} or more fences", least),
                         count);
    return fmt::format("{} under TSO with {}", green(style_, "SAFE"), plural(least, "more fence"));
  }

  void violation() {
    Rules rules = report_.rules;
    if (result_.is_wrong_under_sc) rules.model = Model::SC;
    if (!result_.is_wrong_under_sc && !report_.is_removal)
      out_ += fmt::format("  places: {} ({})\n", report_.placement,
                          plural(report_.places.size(), "place"));
    run_in_full(*result_.run, rules, "");
  }

  void run_in_full(const Run& run, const Rules& rules, const std::string& indent) {
    const auto played = playback(report_.code, rules, run);
    out_ += fmt::format("{}  {}\n\n{}\n", indent, violation_sentence(run, played),
                        run_text(report_.code, played, style_));
  }

  std::string violation_sentence(const Run& run, const semantics::Playback& played) const {
    const SourceSpan span = violation_span(program_, run.violation);
    const Position at = program_.source ? program_.source->position(span.begin) : Position{};
    return fmt::format("{}:{}:{}: {}", file(), at.line, at.column,
                       violation_text(report_.code, run.violation, last_state(played)));
  }

  std::string place(const fence::Place& place) const {
    const Position at = program_.source->position(fence::offset(program_, place));
    return fmt::format("{}:{}:{}{}", file(), at.line, at.column, owner(program_, place));
  }

  std::string statement(const fence::Place& place) const {
    return short_text(program_, program_[place.statement].span);
  }

  void proposed(std::size_t i) {
    if (report_.sets[i].empty()) return;
    const auto& set = report_.sets[i];
    out_ += report_.sets.size() > 1
                ? fmt::format("\n  {}\n", bold(style_, fmt::format("set {}, {}", i + 1,
                                                                   plural(set.size(), "fence"))))
                : fmt::format("\n  {}\n", bold(style_, plural(set.size(), "fence")));
    for (const ProposedFence& fence : set) {
      const std::string what =
          fence.change.kind == Change::Kind::Exchange
              ? fmt::format("'{}' as a locked instruction (xchg)", statement(fence.place))
          : fence.place.side == fence::Side::After
              ? fmt::format("fence after '{}'", statement(fence.place))
              : fmt::format("fence before '{}'", statement(fence.place));
      out_ += fmt::format("    {}: {}\n", place(fence.place), what);
      if (fence.without) without(i, *fence.without);
    }
  }

  void without(std::size_t set, const Run& run) {
    const auto played = playback(report_.code, report_.rules, run);
    const std::string violation = violation_text(report_.code, run.violation, last_state(played));
    if (report_.explained != set) {
      out_ += dim(style_, fmt::format("      without it: {}", violation)) + "\n";
      return;
    }
    out_ += fmt::format("      without it: {}\n\n{}\n", violation,
                        run_text(report_.code, played, style_));
  }

  void kept(std::size_t i) {
    const auto& keep = result_.sets[i];
    if (report_.places.empty()) return;
    if (report_.sets.size() > 1)
      out_ += fmt::format("\n  {}\n", bold(style_, fmt::format("way {}", i + 1)));
    for (std::size_t p = 0; p < report_.places.size(); ++p) {
      const auto found = std::find(keep.begin(), keep.end(), p);
      const Position at =
          program_.source->position(program_[report_.places[p].statement].span.begin);
      out_ += fmt::format("    {}:{}:{}: {}\n", file(), at.line, at.column,
                          found == keep.end() ? green(style_, "can go") : "is needed");
      if (found == keep.end()) continue;
      const auto& fence = report_.sets[i][static_cast<std::size_t>(found - keep.begin())];
      if (fence.without) without(i, *fence.without);
    }
  }

  std::string costs() const {
    return fmt::format("{}, {}, {:.2f} s", plural(result_.progress.clauses, "counterexample"),
                       plural(result_.progress.candidates, "set") + " tried", result_.seconds);
  }

  const FenceReport& report_;
  const fence::Result& result_;
  const Program& program_;
  const Style& style_;
  std::string out_;
};

Json position_json(const Program& program, std::uint32_t offset) {
  const Position at = program.source->position(offset);
  return {{"file", program.source->name()}, {"line", at.line}, {"column", at.column}};
}

Json run_with_violation(const FenceReport& report, const Run& run, const Rules& rules) {
  const auto played = playback(report.code, rules, run);
  const SourceSpan span = violation_span(*report.code.program, run.violation);
  return {{"violation",
           {{"kind", violation_kind(run.violation)},
            {"message", violation_text(report.code, run.violation, last_state(played))},
            {"at", position_json(*report.code.program, span.begin)}}},
          {"run", run_json(report.code, played)}};
}

std::string verdict_word(const fence::Result& result) {
  if (result.is_wrong_under_sc) return "unsafe-under-sc";
  if (!result.sets.empty()) return result.sets[0].empty() ? "safe" : "repairable";
  return result.is_complete ? "not-repairable" : "undecided";
}

} // namespace

std::string fences_text(const FenceReport& report, const Style& style) {
  return Text(report, style).run();
}

Json fences_json(const FenceReport& report) {
  const Program& program = *report.code.program;
  Json sets = Json::array();
  for (const auto& set : report.sets) {
    Json fences = Json::array();
    for (const ProposedFence& fence : set) {
      Json one = position_json(program, fence::offset(program, fence.place));
      if (const std::string thread = owner(program, fence.place); !thread.empty())
        one["thread"] = thread.substr(2, thread.size() - 3);
      one["side"] = fence.place.side == fence::Side::After ? "after" : "before";
      one["statement"] = short_text(program, program[fence.place.statement].span);
      if (!report.is_removal)
        one["kind"] = fence.change.kind == Change::Kind::Exchange ? "xchg" : "fence";
      if (fence.without) one["without"] = run_with_violation(report, *fence.without, report.rules);
      fences.push_back(std::move(one));
    }
    sets.push_back({{"fences", std::move(fences)}});
  }
  Json result{{"weir", WEIR_VERSION},
              {"file", program.source->name()},
              {"model", name(report.rules.model)},
              {"asked", report.is_removal ? "remove" : "insert"},
              {"placement", report.is_removal ? Json(nullptr) : Json(report.placement)},
              {"places", report.places.size()},
              {"verdict", verdict_word(report.result)},
              {"complete", report.result.is_complete}};
  if (!report.result.is_complete) result["reason"] = report.result.reason;
  result["sets"] = std::move(sets);
  if (report.is_removal) {
    Json all = Json::array();
    for (const fence::Place& place : report.places)
      all.push_back(position_json(program, program[place.statement].span.begin));
    result["fences"] = std::move(all);
  }
  if (report.result.run && report.result.sets.empty()) {
    Rules rules = report.rules;
    if (report.result.is_wrong_under_sc) rules.model = Model::SC;
    result.update(run_with_violation(report, *report.result.run, rules));
  }
  result["statistics"] = {{"counterexamples", report.result.progress.clauses},
                          {"candidates", report.result.progress.candidates},
                          {"seconds", report.result.seconds}};
  return result;
}

} // namespace weir::report
