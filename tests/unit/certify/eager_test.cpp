// The rules of src/certify against TSO itself: a backward search by them finds what an explicit
// search of TSO finds.
#include "certify/eager.h"

#include "certify/certify.h"
#include "certify/invariants.h"
#include "support/eager_dual.h"
#include "support/settings.h"

#include <doctest/doctest.h>

#include <array>

using namespace weir;
using test::automata;

namespace {

/// Both say whether a target can be reached; TSO was seen completely.
void check_reached(const lower::Automata& a, bool reached) {
  const auto tso = test::explore_tso(a, 8);
  CHECK(tso.complete);
  CHECK(tso.reached == reached);
  CHECK(test::prove(a).has_value() == !reached);
}

} // namespace

TEST_CASE("an own-message of a read is put at the oldest end") {
  check_reached(automata("var x 0 1 = 0\nvar y 0 1 = 0\nvar z 0 1 2 = 0\nvar u 0 1 = 0\n"
                         "thread P\n0 w x 1 1\n1 w y 1 2\n2 r x 1 3\n3 r u 0 4\n4 r z 1 5\n"
                         "thread Q\n0 w u 1 1\n1 f 2\n2 r x 0 3\n3 r x 1 4\n4 w z 1 5\n5 w z 2 6\n"
                         "6 f 7\n7 r y 0 8\n"
                         "target 5 8\n"),
                true);
}

TEST_CASE("a read that meets the oldest message but does not contain it has two predecessors") {
  check_reached(automata("var x 0 1 2 = 0\nvar y 0 1 = 0\nvar z 0 1 = 0\n"
                         "thread P\n0 w z 1 1\n1 r x 0,1 2\n2 r x 1,2 3\n3 w y 1 4\n"
                         "thread Q\n0 w x 2 1\n1 f 2\n2 r z 0 3\n3 r y 1 4\n4 w x 1 5\n"
                         "target 4 5\n"),
                true);
}

TEST_CASE("a read that contains the oldest message may have read an older one, before an own one") {
  // Verdicts would be the same without it, but then the set of elements would not be closed.
  const auto a = automata("var x 0 1 = 0\nvar y 0 1 = 0\nthread P\n0 w y 1 1\n1 r x 0,1 2\n"
                          "target 2\n");
  const lower::Among one{0, lower::ValueSet{2}}, both{0, lower::ValueSet{3}};
  certify::Element after = certify::element_of(a, a.targets[0]);
  after.buffers[0] = {{one}, {{1, lower::ValueSet{2}, 0}}};
  std::vector<certify::Predecessor> before;
  certify::Steps(a).predecessors(after, before);
  std::vector<certify::Buffer> by_read;
  for (const auto& predecessor : before)
    if (predecessor.transition != nullptr) by_read.push_back(predecessor.element.buffers[0]);
  REQUIRE(by_read.size() == 3);
  CHECK(by_read[1] == certify::Buffer{{one}, {{1, lower::ValueSet{2}, 1}}});
  CHECK(by_read[2] == certify::Buffer{{one, both}, {{1, lower::ValueSet{2}, 1}}});
}

TEST_CASE("an element subsumes what has more messages, in order, and fewer values") {
  const auto a = automata("var x 0 1 = 0\nvar y 0 1 = 0\nthread P\n0 w y 1 1\ntarget 1\n");
  const lower::ValueSet zero{1}, one{2}, any{3};
  const lower::Among x0{0, zero}, x1{0, one}, x{0, any}, y1{1, one};
  const auto covers = [&](const certify::Buffer& wide, const certify::Buffer& narrow) {
    certify::Element w = certify::element_of(a, a.targets[0]), n = w;
    w.buffers[0] = wide;
    n.buffers[0] = narrow;
    return certify::subsumes(a, w, n);
  };
  CHECK(covers({}, {{x0, y1}, {{1, one, 0}}}));
  CHECK(covers({{x}, {}}, {{x0}, {}}));
  CHECK_FALSE(covers({{x0}, {}}, {{x}, {}}));
  CHECK(covers({{x0, x1}, {}}, {{x0, y1, x1}, {}}));
  CHECK_FALSE(covers({{x0, x1}, {}}, {{x1, x0}, {}}));
  CHECK(covers({{x, x0}, {}}, {{x0}, {}})); // one message does for both
  CHECK_FALSE(covers({{x0, x1}, {}}, {{x}, {}}));
  CHECK_FALSE(covers({{x0, y1, x0}, {}}, {{x0, y1}, {}}));
  CHECK_FALSE(covers({{}, {{1, one, 0}}}, {{x0}, {}}));
  CHECK(covers({{}, {{1, any, 0}}}, {{}, {{1, one, 0}}}));
  CHECK_FALSE(covers({{}, {{1, one, 0}}}, {{}, {{1, any, 0}}}));
  // What is older than an own-message must be so there too; what is newer need not be.
  CHECK(covers({{x0}, {{1, one, 0}}}, {{x0}, {{1, one, 1}}}));
  CHECK_FALSE(covers({{x0}, {{1, one, 1}}}, {{x0}, {{1, one, 0}}}));
  CHECK(covers({{x0}, {{1, one, 1}}}, {{x0, x0}, {{1, one, 1}}}));
  CHECK(covers({{x0, x}, {{1, one, 2}}}, {{x0, x0}, {{1, one, 1}}}));
  CHECK_FALSE(covers({{x0, x1}, {{1, one, 2}}}, {{x0, x1}, {{1, one, 1}}}));
  CHECK_FALSE(covers({{x0}, {{1, one, 1}}}, {{x0, x1}, {{1, one, 1}}}));
  // The first one that fits is too new for the second message.
  CHECK(covers({{x, x1}, {{1, one, 1}}}, {{x0, x1, x1}, {{1, one, 1}}}));
}

TEST_CASE("an atomic step cannot come before own messages or messages") {
  const auto a = automata("var x 0 1 = 0\nthread P\n0 f 1\ntarget 1\n");
  certify::Element after = certify::element_of(a, a.targets[0]);
  std::vector<certify::Predecessor> before;
  certify::Steps(a).predecessors(after, before);
  CHECK(before.size() == 1);
  after.buffers[0].own = {{0, lower::ValueSet{2}, 0}};
  certify::Steps(a).predecessors(after, before);
  CHECK(before.empty());
  after.buffers[0] = {{{0, lower::ValueSet{2}}}, {}};
  certify::Steps(a).predecessors(after, before);
  REQUIRE(before.size() == 1);
  CHECK(before[0].transition == nullptr);
}

TEST_CASE("memory starts with one value, not with one for each message") {
  check_reached(automata("var x 0 1 = 0 1\n"
                         "thread P\n0 r x 0 1\nthread Q\n0 r x 1 1\ntarget 1 1\n"),
                false);
}

TEST_CASE("stores may be pending when another thread stops the program inside a section") {
  check_reached(automata("var x 0 1 = 0\n"
                         "thread P\n0 a x=0 1\nhold 1\nthread Q\n0 w x 1 1\ntarget 1 1\n"),
                true);
  // What is pending does not become visible any more, and what the section wrote is not seen.
  check_reached(automata("var x 0 1 = 0\nvar y 0 1 = 0\n"
                         "thread P\n0 a x=0 y:=1 1\nhold 1\n"
                         "thread Q\n0 w x 1 1\n1 r y 1 2\ntarget 1 2\n"),
                false);
  check_reached(automata("var x 0 1 = 0\n"
                         "thread P\n0 a x=0 1\nhold 1\nthread Q\n0 w x 1 1\n1 f 2\ntarget 1 2\n"),
                false);
}

TEST_CASE("two threads are never inside sections at once") {
  check_reached(automata("var x 0 1 = 0\n"
                         "thread P\n0 f 1\nhold 1\nthread Q\n0 f 1\nhold 1\ntarget 1 1\n"),
                false);
}

TEST_CASE("an atomic step reads and writes several variables at once") {
  const std::string two = "var x 0 1 = 0\nvar y 0 1 = 0\n"
                          "thread P\n0 a x=0 y=0 x:=1 y:=1 1\n"
                          "thread Q\n";
  check_reached(automata(two + "0 r x 1 1\n1 r y 0 2\ntarget 1 2\n"), false);
  check_reached(automata(two + "0 a x=1 y=1 1\ntarget 1 1\n"), true);
  check_reached(automata(two + "0 w x 1 1\ntarget 1 1\n"), true);
  check_reached(automata(two + "0 w x 1 1\n1 f 2\n2 a x:=0 y=0 3\ntarget 1 3 x=1\n"), true);
}

TEST_CASE("memory of a target is what is there when all buffers have been emptied") {
  const std::string both = "var x 0 1 2 = 0\nthread P\n0 w x 1 1\nthread Q\n0 w x 2 1\n";
  check_reached(automata(both + "target 1 1 x=1\n"), true);
  check_reached(automata(both + "target 1 1 x=0\n"), false);
}

TEST_CASE("random programs without loops: the same answer as all of TSO") {
  const auto first = test::setting("WEIR_SEED", 0), count = test::setting("WEIR_PROGRAMS", 4000);
  std::size_t reached = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const auto a = test::random_automata(seed, false);
    const auto tso = test::explore_tso(a, 10);
    REQUIRE(tso.complete);
    const auto proof = test::prove(a);
    REQUIRE(proof.has_value() == !tso.reached);
    if (proof) REQUIRE(std::holds_alternative<certify::Accepted>(certify::certify(a, *proof, {})));
    reached += tso.reached;
  }
  CHECK(reached > count / 8);
  CHECK(reached < count - count / 8);
}

TEST_CASE("random programs with loops: nothing that TSO reaches is proved unreachable") {
  const auto first = test::setting("WEIR_SEED", 0), count = test::setting("WEIR_PROGRAMS", 400);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const auto a = test::random_automata(seed, true);
    const auto proof = test::prove(a);
    if (!proof) continue;
    REQUIRE_FALSE(test::explore_tso(a, 3).reached);
    const auto judgement = certify::certify(a, *proof, {});
    if (const auto* rejected = std::get_if<certify::Rejected>(&judgement))
      FAIL(rejected->reason << "\n" << lower::print(a));
  }
}

TEST_CASE("an own message has the values of all its reads") {
  // The way by state 4 cannot be taken, but the invariants do not see that.
  check_reached(automata("var x 0 1 2 = 0\nvar y 0 1 = 0\n"
                         "thread P\n0 w x 2 1\n1 r x 0,1 2\n2 r x 1,2 3\n"
                         "0 r y 1 4\n4 w x 1 2\n4 w x 2 2\n"
                         "target 3\n"),
                false);
}

TEST_CASE("what the invariants say") {
  const auto a = automata("var x 0 1 2 = 0\nvar y 0 1 2 = 0 1\n"
                          "thread P\n0 w x 1 1\n0 w x 2 1\n1 r x 1 2\n1 f 3\n1 a x=1,0 y=0 4\n"
                          "group 1 4\n"
                          "thread Q\n0 a y=1 1\ntarget 0 0\n");
  const certify::Invariants invariants(a);
  // Values of x and y in memory, and of an own x; 0 if there can be none.
  const auto left = [&](lower::StateIndex p, lower::StateIndex q, bool own) {
    certify::Element e = certify::element_of(a, a.targets[0]);
    e.at = {p, q};
    if (own) e.buffers[0].own = {{0, lower::ValueSet{7}, 0}};
    if (!invariants.narrow(e)) return std::array<unsigned long, 3>{};
    return std::array<unsigned long, 3>{e.memory[0].to_ulong(), e.memory[1].to_ulong(),
                                        own ? e.buffers[0].own[0].values.to_ulong() : 0};
  };
  using Left = std::array<unsigned long, 3>;
  CHECK(left(0, 0, false) == Left{1, 3, 0});
  CHECK(left(0, 0, true) == Left{});
  CHECK(left(1, 0, false) == Left{6, 3, 0});
  CHECK(left(1, 0, true) == Left{6, 3, 6});
  CHECK(left(2, 0, false) == Left{6, 3, 0}); // That x==1 was read is not used for memory,
  CHECK(left(2, 0, true) == Left{2, 3, 2});  // but for the own store, which is the last one.
  CHECK(left(3, 0, false) == Left{6, 3, 0});
  CHECK(left(3, 0, true) == Left{}); // Behind a fence no own store is pending.
  CHECK(left(4, 0, false) == Left{2, 1, 0});
  CHECK(left(4, 1, false) == Left{}); // Both have seen y, which nobody writes.
  CHECK(left(5, 1, false) == Left{6, 2, 0});
}

TEST_CASE("the invariants hold wherever Dual-TSO goes") {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    const auto a = test::random_automata(seed, true);
    const certify::Invariants invariants(a);
    test::wander(a, seed, 60, [&](const certify::Element& visited) {
      certify::Element narrowed = visited;
      REQUIRE(invariants.narrow(narrowed));
      REQUIRE(narrowed == visited);
    });
  }
}
