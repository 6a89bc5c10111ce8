#include "certify/certify.h"

#include "base/match.h"
#include "cli/options.h"
#include "decide/exact.h"
#include "lower/lower.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace weir::cli {
namespace {

struct Word {
  const char* verdict;
  std::string text;
  ExitCode code;
};

Word in_words(const certify::Judgement& judgement) {
  return match(
      judgement,
      [](const certify::Accepted& a) {
        return Word{"accepted",
                    fmt::format("a proof of safety under TSO with store buffers of any length: {} "
                                "elements, {} predecessors",
                                a.elements, a.predecessors),
                    ExitCode::Holds};
      },
      [](const certify::Rejected& r) {
        return Word{"rejected", r.reason, ExitCode::Violated};
      },
      [](const certify::Stopped& s) {
        return Word{"undecided", s.reason, ExitCode::Undecided};
      });
}

} // namespace

ExitCode certify(const CertifyFlags& flags, Console& console) {
  const Format format = format_named(flags.format);
  const auto program = console.load(flags.file, format);
  if (!program) return ExitCode::BadInput;
  std::ifstream in(flags.certificate);
  if (!in) return console.reject(flags.certificate, std::strerror(errno));

  const ir::Code code(*program);
  const Limits limits = flags.limits.limits();
  const auto lowered = lower::lower(code, {}, {limits});
  Word word;
  if (const auto* refusal = std::get_if<lower::Refusal>(&lowered)) {
    word = {"undecided", decide::reason_text(code, *refusal), ExitCode::Undecided};
  } else if (const auto& cut = std::get<lower::Lowered>(lowered).cut; !cut.empty()) {
    word = {"undecided", cut, ExitCode::Undecided};
  } else {
    const lower::Automata& automata = std::get<lower::Lowered>(lowered).automata;
    const auto certificate = certify::read(in, automata);
    if (const auto* problem = std::get_if<certify::Unreadable>(&certificate))
      return console.reject(flags.certificate, problem->message);
    word = in_words(certify::certify(automata, std::get<0>(certificate), limits));
  }
  if (format == Format::Json) {
    const nlohmann::ordered_json json = {{"weir", WEIR_VERSION},
                                         {"file", flags.file},
                                         {"certificate", flags.certificate},
                                         {"verdict", word.verdict},
                                         {"reason", word.text}};
    console.print(json.dump(2) + "\n");
  } else {
    console.print(fmt::format("{}: {}: {}\n", flags.certificate, word.verdict, word.text));
  }
  return word.code;
}

} // namespace weir::cli
