#include "frontend/rmm/edit.h"

#include "text.h"

#include <doctest/doctest.h>

namespace weir::test::rmm {
namespace {

using frontend::Change;
using Kind = Change::Kind;

/// Changes the statements with this text (without labels).
std::string changed(const std::string& text,
                    const std::vector<std::pair<std::string, Kind>>& changes) {
  const ir::Program program = parse(text);
  std::vector<Change> list;
  for (const auto& [statement, kind] : changes)
    for (std::uint32_t i = 0; i < program.statements.size(); ++i)
      if (program.source->text(program.statements[i].span) == statement)
        list.push_back({{i}, kind});
  REQUIRE(list.size() >= changes.size());
  const std::string result = edited(*program.source, frontend::edits(program, list));
  parse(result);
  return result;
}

std::string process(const std::string& body) {
  return "forbidden L\ndata x = 0 y = 0\nprocess registers $r = 0\ntext\n" + body + ";\nL: nop\n";
}

} // namespace

TEST_CASE("rmm edits: a fence in a list") {
  CHECK(changed(process("write: x := 1; /* why */ nop"), {{"write: x := 1", Kind::FenceAfter}}) ==
        process("write: x := 1; fence; /* why */ nop"));
  CHECK(changed(process("A: write: x := 1"), {{"write: x := 1", Kind::FenceBefore}}) ==
        process("fence; A: write: x := 1"));
  CHECK(changed(process("A: {write: x := 1; nop}"), {{"write: x := 1", Kind::FenceBefore}}) ==
        process("fence; A: {write: x := 1; nop}"));
}

TEST_CASE("rmm edits: at the end of a list no ';' stays") {
  CHECK(changed(process("either {write: x := 1 or nop}"), {{"write: x := 1", Kind::FenceAfter}}) ==
        process("either {write: x := 1; fence or nop}"));
}

TEST_CASE("rmm edits: a statement that stands alone gets braces") {
  CHECK(changed(process("if $r = 0 then A: write: x := 1 else nop"),
                {{"write: x := 1", Kind::FenceAfter}}) ==
        process("if $r = 0 then { A: write: x := 1; fence } else nop"));
  CHECK(changed(process("while $r = 0 do A: write: x := 1"),
                {{"write: x := 1", Kind::FenceBefore}, {"write: x := 1", Kind::FenceAfter}}) ==
        process("while $r = 0 do { fence; A: write: x := 1; fence }"));
  CHECK(changed(process("if $r = 0 then A: {write: x := 1; nop}"),
                {{"write: x := 1", Kind::FenceBefore}, {"write: x := 1", Kind::FenceAfter}}) ==
        process("if $r = 0 then { fence; A: {write: x := 1; fence; nop} }"));
}

TEST_CASE("rmm edits: statements within each other that end together") {
  CHECK(changed(process("if $r = 0 then while $r = 1 do write: x := 1"),
                {{"write: x := 1", Kind::FenceAfter},
                 {"while $r = 1 do write: x := 1", Kind::FenceAfter},
                 {"if $r = 0 then while $r = 1 do write: x := 1", Kind::FenceAfter}}) ==
        process("if $r = 0 then { while $r = 1 do { write: x := 1; fence }; fence }; fence"));
}

TEST_CASE("rmm edits: a locked write, and a fence that goes") {
  CHECK(changed(process("A: write: x := 1; read: y = 0"), {{"write: x := 1", Kind::Exchange}}) ==
        process("A: locked write: x := 1; read: y = 0"));
  CHECK(changed(process("if $r = 0 then fence; A: fence"), {{"fence", Kind::RemoveFence}}) ==
        process("if $r = 0 then nop; A: nop"));
}

TEST_CASE("rmm edits: in the body of a macro, once for all its uses") {
  const std::string head = "forbidden L\nmacro set(V, e) ", tail = " endmacro\ndata x = 0\n";
  const std::string uses = "process text set(x, 1); if true then set(x, 0); L: nop\n";
  CHECK(changed(head + "write: V := e" + tail + uses, {{"write: V := e", Kind::FenceAfter}}) ==
        head + "{ write: V := e; fence }" + tail + uses);
  CHECK(changed(head + "write: V := e" + tail + uses, {{"write: V := e", Kind::Exchange}}) ==
        head + "locked write: V := e" + tail + uses);
}

TEST_CASE("rmm edits: in the argument of a macro") {
  const std::string head = "forbidden L\nmacro twice(s) s; s endmacro\ndata x = 0\nprocess text ";
  CHECK(changed(head + "L: twice(write: x := 1)", {{"write: x := 1", Kind::FenceAfter}}) ==
        head + "L: twice(write: x := 1; fence)");
}

TEST_CASE("rmm edits: before the label at which a macro is used") {
  const std::string head =
      "forbidden L\nmacro m() write: x := 1 endmacro\ndata x = 0\nprocess text ";
  CHECK(changed(head + "if true then L: m()", {{"write: x := 1", Kind::FenceBefore}}) ==
        head + "if true then { fence; L: m() }");
}

} // namespace weir::test::rmm
