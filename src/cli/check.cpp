#include "cli/conclude.h"
#include "cli/options.h"
#include "decide/race.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace weir::cli {
namespace {

ExitCode check_exactly(const ir::Code& code, const CheckFlags& flags, Conclusion conclusion,
                       Console& console) {
  decide::ExactOptions options;
  options.engine = flags.engine == "sb" ? decide::Exact::SingleBuffer : decide::Exact::Dual;
  options.rules = flags.rules.rules();
  options.limits = flags.limits.limits();
  options.progress = [&](const Statistics& s) { console.progress(s); };
  options.wants_certificate = !flags.certificate.empty();
  const auto result = decide::check_exact(code, options);
  if (result.certificate) {
    std::ofstream out(flags.certificate);
    certify::write(out, result.lowered->automata, *result.certificate);
    if (!out.flush()) return console.reject(flags.certificate, std::strerror(errno));
  }
  conclusion.engine = flags.engine == "sb" ? "sb" : "dual";
  conclusion.rules = options.rules;
  return conclude(code, conclusion, result.answer, console);
}

ExitCode check_side_by_side(const ir::Code& code, const CheckFlags& flags, Conclusion conclusion,
                            Console& console) {
  conclusion.rules = flags.rules.rules();
  const auto result = decide::check_auto(code, conclusion.rules, flags.limits.limits(),
                                         [&](const Statistics& s) { console.progress(s); });
  conclusion.engine = result.engine;
  return conclude(code, conclusion, result.answer, console);
}

ExitCode check_natively(const ir::Code& code, const CheckFlags& flags, Conclusion conclusion,
                        Console& console) {
  engine::ExplicitOptions options;
  options.rules = flags.rules.rules();
  options.limits = flags.limits.limits();
  options.progress = [&](const Statistics& s) { console.progress(s); };
  options.all_final = flags.all_final;
  const auto result = engine::check_explicit(code, options);
  conclusion.engine = "explicit";
  conclusion.rules = options.rules;
  conclusion.is_bounded = flags.rules.is_bounded();
  if (flags.all_final) conclusion.finals = &result;
  return conclude(code, conclusion, result.answer, console);
}

ExitCode check_externally(const ir::Code& code, const CheckFlags& flags, Conclusion conclusion,
                          Console& console) {
  const auto question = flags.question();
  const auto reply = backend::ask(*code.program, question);
  conclusion.engine = flags.engine;
  conclusion.rules = flags.rules.rules();
  // A lifted run is one of TSO as it is; what was covered without finding one is bounded.
  const bool is_unsafe = std::holds_alternative<Unsafe>(reply.answer.verdict);
  conclusion.rules.bound = is_unsafe ? Bound{} : question.wish.bound;
  if (is_unsafe) conclusion.rules.depth = 100'000, conclusion.rules.threads = 60'000;
  conclusion.is_bounded = true;
  return conclude(code, conclusion, reply.answer, console);
}

} // namespace

ExitCode check(const CheckFlags& flags, Console& console) {
  const Format format = format_named(flags.format);
  if (const auto conflict = flags.conflict()) return console.reject("weir check", *conflict);
  const auto program = console.load(flags.file, format);
  if (!program) return ExitCode::BadInput;

  if (flags.explains_sharing && format == Format::Text)
    for (const ir::Sharing& shared : program->sharing) {
      const Position at = program->source->position(shared.span.begin);
      console.print(fmt::format("{}:{}:{}: {} is shared: {}\n", flags.file, at.line, at.column,
                                shared.name, shared.why));
    }
  const ir::Code code(*program);
  Conclusion conclusion;
  conclusion.format = format;
  conclusion.save = flags.save;
  if (flags.is_external()) return check_externally(code, flags, std::move(conclusion), console);
  if (flags.is_exact() || !flags.certificate.empty())
    return check_exactly(code, flags, std::move(conclusion), console);
  if (flags.engine == "auto" && flags.is_unbounded_tso())
    return check_side_by_side(code, flags, std::move(conclusion), console);
  return check_natively(code, flags, std::move(conclusion), console);
}

} // namespace weir::cli
