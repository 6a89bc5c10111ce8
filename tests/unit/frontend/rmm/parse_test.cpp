#include "ir/print.h"
#include "text.h"

#include <algorithm>
#include <filesystem>

namespace weir::test::rmm {
namespace {

/// The printed body of a process.
std::string printed_body(const std::string& text, const std::string& process) {
  const std::string program = ir::print(parse(text));
  const auto begin = program.find("process " + process + " ");
  const auto open = program.find("{\n", begin) + 2;
  return program.substr(open, program.find("\n}\n", open) - open);
}

/// Of statements of a process that has $r and $w, its own f, and x and y with all.
std::string program(const std::string& statements) {
  return "forbidden * E\ndata x = 0 : [0:1]\n y = 0 : [0:3]\n"
         "process\ndata f = 0 : [0:1]\nregisters $r = 0 : [0:1] $w = 2 : [0:3]\ntext\n" +
         statements + "\nprocess text E: nop\n";
}

std::string body(const std::string& statements) {
  const std::string text = printed_body(program(statements), "P0");
  return text.substr(text.find("w = 2;\n") + 7);
}

} // namespace

TEST_CASE("rmm: copies of a process are processes, and own locations are shared variables") {
  CHECK(ir::print(parse(R"(forbidden CS CS *
data turn = * : [0:1]
process(2)
data flag = 0 : [0:1]
registers $0 = 1 : [1:2]
text
  CS: write: flag[my] := $0
process text nop)")) == R"(shared int<0..1> turn = *;
shared int<0..1> flag_0;
shared int<0..1> flag_1;

process P0 {
  int<1..2> r0 = 1;
  CS: assume(r0 <= 1);
  flag_0 = r0;
}

process P1 {
  int<1..2> r0 = 1;
  CS: assume(r0 <= 1);
  flag_1 = r0;
}

process P2 {
  skip;
}

forbid P0@CS, P1@CS;
)");
}

TEST_CASE("rmm: a number in brackets counts the other processes") {
  const std::string text = "forbidden * * *\nprocess(3) data f = 0 : [0:1] registers $r = 0 : [0:1]"
                           " text read: $r := f[0]; read: $r := f[1]; read: $r := f[my]";
  const auto end = [&](const std::string& process) {
    const std::string found = printed_body(text, process);
    return found.substr(found.find("r = f"));
  };
  CHECK(end("P0") == "r = f_1;\n  r = f_2;\n  r = f_0;");
  CHECK(end("P1") == "r = f_0;\n  r = f_2;\n  r = f_1;");
  CHECK(end("P2") == "r = f_0;\n  r = f_1;\n  r = f_2;");
  CHECK(complains(text + "; read: $r := f[2]", "there is no other process 2"));
}

TEST_CASE("rmm: reads wait or deliver") {
  CHECK(body("read: x = $r") == "  int<0..1> seen;\n  seen = x;\n  assume(seen == r);");
  CHECK(body("read: $w := x") == "  w = x;");
  CHECK(body("read : $r := f[my]") == "  r = f_0;");
}

TEST_CASE("rmm: a value outside of the domain blocks") {
  CHECK(body("read: $r := y") ==
        "  int<0..3> seen;\n  seen = y;\n  assume(seen <= 1);\n  r = seen;");
  CHECK(body("write: x := $w - 1") == "  assume(w - 1 >= 0 && w - 1 <= 1);\n  x = w - 1;");
  CHECK(body("write: y := $w") == "  y = w;");
  CHECK(body("write: x := 2") == "  assume(false);");
  CHECK(body("$r := $r + 1") == "  assume(r + 1 <= 1);\n  r = r + 1;");
  CHECK(body("$r := -1") == "  assume(false);");
  CHECK(body("read: x = 7") == "  int<0..1> seen;\n  seen = x;\n  assume(seen == 7);");
  CHECK(body("cas(x, 0, $w)") == "  assume(w <= 1);\n  arw(x, 0, w);");
  CHECK(body("cas(x, 5, 0)") == "  assume(false);");
  CHECK(body("locked write: x := $w") ==
        "  assume(w <= 1);\n  atomic_begin;\n  x = w;\n  atomic_end;");
  CHECK(verdict(parse("forbidden E data x = 0 : [0:1] process registers $r = * : [0:5] text "
                      "write: x := $r; assume: $r > 1; E: nop"),
                rules(Model::TSO)) == "safe");
}

TEST_CASE("rmm: a pointer is a number of a location that all have") {
  CHECK(body("write: [1] := 3") == "  y = 3;");
  CHECK(body("read: $w := [$r]") == "  if (r == 0) {\n    w = x;\n  } else {\n    w = y;\n  }");
  CHECK(
      body("L: cas([$w - 1], 0, 1); goto L") ==
      "  L: assume(w - 1 >= 0 && w - 1 <= 1);\n  if (w - 1 == 0) {\n    arw(x, 0, 1);\n  } else {\n"
      "    arw(y, 0, 1);\n  }\n  goto L;");
  CHECK(body("read: [$r - 1] = 0") == "  int<0..1> seen;\n  assume(r - 1 >= 0);\n"
                                      "  seen = x;\n  assume(seen == 0);");
  const std::string many = printed_body("forbidden * data a = 0 b = 0 c = 0 d = 0 e = 0 process "
                                        "registers $p = 0 : [0:4] text write: [$p] := 1",
                                        "P0");
  CHECK(many.find("if (p <= 2) {\n    if (p <= 1) {\n      if (p == 0) {\n        a = 1;") !=
        std::string::npos);
}

TEST_CASE("rmm: what stands between statements") {
  CHECK(body("if $r = 1 && not [$w < 2 || true] then nop else {$r := 0; nop}") ==
        "  if (r == 1 && !(w < 2 || true)) {\n    skip;\n  } else {\n    r = 0;\n    skip;\n  }");
  CHECK(body("while $r <= 1 do L: nop; goto L") ==
        "  while (r <= 1) {\n    L: skip;\n  }\n  goto L;");
  CHECK(body("A: {B: nop}; assume: $r >= 1") == "  A: B: skip;\n  assume(r >= 1);");
  CHECK(body("either {nop or $r := 1; nop or A: $r := 0}") ==
        "  if (*) {\n    skip;\n  } else {\n    if (*) {\n      r = 1;\n      skip;\n    } else {\n"
        "      A: r = 0;\n    }\n  }");
  CHECK(body("either {goto A or nop}; A: nop") ==
        "  if (*) {\n    goto A;\n  } else {\n    skip;\n  }\n  A: skip;");
  CHECK(body("$w := -(1 - 3) - - $w") == "  assume(2 - -w <= 3);\n  w = 2 - -w;");
}

TEST_CASE("rmm: fences") {
  CHECK(body("fence; ssfence") == "  fence;\n  store_fence;");
  CHECK(body("slocked write: x := 1") == "  x = 1;\n  store_fence;");
  CHECK(body("locked write: [$r] := 1") ==
        "  if (r == 0) {\n    atomic_begin;\n    x = 1;\n    atomic_end;\n  } else {\n"
        "    atomic_begin;\n    y = 1;\n    atomic_end;\n  }");
}

TEST_CASE("rmm: a locked section waits for the buffer if it writes or has a fence") {
  CHECK(
      body("locked {read: x = 0; write: y := 1; $r := 0}") ==
      "  int<0..1> seen;\n  atomic_begin;\n  seen = x;\n  assume(seen == 0);\n  y = 1;\n  r = 0;\n"
      "  atomic_end;");
  CHECK(
      body("locked {cas(x, 0, 1); locked write: y := 2; slocked write: y := 3}") ==
      "  int<0..1> seen;\n  atomic_begin;\n  seen = x;\n  assume(seen == 0);\n  x = 1;\n  y = 2;\n"
      "  y = 3;\n  atomic_end;");
  CHECK(body("locked {assume: $r = 0; read: $r := x}") == "  assume(r == 0);\n  r = x;");
  CHECK(body("locked {read: $r := x; fence; read: $w := y}") ==
        "  atomic_begin;\n  r = x;\n  skip;\n  w = y;\n  atomic_end;");
  CHECK(body("locked {write: x := 1 or read: $r := x}") ==
        "  if (*) {\n    atomic_begin;\n    x = 1;\n    atomic_end;\n  } else {\n    r = x;\n  }");
  // Ways through nested sections multiply.
  CHECK(body("locked {{nop; locked {write: x := 1 or nop}}; $r := 1}") ==
        "  if (*) {\n    atomic_begin;\n    skip;\n    x = 1;\n    r = 1;\n    atomic_end;\n"
        "  } else {\n    skip;\n    skip;\n    r = 1;\n  }");
  CHECK(complains(program("locked {read: x = 0; read: y = 0}"),
                  "this reads memory several times and writes nothing"));
}

TEST_CASE("rmm: registers and locations that start anywhere") {
  const std::string text = "forbidden E E data x = * : [0:2] process(2) registers $a = * : [1:2] "
                           "$b = * : [0:1] text read: x = $a; assume: $b = 1; E: nop";
  CHECK(printed_body(text, "P1") == "  int<1..2> a = 1;\n  int<0..1> b;\n  int<0..2> seen;\n"
                                    "  a = *;\n  b = *;\n  seen = x;\n  assume(seen == a);\n"
                                    "  assume(b == 1);\n  E: skip;");
  CHECK(verdict(parse(text), rules(Model::TSO)) == "unsafe forbid");
  const auto unbounded = parse("forbidden E process registers $r = * text assume: $r = 1; E: nop");
  CHECK(verdict(unbounded, rules(Model::SC)) == "undecided");
}

TEST_CASE("rmm: names that mean something in .cp, or are taken, get another") {
  const std::string text = "forbidden skip skip data shared = 0 f_0 = 0 P1 = 0 process(2) "
                           "data f = 0 registers $f_0 = 0 $bool = 0 $seen = 0 "
                           "text skip: nop; read: shared = 0; write: f[my] := $f_0; goto skip";
  CHECK(ir::print(parse(text)) == R"(shared int shared_;
shared int f_0;
shared int P1;
shared int f_0_;
shared int f_1;

process P0 {
  int f_0__;
  int bool_;
  int seen;
  int seen_;
  skip_: skip;
  seen_ = shared_;
  assume(seen_ == 0);
  f_0_ = f_0__;
  goto skip_;
}

process P1_ {
  int f_0__;
  int bool_;
  int seen;
  int seen_;
  skip_: skip;
  seen_ = shared_;
  assume(seen_ == 0);
  f_1 = f_0__;
  goto skip_;
}

forbid P0@skip_, P1_@skip_;
)");
}

TEST_CASE("rmm: tuples say where processes must not be together") {
  const std::string two = "process text A: nop; B: nop process text A: nop; B: nop";
  CHECK(verdict(parse("forbidden A B; B B " + two), rules(Model::SC)) == "unsafe forbid");
  CHECK(verdict(parse("forbidden * A " + two), rules(Model::SC)) == "unsafe forbid");
  CHECK(
      verdict(parse("forbidden B B process text A: nop; assume: false; B: nop process text B: nop"),
              rules(Model::SC)) == "safe");
}

TEST_CASE("rmm: a tuple of nothing but stars forbids the initial state") {
  const auto found = parse("forbidden * * process registers $r = * : [0:1] text start: nop "
                           "process text nop");
  CHECK(ir::print(found).find("start_: r = *;\n  start: skip;") != std::string::npos);
  CHECK(ir::print(found).find("forbid P0@start_;") != std::string::npos);
  for (const Model model : {Model::SC, Model::TSO, Model::PSO})
    CHECK(verdict(found, rules(model)) == "unsafe forbid");
}

TEST_CASE("rmm: predicates are read and left out") {
  CHECK(ir::print(parse("forbidden A predicates x = 1 || $r < 2; x[me] != 0 data x = 0 "
                        "process text A: nop")) ==
        ir::print(parse("forbidden A data x = 0 process text A: nop")));
}

TEST_CASE("rmm: copies of a process share their statements") {
  const auto found =
      parse("forbidden * * * process(3) data f = 0 text write: f[my] := 1; "
            "if true then nop else {read: f[0] = 0; locked {write: f[1] := 0; nop}}");
  std::vector<std::string> statements;
  for (const auto& s : found.statements)
    statements.push_back((s.is_alone ? "alone: " : "") + std::string(found.source->text(s.span)));
  CHECK(statements == std::vector<std::string>{
                          "write: f[my] := 1",
                          "if true then nop else {read: f[0] = 0; locked {write: f[1] := 0; nop}}",
                          "alone: nop", "read: f[0] = 0", "locked {write: f[1] := 0; nop}"});
}

TEST_CASE("rmm: a program reads back as the same after printing") {
  const std::vector<std::string> texts{
      program("L: read: x = 0; read: $r := y; write: [$w] := $r; goto L"),
      program("locked {read: x = 0; write: y := 1 or nop}; slocked write: x := 1; cas([$r], 0, 1)"),
      program("while $w < 3 do either {$w := $w + 1 or if $r = 1 then A: nop else goto A}"),
      program("write: x := 3; $r := -$w; assume: [1 + 1 = 2] && not $r != 0; fence; ssfence"),
      "forbidden * process registers $r = * : [-3:-1] $s = -2 : [-2:5] text nop"};
  for (const std::string& text : texts) {
    const auto found = parse(text);
    const std::string printed = ir::print(found);
    INFO(printed);
    CHECK(test::parse(printed) == found);
  }
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEIR_ROOT "/examples/rmm")) {
    const auto found = parse(read_file(entry.path()));
    INFO(entry.path());
    CHECK(test::parse(ir::print(found)) == found);
    ++count;
  }
  CHECK(count >= 10);
}

TEST_CASE("rmm: mistakes in declarations") {
  CHECK(complains("forbidden A data x = 0 x = 1 process text A: nop", "'x' is declared twice"));
  CHECK(complains("forbidden A process registers $r = 0 $r = 0 text A: nop",
                  "'$r' is declared twice"));
  CHECK(complains("forbidden A data x = 2 : [0:1] process text A: nop",
                  "2 is outside [0:1], the domain of 'x'"));
  CHECK(
      complains("forbidden A data x = 2 : [2:1] process text A: nop", "the domain [2:1] is empty"));
  CHECK(complains("forbidden A data x = 2 : N process text A: nop", "'N' is not a domain"));
  CHECK(complains("forbidden A data x = 9223372036854775808 process text A: nop",
                  "does not fit into 64 bits"));
  CHECK(complains("forbidden A process data x = 0 data y = 0 text A: nop",
                  "a process has 'data' once"));
  CHECK(complains("forbidden A process(0) text A: nop", "the program has no process"));
  CHECK(errors("forbidden A process(65) text A: nop").find("more than 64 processes") !=
        std::string::npos);
  CHECK(complains("data x = 0 process text nop", "expected 'forbidden'"));
}

TEST_CASE("rmm: mistakes in what is forbidden") {
  const std::string two = " process text A: nop process text B: nop";
  CHECK(complains("forbidden A" + two, "this forbids a state of 1 process, but there are 2"));
  CHECK(complains("forbidden A B A" + two, "this forbids a state of 3 processes, but there are 2"));
  CHECK(complains("forbidden A A" + two, "process 1 has no label 'A'"));
  CHECK(complains("forbidden A B;" + two, "unexpected 'process'"));
}

TEST_CASE("rmm: mistakes in labels and jumps") {
  CHECK(complains(program("A: nop; A: nop"), "the label 'A' is defined twice"));
  CHECK(complains(program("A: B: nop"), "a statement has one label at most"));
  CHECK(complains(program("goto A"), "there is no label 'A' in this process"));
  for (const char* jump : {"A: nop; L: goto A", "A: nop; L: {goto A}", "A: nop; L: {{goto A}; nop}",
                           "A: nop; if $r = 0 then L: goto A"})
    CHECK(complains(program(jump), "Memorax does not allow a label at a goto"));
  CHECK(errors(program("A: nop; L: {nop; goto A}; if $r = 0 then goto A")) == "");
  CHECK(complains(program("nop; nop;"), "there is no statement after this ';'"));
  CHECK(complains(program("write: x := 1\n$r := 0"), "expected ';' before '$r'"));
}

TEST_CASE("rmm: mistakes in names") {
  CHECK(complains(program("$q := 1"), "the register '$q' is not declared"));
  CHECK(complains(program("assume: $q = 1"), "the register '$q' is not declared"));
  CHECK(complains(program("read: z = 1"), "'z' is not a location of all processes"));
  CHECK(complains(program("read: f = 1"), "the process' own is written f[my]"));
  CHECK(complains(program("read: x[my] = 1"), "the location of all processes is written x"));
  CHECK(complains(program("read: f[0] = 1"), "process 1 has no location 'f'"));
  CHECK(complains(program("read: f[1] = 1"), "there is no other process 1"));
  CHECK(complains(program("read: f[$r] = 1"), "this does not say whose location is meant"));
  CHECK(complains(program("read: [2] = 1"), "this points to no location"));
  CHECK(complains(program("read: [$r - 2] = 1"), "this points to no location"));
  CHECK(complains("forbidden A process text A: read: [0] = 1",
                  "only the 'data' before the first process can be pointed to"));
}

TEST_CASE("rmm: mistakes in expressions") {
  CHECK(complains(program("$r := x + 1"), "an expression reads registers, and 'x' is not one"));
  CHECK(complains(program("$r := f[my]"), "read it before: read: $r := f[my]"));
  for (const char* word : {"me", "other", "@"})
    CHECK(complains(program(std::string("$r := ") + word), "that no expression can have yet"));
  CHECK(complains(program("if ($r = 1) then nop"), "conditions are grouped by [ ]"));
  CHECK(complains(program("assume: not not true"), "unexpected 'not'"));
  CHECK(complains(program("$r := 9223372036854775807 + 1"), "does not fit into 64 bits"));
  std::string sum = "$r := 1";
  for (int i = 0; i < 500; ++i) sum += " + 1";
  CHECK(complains(program(sum), "this expression is too long"));
  CHECK(complains(program("$r := " + std::string(3000, '(') + "1" + std::string(3000, ')')),
                  "nested too deeply"));
}

TEST_CASE("rmm: mistakes in locked sections") {
  for (const char* word :
       {"if true then nop", "while true do nop", "goto L", "either {nop or nop}"})
    CHECK(complains(program(std::string("L: nop; locked {") + word + "}"),
                    "cannot stand in a locked section"));
  CHECK(
      complains(program("locked {A: write: x := 1}"), "a label cannot stand in a locked section"));
  CHECK(complains(program("locked {write: [$r] := 1}"),
                  "a pointer cannot stand in a locked section"));
  CHECK(errors(program("locked {write: [1] := 1}")) == "");
  std::string ways = "locked {nop";
  for (int i = 0; i < 7; ++i) ways += "; locked {write: x := 1 or write: x := 0}";
  CHECK(complains(program(ways + "}"), "there are more than 64 ways through this"));
}

TEST_CASE("rmm: statements that only the cache protocol has") {
  for (const char* s : {"syncwr: x := 1", "syncrd: x = 1", "syncrd: $r := x", "llfence",
                        "locked {syncwr: x := 1; nop}", "locked {llfence}"}) {
    INFO(s);
    CHECK(complains(program(s), "only Memorax's cache-protocol engine has '"));
  }
}

TEST_CASE("rmm: all mistakes are shown, each once, where they are") {
  CHECK(errors("forbidden A\nprocess(2)\ntext\n  A: write: x := $q;\n  goto B\n") ==
        "test.rmm:1:11: error: this forbids a state of 1 process, but there are 2\n"
        "    1 | forbidden A\n"
        "      |           ^\n"
        "      = write a label or * for each process; process(n) counts n times\n"
        "test.rmm:4:13: error: 'x' is not a location of all processes\n"
        "    4 |   A: write: x := $q;\n"
        "      |             ^\n"
        "      = declare it before the first process: data x = 0 : [0:1]\n"
        "test.rmm:4:18: error: the register '$q' is not declared\n"
        "    4 |   A: write: x := $q;\n"
        "      |                  ^~\n"
        "      = declare it before 'text': registers $q = 0 : [0:1]\n"
        "test.rmm:5:8: error: there is no label 'B' in this process\n"
        "    5 |   goto B\n"
        "      |        ^\n");
}

} // namespace weir::test::rmm
