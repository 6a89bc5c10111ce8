#include "certify/certificate.h"

#include "support/eager_dual.h"

#include <doctest/doctest.h>

#include <cctype>
#include <sstream>

using namespace weir;
using namespace weir::certify;

namespace {

lower::Automata two_threads() {
  return test::automata("var x 0 1 2 = 0\nvar y no yes = no\n"
                        "thread P(0)\n0 w x 1 1\n1 r y no 2\n"
                        "thread P(1)\n0 w y yes 1\n1 r x 0 2\n"
                        "target 2 2\n");
}

lower::ValueSet set(unsigned bits) { return lower::ValueSet{bits}; }

Certificate some_certificate(const lower::Automata& a) {
  const Element plain{{2, 2}, {set(7), set(3)}, {{}, {}}};
  const Buffer full{{{1, set(1)}, {0, set(6)}}, {{0, set(2), 0}, {1, set(1), 1}}};
  return {"some \"file\".rmm", fingerprint(a), {plain, {{1, 0}, {set(5), set(2)}, {full, {}}}}};
}

std::string text(const lower::Automata& a, const Certificate& certificate) {
  std::ostringstream out;
  write(out, a, certificate);
  return out.str();
}

std::string some_text() { return text(two_threads(), some_certificate(two_threads())); }

/// What read() says is wrong; empty if it reads.
std::string problem(const std::string& text) {
  std::istringstream in(text);
  const auto result = read(in, two_threads());
  const auto* unreadable = std::get_if<Unreadable>(&result);
  return unreadable == nullptr ? "" : unreadable->message;
}

/// The certificate with one piece of its text replaced.
std::string with(const std::string& piece, const std::string& by) {
  std::string changed = some_text();
  const auto at = changed.find(piece);
  REQUIRE(at != std::string::npos);
  return changed.replace(at, piece.size(), by);
}

} // namespace

TEST_CASE("a certificate is one line for each element between a first and a last one") {
  const auto print = fingerprint(two_threads());
  CHECK(print.size() == 32);
  const std::string first =
      R"-({"weir certificate":1,"program":"some \"file\".rmm","fingerprint":")-";
  CHECK(some_text() == first + print + R"-(","threads":["P(0)","P(1)"],"elements":2}
{"at":[2,2],"memory":[],"buffers":[{},{}]}
{"at":[1,0],"memory":[["x","0","2"],["y","yes"]],"buffers":[{"messages":[["y","no"],["x","1","2"]],"own":[["x",0,"1"],["y",1,"no"]]},{}]}
{"end":2}
)-");
}

TEST_CASE("what was written is read back") {
  const auto a = two_threads();
  const Certificate written = some_certificate(a);
  std::istringstream in(text(a, written));
  const auto result = read(in, a);
  REQUIRE(std::holds_alternative<Certificate>(result));
  const auto& back = std::get<Certificate>(result);
  CHECK(back.program == written.program);
  CHECK(back.fingerprint == written.fingerprint);
  CHECK(back.elements == written.elements);
}

TEST_CASE("a fingerprint is of the automata") {
  auto a = two_threads();
  const auto print = fingerprint(a);
  CHECK(fingerprint(two_threads()) == print);
  a.threads[0].transitions[0].op.writes[0].value = 2;
  CHECK(fingerprint(a) != print);
}

TEST_CASE("a certificate of another program is not read") {
  auto a = two_threads();
  a.targets[0].at[0] = 1;
  std::istringstream in(some_text());
  const auto result = read(in, a);
  REQUIRE(std::holds_alternative<Unreadable>(result));
  CHECK(std::get<Unreadable>(result).message ==
        "line 1: the certificate was made for another program (or the program was changed)");
}

TEST_CASE("what is wrong is said with its line") {
  CHECK(problem(some_text()) == "");
  CHECK(problem("") == "line 1: the file ends too early");
  CHECK(problem("hello\n") == "line 1: this is not JSON");
  CHECK(problem(with("certificate\":1", "certificate\":2")) ==
        "line 1: the certificate is of a version that is not known");
  CHECK(problem(with("\"elements\":2", "\"elements\":1")) == "line 3: {\"end\":1} should end it");
  CHECK(problem(with("\"elements\":2", "\"elements\":3")) == "line 4: there is no proper \"at\"");
  CHECK(problem(with("\"elements\":2", "\"elements\":18446744073709551615")) ==
        "line 4: there is no proper \"at\"");
  CHECK(problem(with("\"elements\":2", "\"elements\":-2")) ==
        "line 1: there is no proper \"elements\"");
  CHECK(problem(with("P(0)", "P(2)")) == "line 1: this is not as it was written");
  CHECK(problem(with("[2,2]", "[2,3]")) == "line 2: P(1) has no state 3");
  CHECK(problem(with("[2,2]", "[2,18446744073709551618]")) == "line 2: a state should be a number");
  CHECK(problem(with("[2,2]", "[2,-1]")) == "line 2: a state should be a number");
  CHECK(problem(with("[2,2]", "[2,2.0]")) == "line 2: a state should be a number");
  CHECK(problem(with("[2,2]", "[2]")) == "line 2: there should be one state for each thread");
  CHECK(problem(with("[{},{}]", "[{}]")) == "line 2: there should be one buffer for each thread");
  CHECK(problem(with("[{},{}]", "[{},[]]")) == "line 2: there is no proper \"messages\"");
  CHECK(problem(with("[\"x\",\"0\"", "[\"z\",\"0\"")) == "line 3: \"z\" is not a variable");
  CHECK(problem(with("\"0\",\"2\"", "\"0\",\"3\"")) == "line 3: \"3\" is not a value of x");
  CHECK(problem(with(",\"yes\"", "")) == "line 3: a set of values is empty");
  CHECK(problem(with("\"y\",\"yes\"", "\"x\",\"1\"")) == "line 3: this is not as it was written");
  CHECK(problem(with("\"y\",1", "\"y\",3")) ==
        "line 3: an own store should say how many of the messages are older");
  CHECK(problem(with("\"y\",1,\"no\"", "\"x\",1,\"0\"")) ==
        "line 3: own stores should be of different variables, in their order");
  CHECK(problem(with("{\"end\":2}", "{\"end\":3}")) == "line 4: {\"end\":2} should end it");
  CHECK(problem(some_text() + "{}\n") == "line 5: there is more after the end");
}

TEST_CASE("what says the same in other words is not taken") {
  CHECK(problem(with("\"memory\":[]", "\"memory\": []")) != "");
  CHECK(problem(with("\"memory\":[]", "\"memory\":[],\"memory\":[]")) != "");
  CHECK(problem(with("\"memory\":[]", "\"memory\":[[\"x\",\"0\",\"1\",\"2\"]]")) != "");
  CHECK(problem(with("\"0\",\"2\"", "\"2\",\"0\"")) != "");
  CHECK(problem(with("\"0\",\"2\"", "\"0\",\"2\",\"2\"")) != "");
  CHECK(problem(with("\"memory\":[]", "\"memory\":[],\"more\":0")) != "");
  CHECK(problem(with("[{},{}]", "[{},{\"messages\":[],\"own\":[]}]")) != "");
  CHECK(problem(with("\n", "\r\n")) != "");
}

TEST_CASE("a file that was cut off anywhere is not read") {
  const std::string whole = some_text();
  // Without the last end of line nothing is missing.
  for (std::size_t length = 0; length + 1 < whole.size(); ++length) {
    CAPTURE(length);
    CHECK(problem(whole.substr(0, length)) != "");
  }
}

TEST_CASE("no byte can be changed unnoticed, except in the name of the program") {
  const std::string whole = some_text();
  const auto name = whole.find("some"), end = whole.find("rmm") + 3;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char noise : {'\0', '\n', '"', '0', '9', '[', ']', '{', '\\', 'x', '\xff'}) {
      if (whole[i] == noise || (name <= i && i < end)) continue;
      // Digits of states, of `older` and of values give other elements, which is for certify().
      if (std::isdigit(static_cast<unsigned char>(whole[i])) && noise == '0') continue;
      std::string changed = whole;
      changed[i] = noise;
      CAPTURE(i);
      CAPTURE(noise);
      CHECK((problem(changed) != "" || changed == some_text()));
    }
  }
}

TEST_CASE("noise is not read") {
  for (const char* noise : {"[", "[[[[[[[[[[[[[[[[", "null", "{}", "[]", "1e999", "\"\\ud800\"",
                            "\xff", "{\"at\":{},\"memory\":{},\"buffers\":{}}",
                            "{\"at\":[null,null],\"memory\":[],\"buffers\":[{},{}]}",
                            "{\"at\":[0,0],\"memory\":[[]],\"buffers\":[{},{}]}",
                            "{\"at\":[0,0],\"memory\":[[1,\"0\"]],\"buffers\":[{},{}]}",
                            "{\"at\":[0,0],\"memory\":[[\"x\",0]],\"buffers\":[{},{}]}",
                            "{\"at\":[0,0],\"memory\":[],\"buffers\":[null,null]}",
                            "{\"at\":[0,0],\"memory\":[],\"buffers\":[{},{\"own\":[]}]}",
                            "{\"at\":[0,0],\"memory\":[],\"buffers\":[{\"messages\":[],\"own\":"
                            "[[\"x\",\"1\"]]},{}]}"}) {
    CAPTURE(noise);
    CHECK(problem(noise) != "");
    CHECK(problem(with(R"({"at":[2,2],"memory":[],"buffers":[{},{}]})", noise)) != "");
  }
  const std::string deep(100000, '[');
  CHECK(problem(with(R"({"at":[2,2],"memory":[],"buffers":[{},{}]})", deep)) != "");
}
