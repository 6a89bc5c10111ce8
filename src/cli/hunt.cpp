#include "backend/hunt.h"

#include "cli/conclude.h"
#include "cli/options.h"
#include "report/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace weir::cli {
namespace {

nlohmann::ordered_json to_json(const backend::Covered& covered) {
  nlohmann::ordered_json json = {
      {"bound", {{"kind", name(covered.bound.kind)}, {"k", covered.bound.k}}},
      {"unwind", covered.unwind},
      {"tool", covered.tool},
      {"seconds", covered.seconds}};
  if (!covered.reason.empty()) json["undecided"] = covered.reason;
  return json;
}

} // namespace

ExitCode hunt(const HuntFlags& flags, Console& console) {
  const Format format = format_named(flags.format);
  const auto program = console.load(flags.file, format);
  if (!program) return ExitCode::BadInput;

  backend::HuntOptions options;
  options.limits = flags.limits.limits();
  options.keep = flags.keep;
  for (const auto target : {emit::Target::Cbmc, emit::Target::Esbmc})
    if (backend::find_checker(target) && (flags.engine.empty() || flags.engine == name(target)))
      options.targets.push_back(target);
  if (options.targets.empty()) {
    const bool is_esbmc = flags.engine == "esbmc";
    console.complain(backend::how_to_install(is_esbmc ? emit::Target::Esbmc : emit::Target::Cbmc) +
                     "\n");
    return ExitCode::Undecided;
  }
  if (format == Format::Text)
    options.on_covered = [&](const backend::Covered& covered) {
      console.print(fmt::format(
          "{:>6} {:<3}{:<14}{:>8.1f} s  {}  {}\n", name(covered.bound.kind), covered.bound.k,
          covered.unwind > 0 ? fmt::format("unwind {}", covered.unwind) : "", covered.seconds,
          covered.tool, covered.reason.empty() ? "no violation" : covered.reason));
    };
  const auto result = backend::hunt(*program, options);

  const ir::Code code(*program);
  Conclusion conclusion;
  conclusion.engine = "hunt";
  conclusion.rules.depth = 100'000;
  conclusion.rules.threads = 60'000;
  conclusion.save = flags.save;
  conclusion.format = format;
  for (const auto& covered : result.covered) conclusion.covered.push_back(to_json(covered));
  return conclude(code, conclusion, result.answer, console);
}

} // namespace weir::cli
