#include "ir/print.h"
#include "text.h"

#include <doctest/doctest.h>

namespace weir::test::rmm {
namespace {

/// As if the macros were written out.
bool same(const std::string& with_macros, const std::string& without) {
  return ir::print(parse(with_macros)) == ir::print(parse(without));
}

/// The statements of the program, as places in the text.
std::vector<std::string> statements(const std::string& text) {
  const auto program = parse(text);
  std::vector<std::string> result;
  for (const auto& s : program.statements) result.emplace_back(program.source->text(s.span));
  return result;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("rmm macros: tokens replace tokens") {
  CHECK(same("forbidden L macro set(V, e) write: V := e endmacro data x = 0 y = 0 "
             "process registers $r = 0 text L: set(x, 1); set(y, ($r + 1) - (2))",
             "forbidden L data x = 0 y = 0 process registers $r = 0 text L: write: x := 1; "
             "write: y := ($r + 1) - (2)"));
}

TEST_CASE("rmm macros: arguments may be statements, places and labels") {
  CHECK(same("forbidden M macro both(s) s; s endmacro macro at(L, s) L: s endmacro process "
             "data f = 0 text both(write: f[my] := 1; nop); at(M, read: f[my] = 1)",
             "forbidden M process data f = 0 text write: f[my] := 1; nop; write: f[my] := 1; nop; "
             "M: read: f[my] = 1"));
}

TEST_CASE("rmm macros: may use others, also in arguments") {
  CHECK(same("forbidden L macro one() 1 endmacro macro set(e) write: x := e endmacro "
             "macro twice(e) set(e); set(one() + e) endmacro "
             "data x = 0 process text L: twice(one())",
             "forbidden L data x = 0 process text L: write: x := 1; write: x := 1 + 1"));
}

TEST_CASE("rmm macros: a definition may stand between any two tokens") {
  CHECK(same("forbidden macro m() nop endmacro L process text macro k() m() endmacro L: k()",
             "forbidden L process text L: nop"));
}

TEST_CASE("rmm macros: statements keep their places in the text") {
  // The body of a macro is one place, however often it is used.
  CHECK(statements("forbidden * macro m(V) write: V := 1; fence endmacro data x = 0 y = 0 "
                   "process text m(x); m(y); if true then m(x)") ==
        Texts{"write: V := 1", "fence", "if true then m(x)"});
  // An argument is a place where it is written, also if two parameters hand it on.
  CHECK(statements("forbidden * macro in(s) nop; s endmacro macro out(s) in(s; fence) endmacro "
                   "data x = 0 process text out(write: x := 1)") ==
        Texts{"nop", "write: x := 1", "fence"});
  // What begins in a macro and ends outside has its place where the macro is used.
  CHECK(statements("forbidden * macro to(V) write: V := endmacro data x = 0 process text "
                   "nop; to(x) 1") == Texts{"nop", "to(x) 1"});
}

TEST_CASE("rmm macros: mistakes in definitions") {
  const std::string rest = " process text L: nop";
  const auto with = [&](const std::string& macros) { return "forbidden L " + macros + rest; };
  CHECK(complains(with("macro m() nop endmacro macro m() nop endmacro"),
                  "the macro 'm' is defined twice"));
  CHECK(complains(with("macro m(a, a) nop endmacro"), "the parameter 'a' is there twice"));
  CHECK(complains(with("macro if() nop endmacro"), "expected the name of the macro"));
  CHECK(complains(with("macro endmacro"), "expected the name of the macro"));
  CHECK(complains(with("macro m($r) nop endmacro"), "expected a parameter of the macro"));
  CHECK(complains(with("macro m(a b) nop endmacro"), "expected ',' or ')' after a parameter"));
  CHECK(complains(with("macro m nop endmacro"), "expected the parameters, in parentheses,"));
  CHECK(complains(with("macro m() macro k() nop endmacro endmacro"),
                  "a macro cannot be defined inside another one"));
  CHECK(complains(with("macro m() nop"), "this macro has no 'endmacro'"));
  CHECK(complains(with("endmacro"), "'endmacro' without a 'macro' before it"));
}

TEST_CASE("rmm macros: mistakes in uses") {
  const auto with = [](const std::string& use) {
    return "forbidden L macro m(a) nop endmacro process text L: nop; " + use;
  };
  CHECK(complains(with("m()"), "the macro 'm' has 1 parameter, not 0"));
  CHECK(complains(with("m(1, 2)"), "the macro 'm' has 1 parameter, not 2"));
  CHECK(complains(with("m(x[1, 2])"), "the macro 'm' has 1 parameter, not 2"));
  CHECK(errors(with("m((1, 2))")) == "");
  CHECK(complains(with("m(,)"), "an argument of 'm' is empty"));
  CHECK(complains(with("m; nop"), "the macro 'm' is used without '('"));
  CHECK(complains(with("m(1"), "the arguments of the macro 'm' do not end"));
  CHECK(complains(with("m(macro)"), "a macro cannot be defined inside an argument"));
  CHECK(errors(with("m(m(1))")) == ""); // what the body leaves out is not looked at
  CHECK(complains("forbidden L macro m(a) a endmacro process text L: m(m(nop))",
                  "the macro 'm' is used inside itself"));
  CHECK(complains("forbidden L macro m() k() endmacro macro k() m() endmacro process text L: m()",
                  "the macro 'm' is used inside itself"));
}

TEST_CASE("rmm macros: that double each other end") {
  std::string text = "forbidden L macro m0() nop endmacro ";
  for (int i = 1; i <= 40; ++i) {
    const std::string inner = "m" + std::to_string(i - 1) + "()";
    text += "macro m" + std::to_string(i) + "() " + inner + "; " + inner + " endmacro ";
  }
  CHECK(complains(text + "process text L: m40()", "the text is longer than"));
}

TEST_CASE("rmm macros: a mistake in a body is shown there") {
  CHECK(errors("forbidden L\nmacro m(v)\n  write: x := v + $q\nendmacro\ndata x = 0\n"
               "process text L: m(1); m(2)\n") ==
        "test.rmm:3:19: error: the register '$q' is not declared\n"
        "    3 |   write: x := v + $q\n"
        "      |                   ^~\n"
        "      = declare it before 'text': registers $q = 0 : [0:1]\n");
  CHECK(complains("forbidden L macro m() L: nop endmacro process text m(); m()",
                  "a macro that is used twice takes its labels as arguments"));
}

TEST_CASE("rmm: comments") {
  CHECK(same("forbidden /* a /* b */ L /**/ process text L: nop /* \xe2\x86\x90 */",
             "forbidden L process text L: nop"));
  CHECK(complains("forbidden L process text L: nop /* oops", "this comment does not end"));
  CHECK(complains("forbidden L process text L: nop // oops", "a comment is written /* ... */"));
}

} // namespace weir::test::rmm
