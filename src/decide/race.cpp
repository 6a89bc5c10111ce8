#include "decide/race.h"

#include "engine/explicit/explicit.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace weir::decide {
namespace {

/// What the forward search may use alone: about ten thousand states.
constexpr std::uint64_t head_start_bytes = std::uint64_t{1} << 20;

bool is_decided(const Answer& answer) { return !std::holds_alternative<Undecided>(answer.verdict); }

class Race {
public:
  Race(const ir::Code& code, const Rules& rules, const Limits& limits, const Progress& progress,
       Runs runs)
      : code_(code), rules_(rules), limits_(limits), progress_(progress), runs_(runs) {}

  RaceAnswer run() {
    if (auto answer = head_start()) return *answer; // milliseconds, by its memory limit
    std::thread forward([this] { enter("explicit", [this] { return forward_answer(); }); });
    std::thread backward([this] { enter("dual", [this] { return backward_answer(); }); });
    wait();
    forward.join();
    backward.join();
    if (winner_) return *winner_;
    if (failure_) std::rethrow_exception(failure_);
    return neither();
  }

private:
  std::optional<RaceAnswer> head_start() const {
    engine::ExplicitOptions options;
    options.rules = rules_;
    options.limits = limits_;
    options.limits.bytes = std::min(limits_.bytes.value_or(head_start_bytes), head_start_bytes);
    auto found = engine::check_explicit(code_, options);
    if (!is_decided(found.answer)) return std::nullopt;
    return RaceAnswer{std::move(found.answer), "explicit"};
  }

  Limits inner_limits() const {
    Limits limits = limits_;
    limits.interrupted = &stop_;
    if (limits.bytes) *limits.bytes /= 2;
    return limits;
  }

  Answer forward_answer() {
    engine::ExplicitOptions options;
    options.rules = rules_;
    options.limits = inner_limits();
    options.progress = [this](const Statistics& s) { note(forward_, s); };
    return engine::check_explicit(code_, options).answer;
  }

  Answer backward_answer() {
    ExactOptions options;
    options.rules = rules_;
    options.limits = inner_limits();
    options.runs = runs_;
    options.progress = [this](const Statistics& s) { note(backward_, s); };
    return check_exact(code_, options).answer;
  }

  void note(Statistics& of, const Statistics& s) {
    const std::lock_guard lock(mutex_);
    of = s;
  }

  /// One engine's part: the first that decides wins and stops the other.
  template <class Work> void enter(const char* name, Work&& work) {
    std::optional<Answer> answer;
    std::exception_ptr failure;
    try {
      answer = work();
    } catch (...) { failure = std::current_exception(); }
    const std::lock_guard lock(mutex_);
    ++finished_;
    if (failure && !failure_) failure_ = failure;
    if (answer && is_decided(*answer) && !winner_)
      winner_ = RaceAnswer{std::move(*answer), name};
    else if (answer)
      losers_.push_back({std::move(*answer), name});
    if (winner_) stop_ = true; // an engine that failed does not stop the other
    changed_.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    while (finished_ < 2) {
      changed_.wait_for(lock, std::chrono::milliseconds(20));
      if (limits_.interrupted && *limits_.interrupted) stop_ = true;
      if (progress_ && !stop_) {
        // Whoever is behind says nothing: constraints if there are any, else states.
        const Statistics shown = backward_.states > 0 ? backward_ : forward_;
        lock.unlock();
        progress_(shown);
        lock.lock();
      }
    }
  }

  /// Both gave up. What the forward search covered is something; why the other gave up, too.
  RaceAnswer neither() {
    RaceAnswer result{{Undecided{"no engine gave an answer"}, {}}, "auto"};
    for (const RaceAnswer& loser : losers_)
      if (loser.engine == "explicit") result.answer = loser.answer;
    for (const RaceAnswer& loser : losers_)
      if (loser.engine == "dual") {
        auto& reason = std::get<Undecided>(result.answer.verdict).reason;
        reason +=
            fmt::format("; the exact engine: {}", std::get<Undecided>(loser.answer.verdict).reason);
      }
    return result;
  }

  const ir::Code& code_;
  const Rules& rules_;
  const Limits& limits_;
  const Progress& progress_;
  Runs runs_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  int finished_ = 0;
  Statistics forward_, backward_;
  std::optional<RaceAnswer> winner_;
  std::vector<RaceAnswer> losers_;
  std::exception_ptr failure_;
};

} // namespace

RaceAnswer check_auto(const ir::Code& code, const Rules& rules, const Limits& limits,
                      const Progress& progress, Runs runs) {
  return Race(code, rules, limits, progress, runs).run();
}

} // namespace weir::decide
