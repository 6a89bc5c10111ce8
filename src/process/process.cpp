#include "process/process.h"

#include "base/invariant.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weir::process {

namespace {

using How = Finished::How;
constexpr double grace = 0.5; // seconds between SIGTERM and SIGKILL

class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ~Descriptor() { close(); }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (is_open()) ::close(std::exchange(number_, -1));
  }

private:
  int number_;
};

struct Pipe {
  explicit Pipe(std::array<int, 2> ends = {-1, -1})
      : reader(::pipe2(ends.data(), O_CLOEXEC) == 0 ? ends[0] : -1), writer(ends[1]) {}
  Descriptor reader, writer;
};

/// All that the child needs on its way to exec, made before the fork: other threads may hold any
/// lock at that moment, so that only async-signal-safe calls are allowed after it.
struct Launch {
  std::string program;      // absolute, for the child changes its directory
  std::vector<char*> words; // ends with null
  std::string directory;
  std::optional<std::uint64_t> bytes;
  pid_t parent = ::getpid();
  Descriptor empty{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
  Pipe out, err;
  Pipe failure; // takes the errno of what goes wrong; exec closes it

  bool is_ready() const {
    return empty.is_open() && out.reader.is_open() && err.reader.is_open() &&
           failure.reader.is_open();
  }
};

[[noreturn]] void become(const Launch& launch) {
  const auto require = [&](bool ok) {
    if (ok) return;
    const int error = errno;
    [[maybe_unused]] const auto written =
        ::write(launch.failure.writer.number(), &error, sizeof error);
    ::_exit(127);
  };
  require(::setpgid(0, 0) == 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launch.parent) ::_exit(127); // The parent died before prctl.

  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) ::signal(number, SIG_DFL);

  require(launch.directory.empty() || ::chdir(launch.directory.c_str()) == 0);
  require(::dup2(launch.empty.number(), STDIN_FILENO) >= 0);
  require(::dup2(launch.out.writer.number(), STDOUT_FILENO) >= 0);
  require(::dup2(launch.err.writer.number(), STDERR_FILENO) >= 0);
  const rlimit nothing{0, 0}, memory{launch.bytes.value_or(0), launch.bytes.value_or(0)};
  ::setrlimit(RLIMIT_CORE, &nothing);
  if (launch.bytes) ::setrlimit(RLIMIT_AS, &memory); // Fails only where a lower one holds already.
  ::execv(launch.program.c_str(), launch.words.data());
  require(false);
  ::_exit(127);
}

/// A started child. As long as it is not waited for, its number and its group's stay taken.
class Child {
public:
  explicit Child(pid_t id) : id_(id) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (id_ < 0) return;
    signal_group(SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }

  void signal_group(int number) const { ::kill(-id_, number); }

  bool has_ended() const {
    siginfo_t info{};
    const int result = ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT);
    return result != 0 || info.si_pid == id_; // An error is for reap() to find.
  }

  /// Takes the ended child from the process table.
  void reap(Finished& finished) {
    int status = 0;
    rusage usage{};
    const pid_t reaped = ::wait4(std::exchange(id_, -1), &status, 0, &usage);
    invariant(reaped > 0, "a child should be there to be waited for");
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    finished.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    finished.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    finished.how = WIFSIGNALED(status) ? How::Signalled : How::Exited;
    finished.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }

private:
  pid_t id_;
};

/// Both streams of a child, read as they come.
class Output {
public:
  Output(Descriptor out, Descriptor err, Finished& into)
      : streams_{Stream{std::move(out), &into.out}, Stream{std::move(err), &into.err}},
        truncated_(into.truncated) {}

  /// Waits for output, a while at most, and takes what is there.
  void read_some() {
    std::array<pollfd, 2> polled{};
    for (std::size_t i = 0; i < 2; ++i) polled[i] = {streams_[i].from.number(), POLLIN, 0};
    const bool any = streams_[0].from.is_open() || streams_[1].from.is_open();
    if (::poll(polled.data(), polled.size(), any ? 20 : 2) <= 0) return;
    for (std::size_t i = 0; i < 2; ++i)
      if (polled[i].revents != 0) read_block(streams_[i]);
  }

  /// Takes what the pipes still hold. An escaped descendant may write forever, so at most so much.
  void drain() {
    for (Stream& stream : streams_) {
      if (!stream.from.is_open()) continue;
      ::fcntl(stream.from.number(), F_SETFL, O_NONBLOCK);
      for (int i = 0; i < 32 && stream.from.is_open(); ++i) read_block(stream);
    }
  }

private:
  struct Stream {
    Descriptor from;
    std::string* to;
  };

  void read_block(Stream& stream) {
    const ssize_t got = ::read(stream.from.number(), block_.data(), block_.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) return stream.from.close();
    const auto kept = std::min(static_cast<std::size_t>(got), room_);
    stream.to->append(block_.data(), kept);
    room_ -= kept;
    truncated_ |= kept < static_cast<std::size_t>(got);
  }

  std::array<Stream, 2> streams_;
  bool& truncated_;
  std::size_t room_ = kept_output;
  std::array<char, 1 << 16> block_;
};

Finished not_started(const Command& command, int error) {
  Finished result;
  result.how = How::NotFound;
  result.code = error;
  result.err = "cannot start '" + command.words.front() + "'";
  if (!command.directory.empty()) result.err += " in '" + command.directory + "'";
  result.err += ": " + std::generic_category().message(error);
  return result;
}

std::optional<How> reason_to_stop(const Limits& limits, double seconds) {
  if (limits.interrupted && limits.interrupted->load()) return How::Interrupted;
  if (limits.seconds && seconds >= *limits.seconds) return How::TimedOut;
  return std::nullopt;
}

/// Whether the last words on standard error are about memory. (First letters may be large.)
bool tells_of_memory(const std::string& err) {
  const auto tail = err.substr(err.size() - std::min<std::size_t>(err.size(), 4000));
  for (const char* phrase : {"bad_alloc", "ut of memory", "annot allocate memory",
                             "emory exhausted", "failed to map segment"})
    if (tail.find(phrase) != std::string::npos) return true;
  return false;
}

/// Reads the streams until the child has ended by itself or was stopped: then, why.
std::optional<How> follow(const Child& child, Output& output, const Limits& limits) {
  const auto begin = std::chrono::steady_clock::now();
  std::optional<How> stopped;
  double killed_at = 0;
  while (!child.has_ended()) {
    output.read_some();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (!stopped) {
      stopped = reason_to_stop(limits, passed.count());
      if (stopped) child.signal_group(SIGTERM);
      killed_at = passed.count() + grace;
    } else if (passed.count() >= killed_at) {
      child.signal_group(SIGKILL);
    }
  }
  child.signal_group(SIGKILL); // Whoever is left.
  return stopped;
}

} // namespace

Finished run(const Command& command, const Limits& limits) {
  invariant(!command.words.empty(), "a command should name a program");
  const auto program = find_program(command.words.front());
  if (!program) return not_started(command, ENOENT);

  Launch launch;
  if (!launch.is_ready()) return not_started(command, errno);
  launch.program = std::filesystem::absolute(*program);
  launch.directory = command.directory;
  launch.bytes = limits.bytes;
  for (const std::string& word : command.words)
    launch.words.push_back(const_cast<char*>(word.c_str()));
  launch.words.push_back(nullptr);

  const pid_t id = ::fork();
  if (id == 0) become(launch);
  if (id < 0) return not_started(command, errno);
  Child child(id);
  for (Pipe* pipe : {&launch.out, &launch.err, &launch.failure}) pipe->writer.close();
  int error = 0;
  ssize_t got = -1;
  do got = ::read(launch.failure.reader.number(), &error, sizeof error);
  while (got < 0 && errno == EINTR);
  if (got > 0) return not_started(command, error);

  Finished result;
  Output output(std::move(launch.out.reader), std::move(launch.err.reader), result);
  const auto stopped = follow(child, output, limits);
  output.drain();
  child.reap(result);
  const bool failed = result.how == How::Signalled || result.code != 0;
  if (stopped)
    result.how = *stopped;
  else if (limits.bytes && failed && tells_of_memory(result.err))
    result.how = How::OutOfMemory;
  return result;
}

std::optional<std::string> find_program(const std::string& name_or_path) {
  const auto is_program = [](const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name_or_path.find('/') != std::string::npos)
    return is_program(name_or_path) ? std::optional(name_or_path) : std::nullopt;

  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto candidate = std::filesystem::absolute(folder.empty() ? "." : folder) / name_or_path;
    if (is_program(candidate)) return candidate.lexically_normal();
  }
  return std::nullopt;
}

} // namespace weir::process
