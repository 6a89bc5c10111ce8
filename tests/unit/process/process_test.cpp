#include "process/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace weir;
using namespace weir::process;
using How = Finished::How;
using namespace std::chrono_literals;

namespace {

Finished shell(const std::string& script, const Limits& limits = {}) {
  return run({{"sh", "-c", script}, ""}, limits);
}

Limits seconds(double most) {
  Limits result;
  result.seconds = most;
  return result;
}

double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A zombie that nobody waits for does not run any more.
bool is_running(const std::string& process) {
  std::ifstream file("/proc/" + std::to_string(std::atoi(process.c_str())) + "/stat");
  std::string number, name, state;
  return file >> number >> name >> state && state != "Z" && state != "X";
}

/// Death by a signal is not instantaneous.
bool ends_soon(const std::string& process) {
  for (int i = 0; i < 200 && is_running(process); ++i) std::this_thread::sleep_for(10ms);
  return !is_running(process);
}

bool no_child_is_left() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

struct TemporaryFolder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("weir-process-test-" + std::to_string(::getpid()));
  TemporaryFolder() { std::filesystem::create_directories(path); }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

} // namespace

TEST_CASE("a program's exit code and both its streams come back") {
  const auto done = shell("echo to out; echo to err >&2; exit 7");
  CHECK(done.how == How::Exited);
  CHECK(done.code == 7);
  CHECK(done.out == "to out\n");
  CHECK(done.err == "to err\n");
  CHECK_FALSE(done.truncated);
  CHECK(shell("true").code == 0);
  CHECK(no_child_is_left());
}

TEST_CASE("a program that dies of a signal") {
  const auto done = shell("echo before; kill -SEGV $$");
  CHECK(done.how == How::Signalled);
  CHECK(done.code == SIGSEGV);
  CHECK(done.out == "before\n");
}

TEST_CASE("words are not touched by a shell, the directory is the one asked for, input is empty") {
  const TemporaryFolder folder;
  const auto words = run({{"printf", "%s|", "a b", "$HOME", "*", ""}, ""}, {});
  CHECK(words.out == "a b|$HOME|*||");
  const auto where = run({{"pwd", "-P"}, folder.path.string()}, {});
  CHECK(where.out == std::filesystem::canonical(folder.path).string() + "\n");
  CHECK(run({{"cat"}, ""}, seconds(10)).how == How::Exited);
}

TEST_CASE("more than a pipe holds, on both streams at once") {
  const auto done = shell("head -c 3000000 /dev/zero >&2 & head -c 5000000 /dev/zero; wait");
  CHECK(done.how == How::Exited);
  CHECK(done.out.size() == 5'000'000);
  CHECK(done.err.size() == 3'000'000);
}

TEST_CASE("output past the bound is dropped, and the program still ends by itself") {
  const auto done = shell("head -c 270000000 /dev/zero; echo last >&2; exit 3");
  CHECK(done.truncated);
  CHECK(done.out.size() + done.err.size() == kept_output);
  CHECK(done.code == 3);
}

TEST_CASE("a program that closed its streams is still waited for") {
  const auto begin = std::chrono::steady_clock::now();
  CHECK(shell("exec >&- 2>&-; sleep 0.3; exit 5").code == 5);
  CHECK(since(begin) >= 0.3);
}

TEST_CASE("a timeout ends the grandchildren too, and keeps what was written") {
  const auto begin = std::chrono::steady_clock::now();
  const auto done = shell("sleep 100 & echo $!; sleep 100", seconds(0.5));
  CHECK(done.how == How::TimedOut);
  CHECK(since(begin) >= 0.5);
  CHECK(since(begin) < 5);
  REQUIRE(std::atoi(done.out.c_str()) > 0);
  CHECK(ends_soon(done.out));
  CHECK(no_child_is_left());
}

TEST_CASE("a program that ignores SIGTERM is killed after the grace") {
  const auto begin = std::chrono::steady_clock::now();
  const auto done = shell("trap '' TERM; while :; do sleep 0.1; done", seconds(0.5));
  CHECK(done.how == How::TimedOut);
  CHECK(done.code == SIGKILL);
  CHECK(since(begin) >= 1);
  CHECK(since(begin) < 5);
}

TEST_CASE("a program may use the grace to say a last word") {
  const auto done =
      shell("trap 'echo bye; exit 4' TERM; echo here; while :; do sleep 0.05; done", seconds(0.5));
  CHECK(done.how == How::TimedOut);
  CHECK(done.code == 4);
  CHECK(done.out == "here\nbye\n");
}

TEST_CASE("what a program leaves running is ended with it") {
  const auto begin = std::chrono::steady_clock::now();
  const auto done = shell("sleep 100 & echo $!; exit 2");
  CHECK(done.how == How::Exited);
  CHECK(done.code == 2);
  CHECK(since(begin) < 5);
  CHECK(ends_soon(done.out));
}

TEST_CASE("an interrupt stops the program") {
  std::atomic<bool> interrupted = false;
  Limits limits;
  limits.interrupted = &interrupted;
  std::thread later([&] {
    std::this_thread::sleep_for(400ms);
    interrupted = true;
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto done = shell("sleep 100 & echo $!; wait", limits);
  later.join();
  CHECK(done.how == How::Interrupted);
  CHECK(since(begin) < 5);
  CHECK(ends_soon(done.out));
}

TEST_CASE("a memory limit") {
  Limits limits;
  limits.bytes = std::uint64_t{200} << 20;
  const Command greedy{{"dd", "if=/dev/zero", "of=/dev/null", "bs=1G", "count=1"}, ""};
  CHECK(run(greedy, limits).how == How::OutOfMemory);
  const auto modest = shell("ulimit -v; exit 1", limits);
  CHECK(modest.how == How::Exited);
  CHECK(modest.out == "204800\n");
  // The same words without a limit of ours are the program's own business.
  CHECK(shell("echo out of memory >&2; exit 1").how == How::Exited);
  limits.bytes = 1 << 20; // not even the loader
  CHECK(run({{"true"}, ""}, limits).how != How::Exited);
}

TEST_CASE("what cannot be started says why") {
  const TemporaryFolder folder;
  const auto missing = run({{"weir-no-such-program"}, ""}, {});
  CHECK(missing.how == How::NotFound);
  CHECK(missing.code == ENOENT);
  CHECK(missing.err == "cannot start 'weir-no-such-program': No such file or directory");
  const auto nowhere = run({{"true"}, folder.path / "none"}, {});
  CHECK(nowhere.how == How::NotFound);
  CHECK(nowhere.err == "cannot start 'true' in '" + (folder.path / "none").string() +
                           "': No such file or directory");
  const auto noise = folder.path / "noise";
  std::ofstream(noise) << "\x01\x02\x03";
  std::filesystem::permissions(noise, std::filesystem::perms::owner_all);
  const auto unreadable = run({{noise.string()}, ""}, {});
  CHECK(unreadable.how == How::NotFound);
  CHECK(unreadable.code == ENOEXEC);
  CHECK(no_child_is_left());
}

TEST_CASE("programs are found on PATH, or where they are") {
  const auto shell_path = find_program("sh");
  REQUIRE(shell_path);
  CHECK(shell_path->front() == '/');
  CHECK(find_program(*shell_path) == shell_path);
  CHECK_FALSE(find_program("weir-no-such-program"));
  CHECK_FALSE(find_program(""));
  CHECK_FALSE(find_program("/"));
  CHECK_FALSE(find_program("/etc/passwd"));
}

TEST_CASE("a program is found before the directory is changed") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "tool") << "#!/bin/sh\npwd -P\n";
  std::filesystem::permissions(folder.path / "tool", std::filesystem::perms::owner_all);
  const auto relative = std::filesystem::relative(folder.path / "tool").string();
  const auto done = run({{relative}, "/"}, {});
  CHECK(done.how == How::Exited);
  CHECK(done.out == "/\n");
}

TEST_CASE("time and memory used, with those of the program's children") {
  const auto done = shell("(i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done); "
                          "dd if=/dev/zero of=/dev/null bs=100M count=1 2>/dev/null; true");
  CHECK(done.cpu_seconds > 0.01);
  CHECK(done.cpu_seconds < 60);
  CHECK(done.peak_bytes > 100'000'000);
}

TEST_CASE("no descriptor is left open, here or in the program") {
  const auto open_here = [] {
    const std::filesystem::directory_iterator begin("/proc/self/fd"), end;
    return std::distance(begin, end);
  };
  const auto before = open_here();
  const auto listed = shell("ls /proc/self/fd");
  shell("sleep 100", seconds(0.1));
  run({{"weir-no-such-program"}, ""}, {});
  run({{"true"}, "/weir-no-such-folder"}, {});
  CHECK(open_here() == before);
  // Standard input, output, error, and the folder that ls reads; all else was open here before.
  CHECK(std::count(listed.out.begin(), listed.out.end(), '\n') <= std::max<long>(before, 4));
}

TEST_CASE("two threads may run programs at once") {
  const auto many = [](const std::string& word, bool& ok) {
    for (int i = 0; i < 30; ++i) ok = ok && shell("echo " + word).out == word + "\n";
  };
  bool left = true, right = true;
  std::thread other([&] { many("left", left); });
  many("right", right);
  other.join();
  CHECK(left);
  CHECK(right);
  CHECK(no_child_is_left());
}

TEST_CASE("if we are killed the program goes too") {
  const TemporaryFolder folder;
  const auto file = folder.path / "number";
  const pid_t between = ::fork();
  if (between == 0) {
    shell("echo $$ > '" + file.string() + "'; exec sleep 100");
    ::_exit(0);
  }
  std::string sleeper;
  for (int i = 0; i < 500 && sleeper.empty(); ++i) {
    std::this_thread::sleep_for(10ms);
    std::ifstream(file) >> sleeper;
  }
  REQUIRE(is_running(sleeper));
  ::kill(between, SIGKILL);
  ::waitpid(between, nullptr, 0);
  CHECK(ends_soon(sleeper));
}
