#include "decide/exact.h"

#include "base/invariant.h"
#include "base/match.h"
#include "engine/dual/dual.h"
#include "engine/explicit/explicit.h"
#include "engine/sb/sb.h"
#include "lower/realise.h"
#include "semantics/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace weir::decide {
namespace {

/// How much a shorter run may cost.
constexpr double most_shortening_seconds = 1;
constexpr std::uint64_t most_shortening_bytes = std::uint64_t{256} << 20;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The most stores that are pending in one thread at any time of the run.
std::uint32_t longest_buffer(const ir::Code& code, const Rules& rules, const Run& run) {
  const semantics::Machine machine(code, rules);
  const auto played = semantics::play(machine, run.initial, run.steps);
  std::size_t longest = 1;
  for (const semantics::Played& step : std::get<semantics::Playback>(played).steps)
    for (const semantics::Thread& thread : step.after.threads)
      longest = std::max(longest, thread.buffer.size());
  return static_cast<std::uint32_t>(longest);
}

/// Forward, breadth first, with buffers as long as the run needs: usually much shorter.
Run shortened(const ir::Code& code, const ExactOptions& options, Run run) {
  engine::ExplicitOptions forward;
  forward.rules = options.rules;
  forward.rules.buffer = longest_buffer(code, options.rules, run);
  forward.limits = options.limits;
  forward.limits.seconds =
      std::min(options.limits.seconds.value_or(most_shortening_seconds), most_shortening_seconds);
  forward.limits.bytes =
      std::min(options.limits.bytes.value_or(most_shortening_bytes), most_shortening_bytes);
  const auto found = engine::check_explicit(code, forward);
  const auto* unsafe = std::get_if<Unsafe>(&found.answer.verdict);
  return unsafe && unsafe->run.steps.size() < run.steps.size() ? unsafe->run : run;
}

class Check {
public:
  Check(const ir::Code& code, const ExactOptions& options) : code_(code), options_(options) {}

  ExactAnswer run() {
    const auto start = Clock::now();
    auto lowered = lower::lower(code_, options_.rules, {options_.limits});
    result_.answer.statistics.unit = Statistics::Unit::Constraints;
    if (const auto* refusal = std::get_if<lower::Refusal>(&lowered)) {
      result_.answer.verdict = Undecided{reason_text(code_, *refusal)};
    } else {
      result_.lowered = std::move(std::get<lower::Lowered>(lowered));
      const auto reachability = search();
      result_.answer.verdict = match(
          reachability, [&](const lower::Unreachable&) { return unreachable(); },
          [&](const lower::Reached& reached) { return reached_by(reached); },
          [](const lower::GaveUp& gave_up) { return Verdict{Undecided{gave_up.reason}}; });
    }
    result_.answer.statistics.unit = Statistics::Unit::Constraints;
    result_.answer.statistics.seconds = seconds_since(start);
    return std::move(result_);
  }

private:
  lower::Reachability search() {
    lower::SearchOptions search{options_.limits, options_.progress};
    const lower::Automata& automata = result_.lowered->automata;
    if (options_.engine == Exact::SingleBuffer)
      return engine::check_single_buffer(automata, search, result_.answer.statistics);
    engine::DualOptions dual;
    dual.search = std::move(search);
    dual.wants_certificate = options_.wants_certificate && result_.lowered->cut.empty();
    engine::DualAnswer found = engine::check_dual(automata, dual);
    result_.answer.statistics = found.statistics;
    if (dual.wants_certificate && std::holds_alternative<lower::Unreachable>(found.reachability))
      result_.certificate =
          certify::Certificate{code_.program->source ? code_.program->source->name() : "",
                               certify::fingerprint(automata), std::move(found.certificate)};
    return found.reachability;
  }

  Verdict unreachable() const {
    const std::string& cut = result_.lowered->cut;
    if (!cut.empty()) return Undecided{cut + "; no violation before that"};
    return Safe{};
  }

  Verdict reached_by(const lower::Reached& reached) const {
    lower::Watch watch(options_.limits);
    auto run = lower::realise(code_, options_.rules, *result_.lowered, reached, watch);
    if (const auto* gave_up = std::get_if<lower::GaveUp>(&run)) return Undecided{gave_up->reason};
    if (options_.runs == Runs::AsFound) return Unsafe{std::move(std::get<Run>(run))};
    return Unsafe{shortened(code_, options_, std::move(std::get<Run>(run)))};
  }

  const ir::Code& code_;
  const ExactOptions& options_;
  ExactAnswer result_;
};

} // namespace

ExactAnswer check_exact(const ir::Code& code, const ExactOptions& options) {
  return Check(code, options).run();
}

std::string reason_text(const ir::Code& code, const lower::Refusal& refusal) {
  const auto& source = code.program->source;
  if (!source || refusal.span.end <= refusal.span.begin) return refusal.reason;
  const Position at = source->position(refusal.span.begin);
  return fmt::format("{}:{}:{}: {}", source->name(), at.line, at.column, refusal.reason);
}

} // namespace weir::decide
