#include "engine/explicit/explicit.h"
#include "report/json.h"
#include "support/parse.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace weir;
using Json = nlohmann::ordered_json;

namespace {
struct Saved {
  explicit Saved(const std::string& text) : program(test::parse(text)), code(program) {
    engine::ExplicitOptions options;
    const auto result = engine::check_explicit(code, options);
    const semantics::Machine machine(code, options.rules);
    const auto played = semantics::replay(machine, std::get<Unsafe>(result.answer.verdict).run);
    json = report::answer_json(code, "explicit", options.rules, result.answer,
                               &std::get<semantics::Playback>(played));
  }
  ir::Program program;
  ir::Code code;
  Json json;
};
const std::string broken = "shared int<0..1> x = *, a[2]; shared bool f; thread bool b; "
                           "process P { b = *; f = true; a[1] = 1; } "
                           "process Q { assert(!(a[1] == 1 && x == 1)); }";
} // namespace

TEST_CASE("a run that was written reads back and replays") {
  const Saved saved(broken);
  CHECK(saved.json["verdict"] == "unsafe");
  CHECK(saved.json["violation"]["kind"] == "assert");
  const auto read = report::read_run(saved.code, saved.json.dump());
  REQUIRE(std::holds_alternative<report::SavedRun>(read));
  const auto& run = std::get<report::SavedRun>(read);
  const semantics::Machine machine(saved.code, run.rules);
  const auto again = semantics::replay(machine, Run{run.initial, run.steps, *run.violation});
  CHECK(std::holds_alternative<semantics::Playback>(again));
}

TEST_CASE("a damaged run is refused with a reason") {
  const Saved saved(broken);
  const auto refused = [&](const Json& json) {
    return std::holds_alternative<std::string>(report::read_run(saved.code, json.dump()));
  };
  CHECK(std::holds_alternative<std::string>(report::read_run(saved.code, "not json")));
  CHECK(std::holds_alternative<std::string>(report::read_run(saved.code, "[1]")));
  Json json = saved.json;
  SUBCASE("no run") { json.erase("run"); }
  SUBCASE("a thread below zero") { json["run"]["steps"][0]["thread"] = -1; }
  SUBCASE("an unknown kind of step") { json["run"]["steps"][0]["kind"] = "jump"; }
  SUBCASE("another program") { json["run"]["initial"]["zzz"] = 1; }
  SUBCASE("a variable missing") { json["run"]["initial"].erase("f"); }
  SUBCASE("an unknown model") { json["question"]["model"] = "arm"; }
  SUBCASE("a text for a number") { json["question"]["depth"] = "deep"; }
  CHECK(refused(json));
}
