#include "report/steps.h"
#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

TEST_CASE("a step says what it did, with values") {
  const auto program =
      test::parse("shared bool f; thread bool b;\nprocess P {\n  f = true;\n  b = f;\n"
                  "  fence;\n  cas(f, true, false);\n}");
  const ir::Code code(program);
  const Rules rules;
  const semantics::Machine machine(code, rules);
  semantics::State state = machine.start({0});
  std::vector<std::string> said;
  const auto step = [&](Step::Kind kind) {
    for (const auto& t : machine.transitions(state))
      if (t.step.kind == kind) {
        const auto words = report::describe(code, state, t);
        said.push_back((words.line ? std::to_string(words.line) + ": " : "") + words.statement +
                       " | " + words.effect);
        state = t.after;
        return;
      }
    FAIL("no such step");
  };
  step(Step::Kind::Execute);
  step(Step::Kind::Execute);
  step(Step::Kind::Flush);
  step(Step::Kind::Execute);
  step(Step::Kind::Execute);
  CHECK(said == std::vector<std::string>{"3: f = true | f = true into the buffer",
                                         "4: b = f | reads f = true, its own pending store",
                                         "flush f | f = true reaches memory",
                                         "5: fence | its buffer is empty",
                                         "6: cas(f, true, false) | f from true to false at once"});
}

TEST_CASE("threads of the same name are told apart") {
  const auto program = test::parse("main { spawn Q; spawn Q; } process Q { skip; }");
  const ir::Code code(program);
  semantics::State state;
  for (const std::uint32_t p : {0u, 1u, 1u})
    state.threads.push_back(semantics::start_thread(code, {p}, {}));
  CHECK(report::thread_names(program, state) == std::vector<std::string>{"main", "Q", "Q#2"});
}
