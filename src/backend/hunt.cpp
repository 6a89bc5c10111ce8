#include "backend/hunt.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

namespace weir::backend {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t most_k = 12, most_unwind = 40;

/// Cheapest first: both bounds grow together.
std::vector<Question> plan(const ir::Program& source, const HuntOptions& options) {
  const bool cycles = has_cycles(source);
  // The sequential form is the fast one, but it does not take every program.
  const bool is_sequential =
      std::holds_alternative<translate::Translation>(translate::translate(source, {}));
  std::vector<Question> result;
  for (std::uint32_t cost = 2; cost <= most_k + most_unwind; ++cost)
    for (std::uint32_t k = 1; k < cost && k <= most_k; ++k) {
      const std::uint32_t unwind = cost - k;
      // Far apart they find little: a bug needs about as many sweeps as rounds of loops.
      if (unwind > most_unwind || (cycles ? k > unwind + 1 : unwind != 1)) continue;
      for (const emit::Target target : options.targets) {
        Question question;
        question.target = target;
        question.unwind = unwind;
        question.wish.bound = {Bound::Kind::Sweeps, k};
        if (!is_sequential)
          question.wish = {translate::Encoding::Flush, {Bound::Kind::Age, k}, unwind, false, false};
        if (target == emit::Target::Esbmc) {
          if (k > 2 || unwind > 4) continue;
          question.wish = {translate::Encoding::Paper, {Bound::Kind::Age, k}, unwind, false, false};
          question.context_bound = k + 1;
        }
        result.push_back(std::move(question));
      }
    }
  return result;
}

class Hunt {
public:
  Hunt(const ir::Program& source, const HuntOptions& options)
      : source_(source), options_(options), plan_(plan(source, options)), started_(Clock::now()) {}

  HuntResult run() {
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < options_.workers; ++i) workers.emplace_back([this] { work(); });
    // Ctrl-C reaches the checkers through `stop_`.
    while (busy_ > 0) {
      if (is_over()) stop_ = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    for (std::thread& worker : workers) worker.join();
    if (failure_) std::rethrow_exception(failure_);
    if (!found_) result_.answer.verdict = Undecided{reason()};
    result_.answer.statistics.seconds = seconds();
    if (result_.answer.statistics.tool.empty() && !result_.covered.empty())
      result_.answer.statistics.tool = fmt::format("{} questions", result_.covered.size());
    return std::move(result_);
  }

private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  bool is_over() const {
    if (options_.limits.interrupted && *options_.limits.interrupted) return true;
    return options_.limits.seconds && seconds() >= *options_.limits.seconds;
  }

  std::string reason() const {
    std::string why = "every bound that is tried was tried";
    if (options_.limits.interrupted && *options_.limits.interrupted)
      why = "interrupted";
    else if (is_over())
      why = fmt::format("the time limit of {} s is reached", *options_.limits.seconds);
    else if (!given_up_.empty())
      why = given_up_;
    const auto last = std::find_if(result_.covered.rbegin(), result_.covered.rend(),
                                   [](const Covered& c) { return c.reason.empty(); });
    return last == result_.covered.rend()
               ? why
               : fmt::format("{}; no violation with {}", why, text(*last));
  }

  void work() {
    try {
      while (!stop_) {
        const std::size_t mine = next_++;
        if (mine >= plan_.size()) break;
        one(plan_[mine], mine);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
    --busy_;
  }

  void one(Question question, std::size_t number) {
    question.limits = options_.limits;
    question.limits.interrupted = &stop_;
    if (options_.limits.seconds)
      question.limits.seconds = std::max(0.1, *options_.limits.seconds - seconds());
    if (options_.limits.bytes) *question.limits.bytes /= options_.workers;
    if (!options_.keep.empty()) question.keep = fmt::format("{}/{}", options_.keep, number + 1);
    const auto before = Clock::now();
    Reply reply = ask(source_, question);
    const std::lock_guard lock(mutex_);
    if (stop_) return;
    if (std::holds_alternative<Unsafe>(reply.answer.verdict)) {
      found_ = true;
      stop_ = true;
      result_.answer = std::move(reply.answer);
      result_.tool = reply.tool;
      return;
    }
    Covered covered{question.wish.bound,
                    has_cycles(source_) ? question.unwind : 0,
                    reply.tool,
                    std::chrono::duration<double>(Clock::now() - before).count(),
                    {}};
    if (const auto* undecided = std::get_if<Undecided>(&reply.answer.verdict)) {
      covered.reason = undecided->reason;
      given_up_ = undecided->reason;
      if (++troubles_ >= 4) stop_ = true; // it will not get better with larger bounds
    }
    result_.covered.push_back(covered);
    if (options_.on_covered) options_.on_covered(covered);
  }

  const ir::Program& source_;
  const HuntOptions& options_;
  std::vector<Question> plan_;
  Clock::time_point started_;
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<unsigned> busy_ = options_.workers;
  std::mutex mutex_; ///< for what follows
  HuntResult result_{};
  bool found_ = false;
  unsigned troubles_ = 0;
  std::string given_up_;
  std::exception_ptr failure_;
};

} // namespace

HuntResult hunt(const ir::Program& source, const HuntOptions& options) {
  return Hunt(source, options).run();
}

std::string text(const Covered& covered) {
  std::string result = weir::text(covered.bound);
  if (covered.unwind > 0)
    result += fmt::format(" and loops and recursion unwound {} times", covered.unwind);
  return result;
}

} // namespace weir::backend
