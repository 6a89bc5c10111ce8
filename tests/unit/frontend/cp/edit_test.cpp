#include "frontend/cp/edit.h"

#include "support/parse.h"

#include <doctest/doctest.h>

namespace weir::test {
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
  return edited(*program.source, frontend::edits(program, list));
}

std::string process(const std::string& body) {
  return "shared bool x, y;\nprocess P {\n" + body + "}\n";
}

} // namespace

TEST_CASE("fences on both sides of a statement that stands alone share braces") {
  CHECK(changed(process("if (x) l: y = true; // why\n"),
                {{"y = true;", Kind::FenceBefore}, {"y = true;", Kind::FenceAfter}}) ==
        process("if (x) { fence; l: y = true; fence; } // why\n"));
}

TEST_CASE("statements within each other that end together") {
  CHECK(changed(process("if (x) if (y) y = true;\n"),
                {{"y = true;", Kind::FenceAfter}, {"if (y) y = true;", Kind::FenceAfter}}) ==
        process("if (x) { if (y) { y = true; fence; } fence; }\n"));
}

TEST_CASE("else stays with its if") {
  CHECK(changed(process("if (x) y = true; else x = true;\n"), {{"y = true;", Kind::FenceAfter}}) ==
        process("if (x) { y = true; fence; } else x = true;\n"));
}

TEST_CASE("a locked store") {
  CHECK(changed(process("l: x = true; y = x;\n"), {{"x = true;", Kind::Exchange}}) ==
        process("l: atomic { x = true; } y = x;\n"));
}

TEST_CASE("a fence goes with its line if it is alone there") {
  CHECK(changed(process("  x = true;\n  fence;\n  y = x;\n"), {{"fence;", Kind::RemoveFence}}) ==
        process("  x = true;\n  y = x;\n"));
  CHECK(changed(process("  x = true; fence; // drain\n"), {{"fence;", Kind::RemoveFence}}) ==
        process("  x = true; // drain\n"));
  CHECK(changed(process("  fence; y = x;\n"), {{"fence;", Kind::RemoveFence}}) ==
        process("  y = x;\n"));
  CHECK(changed(process("  fence; fence; y = x;\n"), {{"fence;", Kind::RemoveFence}}) ==
        process("  y = x;\n"));
  CHECK(changed(process("  x = true; fence; fence;\n"), {{"fence;", Kind::RemoveFence}}) ==
        process("  x = true;\n"));
}

TEST_CASE("a fence that something hangs on becomes a skip") {
  CHECK(changed(process("if (x) fence;\n l: fence;\n"), {{"fence;", Kind::RemoveFence}}) ==
        process("if (x) skip;\n l: skip;\n"));
}

} // namespace weir::test
