#include "cli/options.h"
#include "emit/emit.h"
#include "frontend/load.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace weir::cli {
namespace {

std::variant<std::string, translate::Unsupported>
text_of(const ir::Program& program, const translate::Wish& wish, const std::string& to) {
  if (to == "cp") return emit::emit_cp(program, wish);
  auto emitted = emit::emit(program, wish, *emit::target_named(to));
  if (auto* unsupported = std::get_if<translate::Unsupported>(&emitted))
    return std::move(*unsupported);
  return std::move(std::get<emit::Emitted>(emitted).c.text);
}

} // namespace

ExitCode translate(const TranslateFlags& flags, Console& console) {
  if (const auto conflict = flags.conflict()) return console.reject("weir translate", *conflict);
  const auto source = frontend::read_source(flags.file);
  if (const auto* problem = std::get_if<frontend::Unreadable>(&source))
    return console.reject(flags.file, problem->message);
  const auto program = frontend::parse(std::get<0>(source));
  if (!program) return console.reject(*std::get<0>(source), program.error(), Format::Text);

  const auto text = text_of(*program, flags.wish(), flags.to);
  if (const auto* unsupported = std::get_if<translate::Unsupported>(&text))
    return console.refuse(*std::get<0>(source), unsupported->reason, unsupported->span);
  if (flags.output.empty() || flags.output == "-") {
    console.print(std::get<std::string>(text));
    return ExitCode::Holds;
  }
  std::ofstream out(flags.output);
  out << std::get<std::string>(text);
  if (!out.flush()) return console.reject(flags.output, std::strerror(errno));
  return ExitCode::Holds;
}

} // namespace weir::cli
