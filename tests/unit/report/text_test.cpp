#include "report/text.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {
struct Played {
  Played()
      : program(test::parse("shared int x;\nprocess P { x = 1; }\nprocess Q { int r = x; }")),
        code(program) {
    const semantics::Machine machine(code, rules);
    const auto played = semantics::play(machine, {0},
                                        {{0, Step::Kind::Execute, 0, {}},
                                         {0, Step::Kind::Flush, 0, {0}},
                                         {1, Step::Kind::Execute, 0, {}}});
    playback = std::get<semantics::Playback>(played);
  }
  ir::Program program;
  ir::Code code;
  Rules rules;
  semantics::Playback playback;
};
} // namespace

TEST_CASE("a run has one column per thread, then effect, buffers and memory") {
  const Played p;
  CHECK(report::run_text(p.code, p.playback, {}) ==
        "  step  P         Q         what                   store buffers  memory\n"
        "                                                                  x=0\n"
        "     1  2: x = 1            x = 1 into the buffer  P: x=1         x=0\n"
        "     2  flush x             x = 1 reaches memory                  x=1\n"
        "     3            3: r = x  reads x = 1                           x=1\n");
}

TEST_CASE("a narrow terminal gets one step per paragraph") {
  const Played p;
  const std::string text = report::run_text(p.code, p.playback, {false, 40});
  CHECK(text.find("     1  P  2: x = 1\n        x = 1 into the buffer\n        buffers  P: x=1\n"
                  "        memory   x=0\n") != std::string::npos);
}

TEST_CASE("colours take no room") {
  const Played p;
  CHECK(report::run_text(p.code, p.playback, {true, 80}).find("store buffers  memory") !=
        std::string::npos);
}

TEST_CASE("rules read as a sentence") {
  Rules rules;
  rules.buffer = 3;
  rules.bound = {Bound::Kind::Rounds, 2};
  CHECK(report::rules_text(rules) == "TSO, 3 rounds per thread, buffers of 3");
}
