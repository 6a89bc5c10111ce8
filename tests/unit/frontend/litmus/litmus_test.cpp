#include "frontend/load.h"
#include "report/diagnostics.h"
#include "report/litmus.h"
#include "support/fences.h"
#include "support/parse.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace weir::test {
namespace {

Result<frontend::litmus::Test> read(const std::string& text) {
  return frontend::parse_litmus(std::make_shared<const Source>("test.litmus", text));
}

decide::Outcomes outcomes(const frontend::litmus::Test& test, Model model) {
  decide::OutcomesQuestion question;
  question.rules.model = model;
  for (const auto& observed : test.observed) question.observed.push_back(observed.value);
  question.filter = test.filter;
  question.condition = test.condition;
  return decide::outcomes(test.program, question);
}

std::string printed(const std::string& text, Model model = Model::TSO) {
  const auto test = read(text);
  if (!test) return report::diagnostics_text(Source("test.litmus", text), test.error(), {});
  const auto found = outcomes(*test, model);
  CHECK(found.incomplete.empty());
  return report::litmus_text(*test, found);
}

/// The states alone, on one line.
std::string states(const std::string& text, Model model = Model::TSO) {
  const std::string all = printed(text, model);
  const std::size_t begin = all.find("\nStates ");
  if (begin == std::string::npos) return all;
  std::string result = all.substr(all.find('\n', begin + 1) + 1);
  result.resize(result.find("Witnesses"));
  result.resize(result.rfind('\n', result.size() - 2) + 1); // without Ok or No
  std::replace(result.begin(), result.end(), '\n', '|');
  return result;
}

/// One thread of X86 that ends with these registers.
std::string after(const std::string& instructions, const std::string& init = "") {
  std::string rows;
  for (std::size_t at = 0; at < instructions.size();) {
    const std::size_t end = std::min(instructions.find('|', at), instructions.size());
    rows += instructions.substr(at, end - at) + ";\n";
    at = end + 1;
  }
  return states(fmt::format("X86 t {{{}}}\nP0;\n{}locations [0:EAX; 0:EBX; x;]", init, rows));
}

/// One thread of C: the state of r1, r2 and x.
std::string after_c(const std::string& body, const std::string& init = "") {
  return states(fmt::format(
      "C t\n{{{}}}\nP0(int *x, int *y) {{ int r1; int r2; {} }}\nlocations [0:r1; 0:r2; x;]", init,
      body));
}

} // namespace

TEST_CASE("a test is printed as herd7 prints it") {
  CHECK(printed("X86 SB \"Fre PodWR\"\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n "
                "MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)") ==
        "Test SB Allowed\nStates 4\n0:EAX=0; 1:EAX=0;\n0:EAX=0; 1:EAX=1;\n0:EAX=1; 1:EAX=0;\n"
        "0:EAX=1; 1:EAX=1;\nOk\nWitnesses\nPositive: 1 Negative: 3\n"
        "Condition exists (0:EAX=0 /\\ 1:EAX=0)\nObservation SB Sometimes 1 3\n\n");
}

TEST_CASE("the witnesses of ~exists are those that keep it") {
  const std::string text = printed("X86 t {}\nP0;\nMOV [x],1;\n~exists x=0");
  CHECK(text.find("Forbidden") != std::string::npos);
  CHECK(text.find("Ok\nWitnesses\nPositive: 1 Negative: 0\nCondition ~exists ([x]=0)\n"
                  "Observation t Never 0 1") != std::string::npos);
}

TEST_CASE("instructions that compute") {
  CHECK(after("mov EAX,3|add EAX,4|mov [x],EAX") == "0:EAX=7; 0:EBX=0; [x]=7;|");
  CHECK(after("MOV EAX,$6|XOR EAX,$5|AND EAX,$2|OR EAX,$8") == "0:EAX=10; 0:EBX=0; [x]=0;|");
  CHECK(after("INC [x]|INC [x]|DEC [x]|SUB [x],$5|MOV EBX,[x]", "x=1") ==
        "0:EAX=0; 0:EBX=-3; [x]=-3;|");
  CHECK(after("lock add [x],$2|LOCK XADD [x],EAX", "0:EAX=4; x=1") == "0:EAX=3; 0:EBX=0; [x]=7;|");
  CHECK(after("XCHG [x],EAX|xchg EAX,EBX", "0:EAX=4; x=1") == "0:EAX=0; 0:EBX=1; [x]=4;|");
  CHECK(after("LOCK CMPXCHG [x],EBX", "0:EAX=1; 0:EBX=9; x=1") == "0:EAX=1; 0:EBX=9; [x]=9;|");
  CHECK(after("LOCK CMPXCHG [x],EBX", "0:EAX=2; 0:EBX=9; x=1") == "0:EAX=1; 0:EBX=9; [x]=1;|");
}

TEST_CASE("comparisons and jumps") {
  for (const auto& [jump, taken] : {std::pair{"JE", false},
                                    {"JNE", true},
                                    {"jl", true},
                                    {"jge", false},
                                    {"jg", false},
                                    {"jle", true},
                                    {"jz", false},
                                    {"JMP", true}})
    CHECK(after(fmt::format("MOV EAX,1|CMP EAX,$2|{} L|MOV EBX,7|L:", jump)) ==
          (taken ? "0:EAX=1; 0:EBX=0; [x]=0;|" : "0:EAX=1; 0:EBX=7; [x]=0;|"));
  CHECK(after("MOV EAX,3|L: INC EBX|DEC EAX|JNE L") == "0:EAX=0; 0:EBX=3; [x]=0;|");
}

TEST_CASE("AT&T has the source first") {
  CHECK(states("X86_64 t\n{ uint64_t 1:rbx=5; }\nP0 | P1;\nmovl $1,(x) | movq %rbx,(y);\nmovl "
               "(x),%eax | "
               "subq $2,%rbx;\nlocations [0:RAX; 1:rbx; y;]") == "0:rax=1; 1:rbx=3; [y]=5;|");
  CHECK(
      states("X86_64 t {} P0; movl $2,%eax; xchgl (y),%eax; cmpl $1,%eax; jl L; movl $9,%ebx; L:; "
             "locations [0:rax; 0:rbx; y;]") == "0:rax=0; 0:rbx=0; [y]=2;|");
}

TEST_CASE("addresses are values with names") {
  CHECK(
      states(
          "X86 t { 0:EBX=x; y=x; x=7; } P0; MOV EAX,[EBX]; MOV ECX,[y]; MOV EDX,[ECX]; MOV [z],$x; "
          "locations [0:EAX; 0:ECX; 0:EDX; z;]") == "0:EAX=7; 0:ECX=x; 0:EDX=7; [z]=x;|");
  CHECK(states("C t\n{ int *p = &x; x=3; }\nP0(int **p, int *y) { int *r1 = READ_ONCE(*p); int r2 "
               "= *r1; "
               "*p = y; }\nlocations [0:r1; 0:r2; p;]") == "0:r1=x; 0:r2=3; [p]=y;|");
}

TEST_CASE("initial states in all their forms") {
  CHECK(
      states(
          "X86 t\n{ int x=1; [y]=0x10; uint64_t z = -2; 0:EAX=4; P0 : EBX = 5; int t[2]={6,7} }; \n"
          "P0;\nNOP;\nlocations [x; y; z; 0:EAX; 0:EBX; t[1];]") ==
      "0:EAX=4; 0:EBX=5; t[1]=7; [x]=1; [y]=16; [z]=-2;|");
}

TEST_CASE("conditions: operators, brackets, filters, and what they are printed as") {
  const auto condition = [](const std::string& text) {
    const auto test = read("X86 t {} P0|P1; NOP|NOP; " + text);
    REQUIRE(test);
    return test->condition_text;
  };
  CHECK(condition("exists 0:EAX=0 /\\ x=1 \\/ ~(y=2)") ==
        "exists (0:EAX=0 /\\ [x]=1 \\/ not ([y]=2))");
  CHECK(condition("exists 0:EAX=0 /\\ (x=1 \\/ y=2)") == "exists (0:EAX=0 /\\ ([x]=1 \\/ [y]=2))");
  CHECK(condition("forall (x != 1 => y=2)") == "forall (not ([x]=1) => [y]=2)");
  CHECK(condition("forall x=1 => y=1 => 0:EAX=1") == "forall ([x]=1 => [y]=1 => 0:EAX=1)");
  CHECK(condition("exists in=1 (* << no end *) /\\ a/b=2") == "exists ([in]=1 /\\ [a/b]=2)");
  CHECK(condition("~ exists true") == "~exists (true)");
  CHECK(condition("final (0:EAX=1:EBX) with tso: ~exists; default: forall;") ==
        "exists (0:EAX=1:EBX)");
  CHECK(condition("") == "forall (true)");
  CHECK(states("X86 t {} P0|P1; MOV [x],1 | MOV EAX,[x]; filter (1:EAX=1) forall 1:EAX=1") ==
        "1:EAX=1;|");
}

TEST_CASE("what stands around a test is not part of it") {
  CHECK(
      states(
          "X86 t\n\"doc { exists\"\nOrig=x\n(* a (* nested *) { *)\n{x=0; (* {} *) }\r\n\tP0\t;\r\n"
          "(* exists *) MOV EAX,1;\r\nexists (* why *) (0:EAX=1)\n<< exists 0:EAX=2 "
          ">>\n<<more>>") == "0:EAX=1;|");
}

TEST_CASE("C11 atomics") {
  CHECK(after_c("atomic_store_explicit(x, 3, memory_order_relaxed); r1 = atomic_load(x);") ==
        "0:r1=3; 0:r2=0; [x]=3;|");
  CHECK(after_c("r1 = atomic_fetch_add_explicit(x, 2, memory_order_relaxed); r2 = "
                "atomic_exchange(x, 9);") == "0:r1=0; 0:r2=2; [x]=9;|");
  CHECK(after_c("r1 = 5; r2 = atomic_compare_exchange_strong(x, &r1, 7);", "x=5") ==
        "0:r1=5; 0:r2=1; [x]=7;|");
  CHECK(
      after_c("r1 = 4; r2 = atomic_compare_exchange_weak_explicit(x, &r1, 7, memory_order_relaxed, "
              "memory_order_relaxed);",
              "x=5") == "0:r1=5; 0:r2=0; [x]=5;|");
}

TEST_CASE("the kernel's words") {
  CHECK(after_c("WRITE_ONCE(*x, 2); r1 = READ_ONCE(*x); smp_store_release(x, r1 + 1); r2 = "
                "smp_load_acquire(x);") == "0:r1=2; 0:r2=3; [x]=3;|");
  CHECK(after_c("r1 = xchg(x, 4); r2 = cmpxchg(x, 4, 6); r2 += cmpxchg(x, 4, 8);") ==
        "0:r1=0; 0:r2=10; [x]=6;|");
  CHECK(after_c("atomic_inc(x); atomic_add(3, x); r1 = atomic_sub_return(1, x); r2 = "
                "atomic_dec_and_test(x);") == "0:r1=3; 0:r2=0; [x]=2;|");
  CHECK(after_c("r1 = atomic_add_unless(x, 10, 0); atomic_set(x, 1); r2 = atomic_add_unless(x, 10, "
                "0);") == "0:r1=0; 0:r2=1; [x]=11;|");
  CHECK(after_c("spin_lock(x); r1 = spin_is_locked(x); r2 = spin_trylock(x); spin_unlock(x);") ==
        "0:r1=1; 0:r2=0; [x]=0;|");
}

TEST_CASE("C statements and expressions") {
  CHECK(after_c(
            "for (r1 = 0; r1 < 5; r1++) { if (r1 == 1) continue; if (r1 == 3) break; *x = r1; }") ==
        "0:r1=3; 0:r2=0; [x]=2;|");
  CHECK(after_c("r1 = 1 ? 2 : 3; r2 = r1++ * 10 + r1; do *x = *x + 1; while (*x < 3 && r1);") ==
        "0:r1=3; 0:r2=23; [x]=3;|");
  CHECK(
      after_c(
          "r1 = *x || *y; r2 = !(3 & ~1) + (7 ^ 2) + (1 << 3); if (r1) goto end; *x = 1; end: ;") ==
      "0:r1=0; 0:r2=13; [x]=1;|");
}

TEST_CASE("C as x86 runs it: what drains the buffer and what does not") {
  const auto sb = [](const std::string& store, const std::string& fence) {
    return printed(
               fmt::format("C SB {{}} P0(int *x, int *y) {{ {0} {2} int r = *y; }} "
                           "P1(int *x, int *y) {{ {1} {2} int r = *x; }} exists (0:r=0 /\\ 1:r=0)",
                           fmt::format(fmt::runtime(store), "x"),
                           fmt::format(fmt::runtime(store), "y"), fence))
               .find("Never") == std::string::npos;
  };
  CHECK(sb("*{} = 1;", ""));
  CHECK(sb("WRITE_ONCE(*{}, 1);", "smp_wmb(); smp_rmb(); barrier();"));
  CHECK(sb("atomic_store_explicit({}, 1, memory_order_release);",
           "atomic_thread_fence(memory_order_acq_rel);"));
  CHECK_FALSE(sb("*{} = 1;", "smp_mb();"));
  CHECK_FALSE(sb("*{} = 1;", "atomic_thread_fence(memory_order_seq_cst);"));
  CHECK_FALSE(sb("atomic_store({}, 1);", ""));
  CHECK_FALSE(sb("atomic_store_explicit({}, 1, memory_order_seq_cst);", ""));
  CHECK_FALSE(sb("xchg({}, 1);", ""));
  CHECK_FALSE(sb("smp_store_mb(*{}, 1);", ""));
}

TEST_CASE("runs that go wrong are not left out in silence") {
  const auto test =
      read("C t { int *p = 0; } P0(int **p, int *x) { int *r = *p; *r = 1; } forall (x=5)");
  REQUIRE(test);
  CHECK(outcomes(*test, Model::TSO).incomplete.find("go wrong") != std::string::npos);
}

TEST_CASE("a litmus test is a program for every command") {
  const std::string text = "X86 SB\n{}\n P0         | P1         ;\n MOV [x],$1 | MOV [y],$1 ;\n "
                           "MOV EAX,[y]| MOV EAX,[x];\nexists (0:EAX=0 /\\ 1:EAX=0)\n";
  const auto program = frontend::parse(std::make_shared<const Source>("test.litmus", text));
  REQUIRE(program);
  CHECK(verdict(*program, rules(Model::TSO)) == "unsafe final");
  CHECK(verdict(*program, rules(Model::SC)) == "safe");
  const auto all = gaps(*program, {});
  CHECK(search(*program, all).sets == std::vector<fence::Set>{{0, 1}});
  CHECK(with_fences(*program, all) ==
        "X86 SB\n{}\n P0         | P1         ;\n MOV [x],$1 | MOV [y],$1 ;\n MFENCE     |         "
        "   ;\n"
        "            | MFENCE     ;\n MOV EAX,[y]| MOV EAX,[x];\nexists (0:EAX=0 /\\ 1:EAX=0)\n");
}

TEST_CASE("mistakes are said with their place") {
  const auto says = [](const std::string& text, const std::string& what) {
    const std::string said = printed(text);
    CAPTURE(said);
    CHECK(said.find(what) != std::string::npos);
  };
  says("ARM SB {}", "1:1: error: 'ARM' is no architecture that Weir reads");
  says("X86 SB\nP0;", "the initial state is missing");
  says("X86 SB {}\n", "the program is missing");
  says("X86 SB { x=0", "this brace is not closed");
  says("X86 SB {}\nP0|P1;\nMOV EAX,1;\n",
       "3:1: error: this row has 1 column, but there are 2 threads");
  says("X86 SB {}\nP0;\nFROB EAX;\n", "3:1: error: 'FROB' is not an instruction that Weir knows");
  says("X86 SB {}\nP0;\nMOV foo,1;\n", "'foo' is not a register");
  says("X86 SB {}\nP0;\nJMP L;\n", "there is no label 'L' in this thread");
  says("X86 SB {}\nP0;\nL: NOP; L: NOP;\n", "label 'L' is defined twice");
  says("X86 SB {}\nP0;\nLOCK MOV [x],1;\n", "'MOV' cannot be locked");
  says("X86 SB {}\nP0;\nINC EAX,EBX;\n", "'INC' takes 1 operand, not 2");
  says("X86 SB {}\nP1;\nNOP;\n", "expected P0 here");
  says("X86 SB {}\nP0;\nNOP;\nexists 1:EAX=0", "4:8: error: there is no thread 1");
  says("X86 SB {}\nP0;\nNOP;\nexists (0:EAX=0", "error: ");
  says("X86 SB { x=0; x=1; }\nP0;\nNOP;", "'x' is given twice");
  says("X86 SB {}\nP0;\nMOV [x],[y];\n", "only one operand can be in memory");
  says("X86 SB {}\nP0;\nNOP;\nexists EAX=0", "a register belongs to a thread");
  says("X86 SB {}\nP0;\nNOP; (* open\nexists 0:EAX=0", "3:6: error: this comment is not closed");
  says("C t {} P0(int *x) { atomic_store_explicit(x, 1, memory_order_banana); }",
       "'memory_order_banana' is not a memory order");
  std::string deep = "exists 0:EAX=0";
  for (int i = 0; i < 2000; ++i) deep += " /\\ 0:EAX=0";
  says("X86 SB {}\nP0;\nNOP;\n" + deep, "nested too deeply");
  says("C t {} P0(int x) {}", "a parameter is a pointer to a location");
  says("C t {} P0(int *x) { frob(x); }", "'frob' is not a function that Weir knows");
  says("C t {} P0(int *x) { synchronize_rcu(); }", "(RCU) needs a model of its own");
  says("C t {} P0(int *x) { goto away; }", "there is no label 'away'");
  says("C t {} P0(int *x) { break; }", "this stands outside a loop");
  says("C t {} P0(int *x) { *x = 1.5; }", "only integers that fit");
}

} // namespace weir::test
