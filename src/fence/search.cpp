#include "fence/search.h"

#include "base/invariant.h"
#include "fence/hitting_sets.h"
#include "semantics/replay.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::fence {
namespace {

/// What the first look under SC may use.
constexpr std::uint64_t most_sc_bytes = std::uint64_t{64} << 20;

/// A run in which no thread gets far beyond a store before it is flushed, as a run under SC: the
/// store, and the local steps after it, happen when it is flushed.
class UnderSc {
public:
  UnderSc(const semantics::Machine& machine, const Run& run)
      : run_(run), result_{run.initial, {}, run.violation} {
    const auto playback =
        std::get<semantics::Playback>(semantics::play(machine, run.initial, run.steps));
    for (const semantics::Played& played : playback.steps) take(played);
  }

  Run result() {
    const auto* fault = std::get_if<FaultAt>(&run_.violation); // the last step of all
    for (ThreadIndex t = 0; t < late_.size(); ++t)
      if (!fault || fault->thread != t) publish(t);
    if (fault) publish(fault->thread);
    return std::move(result_);
  }

private:
  void take(const semantics::Played& played) {
    const Step& step = played.step;
    late_.resize(std::max<std::size_t>(late_.size(), step.thread + 1));
    const auto& access = played.effect.access;
    const bool stores = access && access->kind == semantics::Access::Kind::WriteBuffer;
    if (step.kind == Step::Kind::Flush)
      publish(step.thread);
    else if (stores || !late_[step.thread].empty())
      late_[step.thread].push_back(step);
    else
      result_.steps.push_back(step);
  }

  void publish(ThreadIndex t) {
    if (t >= late_.size()) return;
    result_.steps.insert(result_.steps.end(), late_[t].begin(), late_[t].end());
    late_[t].clear();
  }

  const Run& run_;
  Run result_;
  std::vector<std::vector<Step>> late_; ///< by thread: a store and what came after it
};

} // namespace

Search::Search(const ir::Program& program, const std::vector<Place>& places, Options options)
    : program_(program), places_(places), options_(std::move(options)),
      start_(std::chrono::steady_clock::now()) {}

double Search::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

Limits Search::remaining() const {
  Limits limits = options_.limits;
  if (limits.seconds) limits.seconds = std::max(*limits.seconds - seconds(), 0.001);
  return limits;
}

std::optional<std::string> Search::limit_reached() const {
  if (options_.limits.interrupted && *options_.limits.interrupted) return "interrupted";
  if (options_.limits.seconds && seconds() >= *options_.limits.seconds)
    return fmt::format("the time limit of {:g} s is reached", *options_.limits.seconds);
  return std::nullopt;
}

/// An engine was given what was left of the time; the user gave all of it.
std::string Search::in_all(const std::string& reason) const {
  const std::string begin = "the time limit of ", end = " s is reached";
  const std::size_t rest = reason.find(end);
  if (!options_.limits.seconds || !reason.starts_with(begin) || rest == std::string::npos)
    return reason;
  return fmt::format("{}{:g}{}", begin, *options_.limits.seconds, reason.substr(rest));
}

Choice Search::choice(const Set& set) const {
  Choice result(places_.size());
  for (const std::size_t i : set) result[i] = true;
  return result;
}

bool Search::is_wrong_under_sc() {
  const ir::Code code(program_);
  Rules sc = options_.rules;
  sc.model = Model::SC;
  Limits limits = remaining();
  limits.bytes = std::min(limits.bytes.value_or(most_sc_bytes), most_sc_bytes);
  const Verdict quick = options_.decide(code, sc, limits, true).verdict;
  if (const auto* unsafe = std::get_if<Unsafe>(&quick)) {
    result_.run = unsafe->run;
    return true;
  }
  if (std::holds_alternative<Safe>(quick)) return false;
  // Too many states. With a fence after each store TSO is SC, and the exact engine may do better.
  const auto stores = std::get<std::vector<Place>>(places(program_, {}));
  const ir::Program fenced = with_marks(program_, stores, Choice(stores.size(), true));
  const ir::Code marked(fenced);
  const Verdict verdict = options_.decide(marked, options_.rules, remaining(), false).verdict;
  if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) {
    const Run run = without_marks(marked, options_.rules, unsafe->run);
    result_.run = UnderSc(semantics::Machine(code, options_.rules), run).result();
    return true;
  }
  if (const auto* undecided = std::get_if<Undecided>(&verdict))
    result_.reason = "whether it is right under SC is not known: " + in_all(undecided->reason);
  return false;
}

std::optional<Run> Search::known_run(const ir::Code& marked) const {
  for (const Run& run : runs_)
    if (auto again = retry(marked, options_.rules, run)) return again;
  return std::nullopt;
}

Verdict Search::try_candidate(const ir::Code& marked) {
  if (auto run = known_run(marked)) return Unsafe{std::move(*run)};
  Verdict verdict = options_.decide(marked, options_.rules, remaining(), false).verdict;
  if (const auto* safe = std::get_if<Safe>(&verdict); safe && !safe->coverage.is_exhaustive())
    return Undecided{"an engine looked at a part of the runs only"};
  return verdict;
}

Result Search::run() {
  HittingSets candidates(places_.size());
  result_.is_wrong_under_sc = is_wrong_under_sc();
  bool goes_on = !result_.is_wrong_under_sc && result_.reason.empty();
  while (goes_on) {
    if (const auto reason = limit_reached()) {
      result_.reason = *reason;
      break;
    }
    options_.progress(result_.progress);
    const auto candidate = candidates.smallest();
    if (!candidate) break;
    ++result_.progress.candidates;
    const ir::Program fenced = with_marks(program_, places_, choice(*candidate));
    const ir::Code marked(fenced);
    const Verdict verdict = try_candidate(marked);
    if (const auto* undecided = std::get_if<Undecided>(&verdict)) {
      result_.reason = in_all(undecided->reason);
      goes_on = false;
    } else if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) {
      const auto found = clause(marked, options_.rules, unsafe->run);
      for (const std::size_t i : *candidate)
        invariant(found.count(i) == 0, "a clause should ask for new fences");
      candidates.must_meet({found.begin(), found.end()});
      ++result_.progress.clauses;
      runs_.push_back(unsafe->run);
      if (found.empty()) result_.run = without_marks(marked, options_.rules, unsafe->run);
    } else {
      candidates.must_not_contain(*candidate);
      result_.sets.push_back(*candidate);
      ++result_.progress.sets;
      goes_on = !options_.stops_at_first;
    }
  }
  result_.is_complete = result_.reason.empty();
  std::stable_sort(result_.sets.begin(), result_.sets.end(), [](const Set& a, const Set& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  result_.seconds = seconds();
  return std::move(result_);
}

std::optional<Run> Search::counterexample(const Set& fences, Length length) const {
  const ir::Program fenced = with_marks(program_, places_, choice(fences));
  const ir::Code marked(fenced);
  auto run = known_run(marked);
  if (!run || length == Length::Short) {
    const Verdict verdict = options_.decide(marked, options_.rules, remaining(), true).verdict;
    if (const auto* unsafe = std::get_if<Unsafe>(&verdict))
      if (!run || unsafe->run.steps.size() < run->steps.size()) run = unsafe->run;
  }
  if (!run) return std::nullopt;
  return without_marks(marked, options_.rules, *run);
}

} // namespace weir::fence
