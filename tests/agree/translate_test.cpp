// The translation against bounded TSO: both theorems on seeded random programs, and each trap that
// the translation avoids, put back, is found. WEIR_PROGRAMS sets how many, WEIR_SEED the first seed.

#include "crosscheck/theorems.h"
#include "ir/print.h"
#include "support/parse.h"
#include "support/random_program.h"
#include "support/settings.h"
#include "support/shrink.h"
#include "translate/paper.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace weir::test {
namespace {

constexpr Bound::Kind kinds[] = {Bound::Kind::Rounds, Bound::Kind::Age};

Limits small() {
  Limits limits;
  limits.bytes = std::uint64_t{32} << 20;
  limits.seconds = 2;
  return limits;
}

crosscheck::Comparison comparison(const ir::Program& program, Bound bound,
                                  translate::Trap trap = translate::Trap::None) {
  return crosscheck::compare(program, translate::translate_paper(program, bound, trap), small());
}

TEST_CASE("both theorems hold on random programs") {
  const std::uint64_t count = setting("WEIR_PROGRAMS", 150);
  const std::uint64_t first = setting("WEIR_SEED", 1);
  MESSAGE("seeds " << first << " to " << first + count - 1);
  std::size_t whole = 0, asked = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::Program program = parse(random_program(seed, {3, true}));
    for (const auto kind : kinds)
      for (std::uint32_t k = 0; k < 3; ++k) {
        const Bound bound{kind, k};
        const auto result = comparison(program, bound);
        ++asked;
        whole += result.incomplete.empty();
        if (!result.difference) continue;
        const auto smallest = shrink(program, [&](const ir::Program& smaller) {
          return comparison(smaller, bound).difference.has_value();
        });
        const auto again = comparison(smallest, bound);
        FAIL("seed " << seed << ", " << name(kind) << " " << k << ": " << result.difference->what
                     << "\nsmallest program:\n"
                     << ir::print(smallest) << "\nthere: "
                     << (again.difference ? again.difference->what : ""));
      }
  }
  MESSAGE(whole << " of " << asked << " questions were small enough to compare whole");
  CHECK(whole * 10 > asked * 9);
}

} // namespace
} // namespace weir::test
