#include "emit/names.h"

#include "emit/emit.h"
#include "support/parse.h"

#include <doctest/doctest.h>

namespace weir::emit {
namespace {

TEST_CASE("C's words and ours are not used as names") {
  const auto program = test::parse(
      "shared bool double; thread bool choice; process register { bool x; x = double; } "
      "process any_uchar { choice = double; }");
  const Names names(program);
  CHECK(names[ir::SharedId{0}] == "double_");
  CHECK(names[ir::ProcedureId{0}] == "register_");
  CHECK(names[ir::ProcedureId{1}] == "any_uchar_");
}

TEST_CASE("arithmetic beyond 64 bits is refused") {
  const auto program =
      test::parse("shared int x; thread int r; process P { r = x; r = r * r * r; }");
  const auto emitted = emit(program, {}, Target::Cbmc);
  CHECK(std::holds_alternative<translate::Unsupported>(emitted));
}

TEST_CASE("wide values are computed in wide types") {
  const auto program = test::parse("shared int x; thread int r; process P { r = x; r = r + 1; }");
  const auto emitted = emit(program, {}, Target::Cbmc);
  REQUIRE(std::holds_alternative<Emitted>(emitted));
  const auto& c = std::get<Emitted>(emitted).c;
  CHECK(c.text.find("(long long)r + 1") != std::string::npos);
  CHECK(c.bounds == std::vector<std::string>{"plain int variables within 32 bits"});
}

} // namespace
} // namespace weir::emit
