// libFuzzer target of the .cp front end: any bytes get a Program or diagnostics, never a crash.
// What parses must also print and read back as the same Program. See scripts/fuzz.

#include "base/invariant.h"
#include "frontend/load.h"
#include "ir/code.h"
#include "ir/print.h"
#include "report/diagnostics.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto source = std::make_shared<const weir::Source>(
      "fuzz.cp", std::string(reinterpret_cast<const char*>(data), size));
  const auto program = weir::frontend::parse(source);
  if (!program) {
    weir::report::diagnostics_text(*source, program.error(), {});
    return 0;
  }
  const weir::ir::Code code(*program);
  const auto printed =
      std::make_shared<const weir::Source>("printed.cp", weir::ir::print(*program));
  const auto again = weir::frontend::parse(printed);
  weir::invariant(again && *again == *program, "a printed program should read back the same");
  return 0;
}
