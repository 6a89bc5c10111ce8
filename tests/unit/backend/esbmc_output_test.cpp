#include "backend/esbmc_output.h"

#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;
using namespace weir::backend;
using Kind = EsbmcReading::Kind;

namespace {

/// What ESBMC 8.4.0 really wrote. Its version line went to stdout, all else to stderr.
EsbmcReading recorded(const std::string& name, int exit_code) {
  std::string err = test::read_file(WEIR_ROOT "/tests/backend/esbmc/" + name);
  const std::size_t begin = err.find("ESBMC version"), end = err.find('\n', begin) + 1;
  const std::string out = err.substr(begin, end - begin);
  err.erase(begin, end - begin);
  return read_esbmc(out, err, exit_code);
}

EsbmcReading read(const std::string& err, int exit_code = 0) {
  return read_esbmc("ESBMC version 8.4.0 64-bit x86_64 linux\n", err, exit_code);
}

const std::string rule = "----------------------------------------------------\n";

} // namespace

TEST_CASE("a recorded bug with its whole trace, in order and without ESBMC's library") {
  const auto reading = recorded("sb-bug-no-slice.out", 1);
  CHECK(reading.kind == Kind::Failed);
  CHECK(reading.version == "8.4.0");
  CHECK(reading.message == "assertion r0 == 0 || r1 == 0");
  CHECK(reading.context_bound_cut);
  const std::vector<TraceStep> expected{{0, "", "x", 0},   {0, "", "y", 0},     {0, "", "r0", 0},
                                        {0, "", "r1", 0},  {0, "main", "a", 0}, {0, "main", "b", 0},
                                        {1, "t0", "x", 1}, {2, "t1", "y", 1},   {1, "t0", "r0", 1},
                                        {2, "t1", "r1", 1}};
  CHECK(reading.trace == expected);
}

TEST_CASE("a recorded bug with a sliced trace has nothing to replay") {
  const auto reading = recorded("sb-bug.out", 1);
  CHECK(reading.kind == Kind::Failed);
  CHECK(reading.message == "assertion r0 == 0 || r1 == 0");
  CHECK(reading.trace.empty());
}

TEST_CASE("a recorded success") {
  const auto reading = recorded("sb-safe.out", 0);
  CHECK(reading.kind == Kind::Successful);
  CHECK(reading.version == "8.4.0");
  CHECK(reading.message.empty());
  CHECK(reading.trace.empty());
  CHECK(reading.context_bound_cut);
}

TEST_CASE("a recorded syntax error is told in clang's words") {
  const auto reading = recorded("syntax-error.out", 6);
  CHECK(reading.kind == Kind::SyntaxError);
  CHECK(reading.message == "syntax-error.c:1:11: error: expected parameter declarator");
}

TEST_CASE("a recorded memory limit") {
  const auto reading = recorded("limits.out", 6);
  CHECK(reading.kind == Kind::OutOfMemory);
  CHECK(reading.message == "ERROR: Out of memory");
}

TEST_CASE("a recorded run that is cut off anywhere before its verdict has none") {
  const std::string whole = test::read_file(WEIR_ROOT "/tests/backend/esbmc/sb-bug-no-slice.out");
  const std::size_t verdict = whole.find("VERIFICATION FAILED");
  for (std::size_t cut = 0; cut < verdict + 19; cut += 7) {
    const auto reading = read_esbmc("", whole.substr(0, cut), 0);
    CHECK(reading.kind == Kind::Garbled);
    CHECK(reading.trace.empty());
  }
  CHECK(read_esbmc("", whole.substr(0, verdict + 19), 0).kind == Kind::Failed);
}

TEST_CASE("the text decides, not the exit code") {
  CHECK(read("VERIFICATION UNKNOWN\n", 0).kind == Kind::Unknown);
  CHECK(read("ERROR: Timed out\n", 1).kind == Kind::TimedOut);
  CHECK(read("VERIFICATION SUCCESSFUL\n", 1).kind == Kind::Successful);
  const auto nothing = read("Starting Bounded Model Checking\n", 0);
  CHECK(nothing.kind == Kind::Garbled);
  CHECK(nothing.message == "no verdict in ESBMC's output (exit code 0)");
  CHECK(nothing.version == "8.4.0");
  CHECK(read("ERROR: no solver\n", 134).message ==
        "no verdict in ESBMC's output (exit code 134): ERROR: no solver");
  CHECK(read_esbmc("", "", 0).kind == Kind::Garbled);
}

TEST_CASE("the last line that decides is the one that counts") {
  CHECK(read("VERIFICATION FAILED\nVERIFICATION SUCCESSFUL\n").kind == Kind::Successful);
  CHECK(read("VERIFICATION SUCCESSFUL\nVERIFICATION UNKNOWN\n").kind == Kind::Unknown);
  CHECK(read("VERIFICATION SUCCESSFUL\nERROR: Timed out\n").kind == Kind::TimedOut);
  CHECK(read("  VERIFICATION SUCCESSFUL\n").kind == Kind::Garbled);
  CHECK(read("// VERIFICATION SUCCESSFUL\n").kind == Kind::Garbled);
  CHECK(read("VERIFICATION SUCCESSFUL?\n").kind == Kind::Garbled);
}

TEST_CASE("an unwinding assertion is a bound, not a bug") {
  const auto violated = [](const std::string& text) {
    return read("[Counterexample]\n\n\nState 3 file a.c line 5 column 3 function main thread 0\n" +
                rule + "Violated property:\n  file a.c line 5 column 3 function main\n  " + text +
                "\n\nVERIFICATION FAILED\n");
  };
  CHECK(violated("unwinding assertion loop 12").kind == Kind::UnwindingTooSmall);
  CHECK(violated("unwinding assertion loop 12").message == "unwinding assertion loop 12");
  CHECK(violated("recursion unwinding assertion").kind == Kind::UnwindingTooSmall);
  CHECK(violated("assertion x == 0\n  CWE: CWE-617\n  x == 0").kind == Kind::Failed);
  CHECK(violated("assertion x == 0\n  CWE: CWE-617\n  x == 0").message == "assertion x == 0");
}

TEST_CASE("other ways to fail") {
  CHECK(read("ERROR: unrecognised option '--incremental-context-bound'\n", 64).kind ==
        Kind::BadOption);
  CHECK(read("ERROR: option '--unwind' cannot be specified more than once\n", 64).kind ==
        Kind::BadOption);
  CHECK(read("LLVM ERROR: out of memory\n", 134).kind == Kind::OutOfMemory);
  CHECK(read("terminate called after throwing an instance of 'std::bad_alloc'\n", 134).kind ==
        Kind::OutOfMemory);
  const auto missing = read("ERROR: failed to open input file a.c\n", 6);
  CHECK(missing.kind == Kind::SyntaxError);
  CHECK(missing.message == "ERROR: failed to open input file a.c");
}

TEST_CASE("integers of every kind are taken, all else is left out") {
  const auto reading = read(
      "[Counterexample]\n\n\nState 1 file my thread file.c line 7 column 1 function t0 thread 3\n" +
      rule +
      "  a = -2 (11111110)\n  flag = 1\n  b = TRUE\n  c = FALSE\n  buffer[2] = 7 (00000111)\n"
      "  least = -9223372036854775808 (10000000)\n  too_large = 18446744073709551615 (11111111)\n"
      "  s = { .n = 4,\n    .m = 5 }\n  p = &x\n  e = (signed int)y\n  f = 1.5 (00111111)\n"
      "  g = 1 + 2\n  h(assignment removed)\n"
      "State 2  thread 0\n" +
      rule + "  z = 5 (00000101)\n\nState 3 nonsense\n" + rule +
      "  y = 6 (00000110)\n\nVERIFICATION FAILED\n");
  const std::vector<TraceStep> expected{
      {3, "t0", "a", -2}, {3, "t0", "flag", 1},      {3, "t0", "b", 1},
      {3, "t0", "c", 0},  {3, "t0", "buffer[2]", 7}, {3, "t0", "least", INT64_MIN},
      {0, "", "z", 5}};
  CHECK(reading.kind == Kind::Failed);
  CHECK(reading.message.empty());
  CHECK(reading.trace == expected);
}

TEST_CASE("of several counterexamples the last one is kept") {
  const std::string one = "[Counterexample]\n\nState 1 file a.c line 1 function f thread 1\n" +
                          rule +
                          "  x = 1 (1)\n\nViolated property:\n  file a.c line 2\n  first\n\n";
  const std::string two = "[Counterexample]\n\nState 1 file a.c line 1 function g thread 2\n" +
                          rule +
                          "  y = 2 (10)\n\nViolated property:\n  file a.c line 3\n  second\n\n";
  const auto reading = read(one + two + "VERIFICATION FAILED\n");
  CHECK(reading.trace == std::vector<TraceStep>{{2, "g", "y", 2}});
  CHECK(reading.message == "second");
}

TEST_CASE("whether the context bound cut something off") {
  const std::string line = "Schedule reduction: peak_threads 3, pruned_by_cs_bound ";
  CHECK_FALSE(read("VERIFICATION SUCCESSFUL\n" + line + "0\n").context_bound_cut);
  CHECK(read("VERIFICATION SUCCESSFUL\n" + line + "12\n").context_bound_cut);
  CHECK_FALSE(read("VERIFICATION SUCCESSFUL\n").context_bound_cut);
}

TEST_CASE("colours and carriage returns are nothing") {
  const auto reading = read("\x1b[1;31mVERIFICATION FAILED\x1b[0m\r\n");
  CHECK(reading.kind == Kind::Failed);
  CHECK(read("\x1b[").kind == Kind::Garbled);
}
