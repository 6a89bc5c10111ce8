#include "report/litmus.h"
#include "cli/options.h"
#include "decide/outcomes.h"
#include "frontend/load.h"
#include "report/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <mutex>
#include <thread>

namespace weir::cli {
namespace {

namespace fs = frontend::litmus;

/// A test on its way: read, decided, printed.
struct Job {
  std::string file;
  std::optional<fs::Test> test; ///< none: it could not be read, and that has been said
  nlohmann::ordered_json broken{};
  decide::Outcomes outcomes{};
  bool is_done = false;
};

class Command {
public:
  Command(const LitmusFlags& flags, Console& console)
      : flags_(flags), console_(console), format_(format_named(flags.format)) {}

  ExitCode run() {
    if (!list_files()) return ExitCode::BadInput;
    for (const std::string& file : files_) read(file);
    std::vector<std::thread> workers;
    const unsigned count = std::max(
        1u, std::min(flags_.jobs.value_or(std::max(1u, std::thread::hardware_concurrency())),
                     static_cast<unsigned>(jobs_.size())));
    for (unsigned i = 0; i < count; ++i) workers.emplace_back([this] { work(); });
    print_in_order();
    for (std::thread& worker : workers) worker.join();
    if (failure_) std::rethrow_exception(failure_);
    return summary();
  }

private:
  /// Names given, and those in `@list` files, one on a line.
  bool list_files() {
    for (const std::string& given : flags_.files) {
      if (given.empty() || given[0] != '@') {
        files_.push_back(given);
        continue;
      }
      const std::string name = given.substr(1);
      std::ifstream list(name);
      if (!list) {
        console_.reject(name, "this list of files cannot be read");
        return false;
      }
      const std::size_t slash = name.rfind('/');
      const std::string folder = slash == std::string::npos ? "" : name.substr(0, slash + 1);
      for (std::string line; std::getline(list, line);) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
          line.pop_back();
        if (line.empty() || line[0] == '#') continue;
        const bool is_absolute = line[0] == '/';
        const bool stands_beside = !is_absolute && !std::ifstream(line) && !folder.empty();
        files_.push_back(stands_beside ? folder + line : line);
      }
    }
    return true;
  }

  void read(const std::string& file) {
    Job job;
    job.file = file;
    const auto source = frontend::read_source(file);
    if (const auto* problem = std::get_if<frontend::Unreadable>(&source)) {
      console_.reject(file, problem->message);
      job.broken = {{"file", file}, {"errors", {{{"message", problem->message}}}}};
    } else {
      auto test = frontend::parse_litmus(std::get<0>(source));
      if (test) {
        job.test = std::move(*test);
      } else {
        console_.complain_of(*std::get<0>(source), test.error());
        job.broken = report::diagnostics_json(*std::get<0>(source), test.error());
      }
    }
    job.is_done = !job.test;
    jobs_.push_back(std::move(job));
  }

  void work() {
    try {
      for (std::size_t i; (i = next_++) < jobs_.size();) {
        Job& job = jobs_[i];
        if (job.test) decide(job);
        const std::lock_guard lock(mutex_);
        job.is_done = true;
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  void decide(Job& job) const {
    decide::OutcomesQuestion question;
    question.rules.model = *model_named(flags_.model);
    question.limits = flags_.limits.limits();
    for (const fs::Observable& observed : job.test->observed)
      question.observed.push_back(observed.value);
    question.filter = job.test->filter;
    question.condition = job.test->condition;
    job.outcomes = decide::outcomes(job.test->program, question);
  }

  void print_in_order() {
    if (format_ == Format::Json) console_.print("[\n");
    bool is_first = true;
    for (Job& job : jobs_) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return job.is_done || failure_; });
        if (failure_) return;
      }
      if (format_ == Format::Json) {
        const auto json = job.test
                              ? report::litmus_json(job.file, flags_.model, *job.test, job.outcomes)
                              : job.broken;
        console_.print(fmt::format("{}{}", is_first ? "" : ",\n", json.dump(2)));
        is_first = false;
      } else if (job.test && job.outcomes.incomplete.empty()) {
        console_.print(report::litmus_text(*job.test, job.outcomes));
      }
      if (job.test && !job.outcomes.incomplete.empty())
        console_.complain(fmt::format("{}: undecided: {}\n", job.file, job.outcomes.incomplete));
    }
    if (format_ == Format::Json) console_.print(is_first ? "]\n" : "\n]\n");
  }

  ExitCode summary() {
    std::size_t ok = 0, no = 0, open = 0, broken = 0;
    for (const Job& job : jobs_) {
      if (!job.test)
        ++broken;
      else if (!job.outcomes.incomplete.empty())
        ++open;
      else
        ++(report::holds(*job.test, job.outcomes) ? ok : no);
    }
    if (jobs_.size() > 1) {
      std::string text =
          fmt::format("{} tests under {}: {} Ok, {} No", jobs_.size(), flags_.model, ok, no);
      if (open > 0) text += fmt::format(", {} undecided", open);
      if (broken > 0) text += fmt::format(", {} could not be read", broken);
      console_.complain(text + "\n");
    }
    if (broken > 0) return ExitCode::BadInput;
    if (open > 0) return ExitCode::Undecided;
    return no > 0 ? ExitCode::Violated : ExitCode::Holds;
  }

  const LitmusFlags& flags_;
  Console& console_;
  Format format_;
  std::vector<std::string> files_;
  std::vector<Job> jobs_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
};

} // namespace

ExitCode litmus(const LitmusFlags& flags, Console& console) {
  return Command(flags, console).run();
}

} // namespace weir::cli
