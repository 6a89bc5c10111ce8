#include "cli/options.h"
#include "crosscheck/theorems.h"
#include "report/text.h"
#include "semantics/replay.h"
#include "translate/paper.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace weir::cli {
namespace {

using Json = nlohmann::ordered_json;

/// One comparison, as a line and as an object.
struct Row {
  Bound bound;
  std::string what;   ///< that was compared
  std::string result; ///< in words
  bool differs = false, is_whole = true;
};

/// A run of the source or of the translated program, for people.
std::string run_of(const crosscheck::Difference& difference, const ir::Program& source,
                   const translate::Translation& translated, const report::Style& style) {
  const ir::Program& program = difference.in_source ? source : translated.program;
  const ir::Code code(program);
  Rules rules;
  rules.depth = 1000;
  if (difference.in_source)
    rules.bound = translated.bound;
  else
    rules.model = Model::SC;
  const semantics::Machine machine(code, rules);
  const auto played = semantics::play(machine, difference.initial, difference.steps);
  const auto* playback = std::get_if<semantics::Playback>(&played);
  return playback ? report::run_text(code, *playback, style) : "";
}

class Crosscheck {
public:
  Crosscheck(const ir::Program& program, const CrosscheckFlags& flags, Console& console)
      : program_(program), code_(program), flags_(flags), console_(console) {}

  ExitCode run() {
    if (!flags_.theorems_only) unbounded_ = explicit_verdict({});
    for (const std::string& kind : flags_.bounds)
      for (const std::uint32_t k : flags_.ks) {
        if (interrupted) break;
        const Bound bound{*bound_named(kind), k};
        if (bound.kind != Bound::Kind::Sweeps) theorem(bound);
        verdicts(bound);
      }
    const bool differs =
        std::any_of(rows_.begin(), rows_.end(), [](const Row& r) { return r.differs; });
    const bool is_whole =
        std::any_of(rows_.begin(), rows_.end(), [](const Row& r) { return r.is_whole; });
    if (format_named(flags_.format) == Format::Json) {
      Json list = Json::array();
      for (const Row& row : rows_)
        list.push_back({{"bound", {{"kind", name(row.bound.kind)}, {"k", row.bound.k}}},
                        {"compared", row.what},
                        {"result", row.result},
                        {"differs", row.differs},
                        {"whole", row.is_whole}});
      console_.print(
          Json{{"file", flags_.file}, {"differs", differs}, {"comparisons", list}}.dump(2) + "\n");
    } else {
      console_.print(differs    ? "DIFFERENCES\n"
                     : is_whole ? "no difference\n"
                                : "nothing could be compared\n");
    }
    return differs ? ExitCode::Violated : is_whole ? ExitCode::Holds : ExitCode::Undecided;
  }

private:
  void add(Row row) {
    if (format_named(flags_.format) == Format::Text)
      console_.print(fmt::format("{:>6} {}  {:<22} {}{}\n", name(row.bound.kind), row.bound.k,
                                 row.what, row.differs ? "DIFFERENT: " : "", row.result));
    rows_.push_back(std::move(row));
  }

  Limits limits() const {
    Limits result = flags_.limits.limits();
    if (!result.seconds) result.seconds = 10; // for each side
    return result;
  }

  void theorem(Bound bound) {
    const auto translated = translate::translate_paper(program_, bound);
    const auto buffer = backend::has_cycles(program_) ? std::optional(flags_.buffer) : std::nullopt;
    const auto result = crosscheck::compare(program_, translated, limits(), buffer);
    Row row{
        bound, "shared valuations", {}, result.difference.has_value(), result.incomplete.empty()};
    if (result.difference) {
      row.result = result.difference->what;
      if (format_named(flags_.format) == Format::Text)
        row.result += "\n" + run_of(*result.difference, program_, translated, console_.style());
    } else {
      row.result =
          fmt::format("{} on both sides ({} states of TSO, {} of the translation){}",
                      result.memories, result.source_states, result.translated_states,
                      result.incomplete.empty() ? "" : "; not whole, " + result.incomplete);
    }
    add(std::move(row));
  }

  std::string explicit_verdict(Bound bound) const {
    engine::ExplicitOptions options;
    options.rules.bound = bound;
    options.limits = limits();
    const auto answer = engine::check_explicit(code_, options).answer;
    if (std::holds_alternative<Undecided>(answer.verdict)) return "undecided";
    return std::holds_alternative<Safe>(answer.verdict) ? "safe" : "unsafe";
  }

  void verdicts(Bound bound) {
    if (flags_.theorems_only) return;
    const std::string ours = explicit_verdict(bound);
    // A bug within a bound is a bug.
    add({bound, "bounded and unbounded", fmt::format("{}, {}", ours, unbounded_),
         ours == "unsafe" && unbounded_ == "safe",
         ours != "undecided" && unbounded_ != "undecided"});
    for (const translate::EncodingRow& row : translate::encodings())
      for (const auto target : {emit::Target::Cbmc, emit::Target::Esbmc})
        if (translate::suits(row.encoding, bound.kind) && backend::find_checker(target))
          checker(bound, row, target, ours);
  }

  void checker(Bound bound, const translate::EncodingRow& row, emit::Target target,
               const std::string& ours) {
    backend::Question question;
    question.wish.encoding = row.encoding;
    question.wish.bound = bound;
    question.target = target;
    question.unwind = question.wish.unwind = flags_.unwind;
    if (target == emit::Target::Esbmc && !translate::is_sequential(row.encoding))
      question.context_bound = 2;
    question.limits = limits();
    const auto reply = backend::ask(program_, question);
    const bool unsafe = std::holds_alternative<Unsafe>(reply.answer.verdict);
    const bool safe = std::holds_alternative<Safe>(reply.answer.verdict);
    const bool is_exact = !backend::has_cycles(program_) && !question.context_bound;
    // Some encodings cover more than the bound; what they find is lifted and so real. What they do
    // not find may be beyond their unwinding.
    const bool covers_more =
        row.encoding == translate::Encoding::Flush ||
        (row.encoding == translate::Encoding::Eager && bound.kind == Bound::Kind::Rounds);
    bool differs = unsafe && (covers_more ? unbounded_ == "safe" : ours == "safe");
    if (safe && ours == "unsafe" && is_exact) differs = true;
    std::string words = unsafe ? "unsafe" : safe ? "safe" : "undecided";
    if (const auto* undecided = std::get_if<Undecided>(&reply.answer.verdict))
      words += ": " + undecided->reason;
    add({bound, fmt::format("{} {}", reply.tool, row.name),
         fmt::format("{} (we: {}{})", words, ours,
                     is_exact ? "" : fmt::format(", unwind {}", flags_.unwind)),
         differs, unsafe || safe});
  }

  const ir::Program& program_;
  ir::Code code_;
  const CrosscheckFlags& flags_;
  Console& console_;
  std::string unbounded_;
  std::vector<Row> rows_;
};

} // namespace

ExitCode crosscheck(const CrosscheckFlags& flags, Console& console) {
  const auto program = console.load(flags.file, format_named(flags.format));
  if (!program) return ExitCode::BadInput;
  return Crosscheck(*program, flags, console).run();
}

} // namespace weir::cli
