#include "support/fences.h"

#include "decide/race.h"
#include "engine/explicit/explicit.h"
#include "frontend/changes.h"

#include <doctest/doctest.h>

namespace weir::test {

fence::Decide decide() {
  return [](const ir::Code& code, const Rules& rules, const Limits& limits, bool) {
    if (rules.model == Model::TSO)
      return decide::check_auto(code, rules, limits, {}, decide::Runs::AsFound).answer;
    engine::ExplicitOptions options;
    options.rules = rules;
    options.limits = limits;
    return engine::check_explicit(code, options).answer;
  };
}

fence::Result search(const ir::Program& program, const std::vector<fence::Place>& places,
                     const Rules& rules) {
  fence::Options options;
  options.rules = rules;
  options.decide = decide();
  options.limits.seconds = 20;
  return fence::Search(program, places, options).run();
}

std::vector<fence::Place> gaps(const ir::Program& program, const fence::Placement& placement) {
  auto found = fence::places(program, placement);
  REQUIRE(std::holds_alternative<std::vector<fence::Place>>(found));
  return std::get<0>(std::move(found));
}

std::string with_fences(const ir::Program& program, const std::vector<fence::Place>& places) {
  using Kind = frontend::Change::Kind;
  std::vector<frontend::Change> changes;
  for (const fence::Place& place : places)
    changes.push_back(
        {place.statement, place.side == fence::Side::After ? Kind::FenceAfter : Kind::FenceBefore});
  return edited(*program.source, frontend::edits(program, changes));
}

} // namespace weir::test
