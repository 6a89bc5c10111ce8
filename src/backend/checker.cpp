#include "backend/checker.h"

#include "backend/cbmc_output.h"
#include "backend/esbmc_output.h"
#include "backend/follow.h"
#include "backend/lift.h"
#include "process/process.h"
#include "engine/explicit/explicit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace weir::backend {

using emit::Target;
namespace fs = std::filesystem;

namespace {

using process::Finished;
using process::find_program;

/// A folder for one question; deleted afterwards unless it is to be kept.
class Folder {
public:
  explicit Folder(const std::string& keep) : is_kept_(!keep.empty()) {
    if (is_kept_) {
      path_ = keep;
      fs::create_directories(path_);
      return;
    }
    std::string name = (fs::temp_directory_path() / "weir-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error(fmt::format("cannot make {}: {}", name, std::strerror(errno)));
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    if (!is_kept_) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void keep() { is_kept_ = true; }
  const fs::path& path() const { return path_; }
  void write(const char* name, const std::string& text) const {
    std::ofstream out(path_ / name);
    out << text;
    if (!out.flush())
      throw std::runtime_error(
          fmt::format("cannot write {}: {}", (path_ / name).string(), std::strerror(errno)));
  }

private:
  fs::path path_;
  bool is_kept_;
};

std::vector<std::string> command(const std::string& program, const Question& question,
                                 const std::string& file, bool cycles) {
  if (question.target == Target::Cbmc) {
    std::vector<std::string> words{
        program, file, "--no-standard-checks", "--no-unwinding-assertions", "--json-ui", "--trace"};
    if (cycles) words.insert(words.end(), {"--unwind", std::to_string(question.unwind)});
    return words;
  }
  // Options that the user keeps for other work must not change the question.
  std::vector<std::string> words{"env",
                                 "-u",
                                 "ESBMC_OPTS",
                                 "ESBMC_CONFIG_FILE=",
                                 program,
                                 file,
                                 "--no-unwinding-assertions",
                                 "--no-slice"};
  if (cycles) words.insert(words.end(), {"--unwind", std::to_string(question.unwind)});
  if (question.context_bound)
    words.insert(words.end(), {"--context-bound", std::to_string(*question.context_bound)});
  return words;
}

/// What the checker said, in one shape for all.
struct Reading {
  enum class Kind : std::uint8_t { Safe, Unsafe, Nothing };
  Kind kind = Kind::Nothing;
  std::string version, message;
  std::vector<TraceStep> trace;
};

Reading read(Target target, const Finished& finished) {
  Reading result;
  if (target == Target::Cbmc) {
    auto cbmc = read_cbmc(finished.out);
    result = {Reading::Kind::Nothing, cbmc.version, cbmc.message, std::move(cbmc.trace)};
    if (cbmc.kind == CbmcReading::Kind::Successful) result.kind = Reading::Kind::Safe;
    if (cbmc.kind == CbmcReading::Kind::Failed) result.kind = Reading::Kind::Unsafe;
    return result;
  }
  auto esbmc = read_esbmc(finished.out, finished.err, finished.code);
  result = {Reading::Kind::Nothing, esbmc.version, esbmc.message, std::move(esbmc.trace)};
  if (esbmc.kind == EsbmcReading::Kind::Successful) result.kind = Reading::Kind::Safe;
  if (esbmc.kind == EsbmcReading::Kind::Failed) result.kind = Reading::Kind::Unsafe;
  return result;
}

std::optional<std::string> trouble(const Finished& finished, const Limits& limits) {
  switch (finished.how) {
  case Finished::How::Exited: return std::nullopt;
  case Finished::How::Signalled:
    return fmt::format("it died of signal {} ({})", finished.code, strsignal(finished.code));
  case Finished::How::TimedOut:
    return fmt::format("the time limit of {} s is reached", limits.seconds.value_or(0));
  case Finished::How::OutOfMemory:
    return fmt::format("the memory limit of {} MB is reached", limits.bytes.value_or(0) >> 20);
  case Finished::How::Interrupted: return "interrupted";
  case Finished::How::NotFound: return finished.err;
  }
  return std::nullopt;
}

Coverage coverage(const Question& question, const emit::CProgram& c, bool cycles) {
  Coverage result{{text(question.wish.bound)}};
  if (cycles)
    result.bounds.push_back(fmt::format("loops and recursion unwound {} times", question.unwind));
  if (question.context_bound)
    result.bounds.push_back(fmt::format("at most {} context switches", *question.context_bound));
  result.bounds.insert(result.bounds.end(), c.bounds.begin(), c.bounds.end());
  return result;
}

std::string tool_name(Target target) { return target == Target::Cbmc ? "CBMC" : "ESBMC"; }

} // namespace

std::string how_to_install(Target target) {
  if (target == Target::Cbmc)
    return "CBMC is not installed: scripts/install-cbmc installs it; or set WEIR_CBMC to its path";
  return "ESBMC is not installed: put it on PATH or set WEIR_ESBMC to its path "
         "(https://github.com/esbmc/esbmc)";
}

namespace {

/// The same bug in a sequential form, or by our own engine. CBMC prints the steps of different threads in an order that
/// cannot always be followed (6.6 leaves out some and puts others first); of one thread it can.
std::optional<Run> found_again(const ir::Program& source, const Question& question) {
  constexpr std::uint32_t most_sweeps = 6;
  for (std::uint32_t k = 1; k <= most_sweeps; ++k) {
    Question again = question;
    again.wish.encoding = translate::Encoding::Eager;
    again.wish.bound = {Bound::Kind::Sweeps, k};
    again.context_bound.reset();
    if (!again.keep.empty()) again.keep += fmt::format("/again-{}", k);
    const Reply reply = ask(source, again);
    if (const auto* unsafe = std::get_if<Unsafe>(&reply.answer.verdict)) return unsafe->run;
    if (std::holds_alternative<Undecided>(reply.answer.verdict)) break;
  }
  // Not every program has that form: our own search, then, for as long as the question may take.
  const ir::Code code(source);
  engine::ExplicitOptions search;
  search.rules.buffer = 8;
  search.limits = question.limits;
  if (!search.limits.seconds) search.limits.seconds = 60;
  const auto answer = engine::check_explicit(code, search).answer;
  if (const auto* unsafe = std::get_if<Unsafe>(&answer.verdict)) return unsafe->run;
  return std::nullopt;
}

Run lifted(const ir::Program& source, const Question& question, const emit::Emitted& emitted,
           const Reading& reading, Folder& folder, const std::string& tool) {
  const ir::Code code(source), translated(emitted.translation.program);
  auto playback = follow(emitted.translation, translated, reading.trace);
  std::variant<Run, NotLifted> run = NotLifted{};
  if (const auto* problem = std::get_if<NotLifted>(&playback))
    run = *problem;
  else
    run = lift(code, emitted.translation, translated, std::get<semantics::Playback>(playback));
  if (std::holds_alternative<NotLifted>(run) && !translate::is_sequential(question.wish.encoding))
    if (auto again = found_again(source, question)) return *again;
  if (const auto* problem = std::get_if<NotLifted>(&run)) {
    folder.keep();
    throw NotConfirmed(fmt::format(
        "{} reports a violation ({}) that is no run of the source: {}. This is a bug of Weir or of "
        "the checker; the files are in {}",
        tool, reading.message, problem->reason, folder.path().string()));
  }
  return std::get<Run>(run);
}

} // namespace

std::optional<std::string> find_checker(Target target) {
  const char* variable = target == Target::Cbmc ? "WEIR_CBMC" : "WEIR_ESBMC";
  if (const char* named = std::getenv(variable); named && *named) return find_program(named);
  if (auto found = find_program(target == Target::Cbmc ? "cbmc" : "esbmc")) return found;
  if (target != Target::Cbmc) return std::nullopt;
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  if (data && *data) return find_program(std::string(data) + "/weir/bin/cbmc");
  return home ? find_program(std::string(home) + "/.local/share/weir/bin/cbmc") : std::nullopt;
}

bool has_cycles(const ir::Program& program) {
  const std::size_t count = program.procedures.size();
  std::vector<std::vector<bool>> calls(count, std::vector<bool>(count));
  for (std::size_t p = 0; p < count; ++p) {
    bool found = false;
    for_each_statement(program.procedures[p].body, [&](const ir::Stmt& s) {
      found = found || std::holds_alternative<ir::Loop>(s.action) ||
              std::holds_alternative<ir::Goto>(s.action);
      if (const auto* call = std::get_if<ir::Call>(&s.action))
        calls[p][call->procedure.value] = true;
    });
    if (found) return true;
  }
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j)
        if (calls[i][k] && calls[k][j]) calls[i][j] = true;
  for (std::size_t i = 0; i < count; ++i)
    if (calls[i][i]) return true;
  return false;
}

Reply ask(const ir::Program& source, const Question& question) {
  const std::string name = tool_name(question.target);
  const auto undecided = [&](std::string reason) {
    Reply reply{{Undecided{std::move(reason)}, {}}, name};
    reply.answer.statistics.tool = name;
    return reply;
  };
  const auto program = find_checker(question.target);
  if (!program) return undecided(how_to_install(question.target));
  auto emission = emit::emit(source, question.wish, question.target);
  if (const auto* unsupported = std::get_if<translate::Unsupported>(&emission))
    return undecided(unsupported->reason);
  const emit::Emitted& emitted = std::get<emit::Emitted>(emission);

  Folder folder(question.keep);
  folder.write("program.c", emitted.c.text);
  const bool cycles = has_cycles(source);
  const auto words = command(*program, question, "program.c", cycles);
  const Finished finished = process::run({words, folder.path().string()}, question.limits);
  if (!question.keep.empty()) {
    folder.write("command", fmt::format("{}\n", fmt::join(words, " ")));
    folder.write("stdout", finished.out);
    folder.write("stderr", finished.err);
  }
  const Reading reading = read(question.target, finished);
  const std::string tool = reading.version.empty() ? name : name + " " + reading.version;
  const auto verdict = [&]() -> Verdict {
    if (const auto problem = trouble(finished, question.limits))
      return Undecided{fmt::format("{}: {}", tool, *problem)};
    if (reading.kind == Reading::Kind::Nothing)
      return Undecided{fmt::format("{}: {}", tool, reading.message)};
    if (reading.kind == Reading::Kind::Safe) return Safe{coverage(question, emitted.c, cycles)};
    folder.write("stdout", finished.out);
    folder.write("stderr", finished.err);
    return Unsafe{lifted(source, question, emitted, reading, folder, tool)};
  };
  Statistics statistics;
  statistics.seconds = finished.cpu_seconds;
  statistics.bytes = finished.peak_bytes;
  statistics.tool = tool;
  return {{verdict(), statistics}, tool};
}

} // namespace weir::backend
