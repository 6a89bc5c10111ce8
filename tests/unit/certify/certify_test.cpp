#include "certify/certify.h"

#include "certify/eager.h"
#include "certify/invariants.h"
#include "support/eager_dual.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

using namespace weir;
using namespace weir::certify;

namespace {

struct Example {
  std::string name;
  std::string text;
};

/// All are safe.
const Example examples[] = {
    {"store buffering with fences", "var x 0 1 = 0\nvar y 0 1 = 0\n"
                                    "thread P\n0 w x 1 1\n1 f 2\n2 r y 0 3\n"
                                    "thread Q\n0 w y 1 1\n1 f 2\n2 r x 0 3\n"
                                    "target 3 3\n"},
    {"message passing", "var x 0 1 = 0\nvar y 0 1 = 0\n"
                        "thread P\n0 w x 1 1\n1 w y 1 2\n"
                        "thread Q\n0 r y 1 1\n1 r x 0 2\n"
                        "target 2 2\n"},
    {"a lock taken by an atomic step", "var l 0 1 = 0\nvar c 0 1 = 0\n"
                                       "thread P\n0 a l=0 l:=1 1\n1 w c 1 2\n2 r c 1 3\n3 w c 0 4\n"
                                       "4 w l 0 0\n"
                                       "thread Q\n0 a l=0 l:=1 1\n1 r c 1 2\n1 r c 0 3\n3 w l 0 0\n"
                                       "target 0 2\ntarget 1 1\ntarget 3 3\n"},
    {"Peterson with fences", "var f 0 1 = 0\nvar g 0 1 = 0\nvar t 0 1 = 0\n"
                             "thread P\n0 w f 1 1\n1 w t 1 2\n2 f 3\n3 r g 0 5\n3 r g 1 4\n"
                             "4 r t 0 5\n4 r t 1 3\n5 w f 0 0\n"
                             "thread Q\n0 w g 1 1\n1 w t 0 2\n2 f 3\n3 r f 0 5\n3 r f 1 4\n"
                             "4 r t 1 5\n4 r t 0 3\n5 w g 0 0\n"
                             "target 5 5\n"},
    {"a value that goes round, with set-reads",
     "var x 0 1 2 = 0\nvar y 0 1 2 = 0\n"
     "thread P\n0 w x 1 1\n1 w y 1 2\n2 r x 0,1 3\n3 w x 2 4\n4 r x 0,1 5\n4 w y 2 0\n"
     "thread Q\n0 r y 1,2 1\n1 r x 0 2\n1 r x 1,2 0\n"
     "target 5 0\ntarget 0 2\ntarget 4 2\n"},
    {"threads that may be anywhere", "var x 0 1 2 = 0\nvar y 0 1 = 0\n"
                                     "thread P\n0 w x 1 1\n1 w y 1 2\ngroup 1 2\n"
                                     "thread Q\n0 r y 1 1\n1 r x 0 2\n"
                                     "thread R\n0 r y 1 1\n1 w x 2 2\n2 w x 1 1\n3 n 3\n"
                                     "group 0 1 2\ngroup 1 2\n"
                                     "target 3 2 4\ntarget 3 2 5\n"},
    {"memory at the end", "var c 0 1 2 = 0\nvar d 0 1 = 0\n"
                          "thread P\n0 a c=0 c:=1 1\n0 a c=1 c:=2 1\n1 w d 1 2\n"
                          "thread Q\n0 a c=0 c:=1 1\n0 a c=1 c:=2 1\n"
                          "target 2 1 c=0,1\ntarget 2 0 d=0\ntarget 1 1 c=1\n"},
    {"a section", "var l 0 1 = 0\nvar x 0 1 = 0\n"
                  "thread P\n0 a l=0 l:=1 1\n1 a x=1 2\nhold 2\n"
                  "thread Q\n0 a l=0 l:=1 1\n1 w x 1 2\n2 w x 0 3\n3 w l 0 0\ngroup 0 1 2 3\n"
                  "target 2 4\n"},
};

std::string reason(const Judgement& judgement) {
  if (const auto* rejected = std::get_if<Rejected>(&judgement)) return rejected->reason;
  return std::holds_alternative<Accepted>(judgement) ? "accepted" : "stopped";
}

/// "accepted", or why not; through a file.
std::string judge(const lower::Automata& a, const Certificate& certificate) {
  std::stringstream file;
  write(file, a, certificate);
  const auto result = read(file, a);
  if (const auto* unreadable = std::get_if<Unreadable>(&result)) return unreadable->message;
  return reason(certify::certify(a, std::get<Certificate>(result), {}));
}

/// Whether two elements stand for the same configurations that can be.
bool same(const lower::Automata& a, Element first, Element second) {
  const Invariants invariants(a);
  return invariants.narrow(first) && invariants.narrow(second) &&
         certify::subsumes(a, first, second) && certify::subsumes(a, second, first);
}

using Tampered = std::vector<Element>;

/// All ways to add a value to a set of the element or to take one from it.
void change_set(const lower::Automata& a, const Element& e, lower::VariableIndex x,
                lower::ValueSet& set, Tampered& out) {
  for (std::uint32_t v = 0; v < a.variables[x].size(); ++v) {
    set.flip(v);
    out.push_back(e);
    set.flip(v);
  }
}

void change_sets(const lower::Automata& a, Element e, Tampered& out) {
  for (lower::VariableIndex x = 0; x < e.memory.size(); ++x) change_set(a, e, x, e.memory[x], out);
  for (Buffer& buffer : e.buffers) {
    for (auto& [x, set] : buffer.messages) change_set(a, e, x, set, out);
    for (Own& own : buffer.own) change_set(a, e, own.variable, own.values, out);
  }
}

/// `buffer` is one of the element.
void change_messages(const lower::Automata& a, const Element& e, Buffer& buffer, Tampered& out) {
  const Buffer whole = buffer;
  for (std::size_t i = 0; i < whole.messages.size(); ++i) {
    buffer.messages.erase(buffer.messages.begin() + i);
    for (Own& own : buffer.own)
      own.older = std::min(own.older, std::uint32_t(buffer.messages.size()));
    out.push_back(e);
    buffer = whole;
    if (i + 1 == whole.messages.size() || whole.messages[i] == whole.messages[i + 1]) continue;
    std::swap(buffer.messages[i], buffer.messages[i + 1]);
    out.push_back(e);
    buffer = whole;
  }
  for (std::size_t i = 0; i <= whole.messages.size(); ++i)
    for (lower::VariableIndex x = 0; x < a.variables.size(); ++x)
      for (const auto& set : {a.variables[x].all(), lower::ValueSet{1}, lower::ValueSet{2}}) {
        buffer.messages.insert(buffer.messages.begin() + i, {x, set});
        out.push_back(e);
        buffer = whole;
      }
}

void change_own(const lower::Automata& a, const Element& e, Buffer& buffer, Tampered& out) {
  const Buffer whole = buffer;
  for (std::size_t i = 0; i < whole.own.size(); ++i) {
    buffer.own.erase(buffer.own.begin() + i);
    out.push_back(e);
    buffer = whole;
    for (std::uint32_t older = 0; older <= whole.messages.size() + 1; ++older) {
      if (older == whole.own[i].older) continue;
      buffer.own[i].older = older;
      out.push_back(e);
      buffer = whole;
    }
  }
  for (lower::VariableIndex x = 0; x < a.variables.size(); ++x)
    for (std::uint32_t v = 0; v < a.variables[x].size(); ++v)
      for (std::uint32_t older = 0; older <= whole.messages.size(); ++older) {
        const auto place = std::ranges::lower_bound(buffer.own, x, {}, &Own::variable);
        buffer.own.insert(place, {x, lower::ValueSet{}.set(v), older});
        out.push_back(e);
        buffer = whole;
      }
}

void change_states(const lower::Automata& a, Element e, Tampered& out) {
  for (ThreadIndex p = 0; p < e.at.size(); ++p) {
    const auto here = e.at[p];
    for (lower::StateIndex s = 0; s <= a.threads[p].size(); ++s) {
      e.at[p] = s;
      if (s != here) out.push_back(e);
    }
    e.at[p] = here;
  }
}

Tampered tamperings(const lower::Automata& a, const Element& e) {
  Tampered out;
  change_sets(a, e, out);
  change_states(a, e, out);
  for (ThreadIndex p = 0; p < e.at.size(); ++p) {
    Element copy = e;
    change_messages(a, copy, copy.buffers[p], out);
    change_own(a, copy, copy.buffers[p], out);
  }
  return out;
}

} // namespace

TEST_CASE("what a backward search finds is accepted") {
  for (const Example& example : examples) {
    CAPTURE(example.name);
    const auto a = test::automata(example.text);
    CHECK_FALSE(test::explore_tso(a, 4).reached);
    const auto proof = test::prove(a);
    REQUIRE(proof.has_value());
    CHECK(judge(a, *proof) == "accepted");
  }
}

TEST_CASE("no element can be left out") {
  for (const Example& example : examples) {
    CAPTURE(example.name);
    const auto a = test::automata(example.text);
    const auto proof = test::prove(a);
    for (std::size_t i = 0; i < proof->elements.size(); ++i) {
      Certificate less = *proof;
      less.elements.erase(less.elements.begin() + i);
      CAPTURE(i);
      CHECK(judge(a, less) != "accepted");
    }
  }
}

TEST_CASE("no element can be there twice") {
  for (const Example& example : examples) {
    const auto a = test::automata(example.text);
    const auto proof = test::prove(a);
    for (const Element& element : proof->elements) {
      Certificate more = *proof;
      more.elements.push_back(element);
      CHECK(judge(a, more).find("is covered by element") != std::string::npos);
    }
  }
}

// A change that only adds values which the invariants exclude anyway, or takes such away, or repeats a
// message, gives an element that stands for the same configurations: it is accepted, and rightly so. Why every other
// change of one element is rejected: README.md in src/certify.
TEST_CASE("no element can be changed, replaced or added") {
  std::size_t tried = 0, equal = 0;
  for (const Example& example : examples) {
    CAPTURE(example.name);
    const auto a = test::automata(example.text);
    const auto proof = test::prove(a);
    for (std::size_t i = 0; i < proof->elements.size(); ++i) {
      for (const Element& tampered : tamperings(a, proof->elements[i])) {
        Certificate changed = *proof, more = *proof;
        changed.elements[i] = tampered;
        more.elements.push_back(tampered);
        // Not through a file, which cannot even say everything.
        const bool other = reason(certify::certify(a, changed, {})) != "accepted";
        ++tried;
        if (!other) {
          ++equal;
          REQUIRE(same(a, proof->elements[i], tampered));
        } else {
          REQUIRE(judge(a, changed) != "accepted");
        }
        REQUIRE(judge(a, more) != "accepted");
      }
    }
  }
  CHECK(tried > 5000);
  CHECK(equal < tried / 8);
}

TEST_CASE("the order of elements does not matter") {
  for (const Example& example : examples) {
    const auto a = test::automata(example.text);
    auto proof = test::prove(a);
    std::ranges::reverse(proof->elements);
    CHECK(judge(a, *proof) == "accepted");
  }
}

TEST_CASE("a certificate is of one program") {
  const auto a = test::automata(examples[0].text);
  const std::string unfenced = "var x 0 1 = 0\nvar y 0 1 = 0\n"
                               "thread P\n0 w x 1 1\n1 n 2\n2 r y 0 3\n"
                               "thread Q\n0 w y 1 1\n1 f 2\n2 r x 0 3\n"
                               "target 3 3\n";
  const std::string more_fenced = "var x 0 1 = 0\nvar y 0 1 = 0\n"
                                  "thread P\n0 a x:=1 1\n1 f 2\n2 r y 0 3\n"
                                  "thread Q\n0 w y 1 1\n1 f 2\n2 r x 0 3\n"
                                  "target 3 3\n";
  for (const std::string& other : {unfenced, more_fenced}) {
    auto proof = test::prove(a);
    const auto b = test::automata(other);
    CHECK(judge(b, *proof) ==
          "line 1: the certificate was made for another program (or the program was changed)");
    CHECK(reason(certify::certify(b, *proof, {})) ==
          "the certificate was made for another program (or the program was changed)");
  }
  // With the fingerprint forged it is looked at, and is a proof only if it is one.
  auto forged = test::prove(a);
  forged->fingerprint = fingerprint(test::automata(unfenced));
  CHECK(judge(test::automata(unfenced), *forged).find("is not closed: ") != std::string::npos);
}

TEST_CASE("every target is looked at") {
  auto a = test::automata(examples[2].text);
  auto proof = test::prove(a);
  a.targets.push_back({{0, 0}, {}});
  proof->fingerprint = fingerprint(a);
  CHECK(judge(a, *proof) == "target 4 is not covered by any element");
  a.targets.erase(a.targets.begin(), a.targets.begin() + 1);
  a.targets.pop_back();
  proof->fingerprint = fingerprint(a);
  CHECK(judge(a, *proof).find("is neither a target nor a predecessor") != std::string::npos);
}

TEST_CASE("reasons name the element, the thread and the transition") {
  const auto a = test::automata("var x 0 1 = 0 1\nthread P(0)\n0 r x 1 1\n1 w x 1 2\ntarget 2\n");
  Certificate certificate{"", fingerprint(a), {}};
  CHECK(judge(a, certificate) == "target 1 is not covered by any element");
  const lower::ValueSet all{3}, one{2};
  certificate.elements.push_back({{2}, {all}, {{}}});
  CHECK(judge(a, certificate) ==
        "element 1 is not closed: P(0) writing x:=1 from state 1 to state 2 "
        "has a predecessor that no element covers");
  certificate.elements.push_back({{1}, {all}, {{}}});
  CHECK(judge(a, certificate) == "element 2 is not closed: P(0) reading x in {1} from state 0 to "
                                 "state 1 has a predecessor that no element covers");
  certificate.elements.push_back({{0}, {all}, {{{{0, one}}, {}}}});
  CHECK(judge(a, certificate) == "element 3 is not closed: P(0) being sent a message has a "
                                 "predecessor that no element covers");
  certificate.elements.push_back({{0}, {all}, {{}}});
  CHECK(judge(a, certificate) == "element 4 is where the program starts");
}

TEST_CASE("elements that make no sense are rejected") {
  const auto a = test::automata(examples[5].text);
  const auto proof = test::prove(a);
  const auto changed = [&](auto change) {
    Certificate certificate = *proof;
    change(certificate.elements[0]);
    return reason(certify::certify(a, certificate, {}));
  };
  const lower::ValueSet one{2};
  CHECK(changed([](Element& e) { e.at.pop_back(); }) ==
        "element 1 does not have the threads and variables of the program");
  CHECK(changed([](Element& e) { e.at[0] = 99; }) ==
        "element 1 is at a state that P does not have");
  CHECK(changed([](Element& e) { e.memory[0].reset(); }) == "element 1 has an empty set for x");
  CHECK(changed([](Element& e) { e.memory[1].set(2); }) == "element 1 has no such value of y");
  CHECK(changed([&](Element& e) {
          e.buffers[0].messages = {{0, one}};
        }) == "element 1 says something of the buffer of P, which is in a group");
  CHECK(changed([&](Element& e) {
          e.buffers[1].messages = {{9, one}};
        }) == "element 1 has a message of a variable that does not exist");
  CHECK(changed([&](Element& e) {
          e.buffers[1].own = {{9, one, 0}};
        }) == "element 1 has an own store to a variable that does not exist");
  CHECK(changed([&](Element& e) {
          e.buffers[1].own = {{0, one, 1}};
        }) == "element 1 has too few messages older than an own store");
  CHECK(changed([&](Element& e) {
          e.buffers[1] = {{{0, one}}, {{0, one, 1}}};
        }) == "element 1 has a message that is older than the own store to its variable");
  CHECK(changed([&](Element& e) {
          e.buffers[1].own = {{0, one, 0}, {0, one, 0}};
        }) == "element 1 has own stores out of order");
}

TEST_CASE("automata whose groups or sections are not what the rules need are refused") {
  const auto told = [](lower::Automata a) {
    return reason(certify::certify(a, {"", fingerprint(a), {}}, {}));
  };
  auto a = test::automata(examples[5].text);
  a.threads[0].transitions.pop_back();
  CHECK(told(a) == "group 3 of P lacks the transition from state 1 to state 2");
  a = test::automata(examples[5].text);
  a.threads[2].initial[4] = false;
  CHECK(told(a) == "group 4 of R starts in a member but not there");
  a.threads[2].holds_section[4] = true;
  a.threads[2].initial[4] = true;
  CHECK(told(a) == "group 4 of R holds the section but a member does not");
  CHECK(told(test::automata("var x 0 1 = 0\nthread P\n0 w x 1 1\nhold 1\ntarget 1\n")) ==
        "P enters a section by a step that is not atomic, to state 1");
  CHECK(told(test::automata("var x 0 1 = 0\nthread P\n0 f 1\n1 n 2\nhold 1\ntarget 1\n")) ==
        "P leaves a section from state 1");
}

TEST_CASE("an element may be justified by way of what it covers") {
  // The read gives {x} in the buffer with x==1 in memory, which propagating makes wider: only the
  // wider one is kept, and it is no predecessor of an element by one step.
  const auto a = test::automata("var x 0 1 2 = 0\nthread P\n0 r x 1 1\nthread Q\n0 w x 2 0\n"
                                "thread R\n0 w x 0 0\ntarget 1 0 0 x=1\n");
  const auto proof = test::prove(a);
  REQUIRE(proof.has_value());
  CHECK(proof->elements.size() == 2);
  CHECK(judge(a, *proof) == "accepted");
}

TEST_CASE("the check stops when it is told to") {
  const auto a = test::automata(examples[3].text);
  const auto proof = test::prove(a);
  const std::atomic<bool> interrupted = true;
  Limits limits;
  limits.seconds = 0;
  CHECK(std::holds_alternative<Stopped>(certify::certify(a, *proof, limits)));
  limits = {};
  limits.interrupted = &interrupted;
  CHECK(std::holds_alternative<Stopped>(certify::certify(a, *proof, limits)));
}

TEST_CASE("the invariants hold in the examples too") {
  for (const Example& example : examples) {
    CAPTURE(example.name);
    const auto a = test::automata(example.text);
    const Invariants invariants(a);
    for (std::uint64_t seed = 0; seed < 200; ++seed)
      test::wander(a, seed, 100, [&](const Element& visited) {
        Element narrowed = visited;
        REQUIRE(invariants.narrow(narrowed));
        REQUIRE(narrowed == visited);
      });
  }
}
