#include "cli/options.h"
#include "emit/emit.h"

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
  const auto program = console.load(flags.file, Format::Text);
  if (!program) return ExitCode::BadInput;

  const auto text = text_of(*program, flags.wish(), flags.to);
  if (const auto* unsupported = std::get_if<translate::Unsupported>(&text))
    return console.refuse(*program->source, unsupported->reason, unsupported->span);
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
