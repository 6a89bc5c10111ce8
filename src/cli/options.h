#pragma once
// The flags, one struct each with its add_flags.

#include "backend/checker.h"
#include "cli/console.h"
#include "fence/places.h"
#include "translate/pipeline.h"
#include "verdict/verdict.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace weir::cli {

struct RulesFlags {
  std::string model = "tso";
  std::string bound;
  std::optional<std::uint32_t> k, buffer;
  std::uint32_t depth = 64, threads = 64;

  Rules rules() const;
  /// The question itself names a bound, so an answer within it is an answer.
  bool is_bounded() const { return !bound.empty() || buffer.has_value(); }
  /// Flags that do not go together, in words.
  std::optional<std::string> conflict() const;
};

struct LimitFlags {
  std::optional<double> timeout;
  std::string memory;

  Limits limits() const;
};

struct CheckFlags {
  std::string file, engine = "auto", format = "text", save, certificate;
  RulesFlags rules;
  LimitFlags limits;
  bool all_final = false, explains_sharing = false;
  // Of external checkers:
  std::string encoding, keep;
  std::optional<std::uint32_t> unwind, context_bound;

  bool is_external() const { return engine == "cbmc" || engine == "esbmc"; }
  bool is_exact() const { return engine == "dual" || engine == "sb"; }
  /// Every run under TSO, and nothing else, is asked about.
  bool is_unbounded_tso() const;
  backend::Question question() const;
  /// Flags that do not go together, in words.
  std::optional<std::string> conflict() const;
};

struct CertifyFlags {
  std::string file, certificate, format = "text";
  LimitFlags limits;
};

struct RunFlags {
  std::string file, replay, save, format = "text";
  RulesFlags rules;
  bool random = false;
  std::uint64_t seed = 1;
  std::uint32_t steps = 200;
};

struct TranslateFlags {
  std::string file, bound = "sweeps", to = "cbmc", encoding, output;
  std::uint32_t k = 2, unwind = 3;

  translate::Wish wish() const;
  /// Flags that do not go together, in words.
  std::optional<std::string> conflict() const;
};

struct LitmusFlags {
  std::vector<std::string> files;
  std::string model = "tso", format = "text";
  std::optional<unsigned> jobs;
  LimitFlags limits;
};

struct CrosscheckFlags {
  std::string file, format = "text";
  std::vector<std::string> bounds{"rounds", "age", "sweeps"};
  std::vector<std::uint32_t> ks{0, 1, 2};
  std::uint32_t unwind = 3, buffer = 3;
  bool theorems_only = false;
  LimitFlags limits;
};

struct HuntFlags {
  std::string file, engine, format = "text", save, keep;
  LimitFlags limits;
};

struct FenceFlags {
  std::string file, place = "after-writes", kind = "fence", output, format = "text";
  std::vector<std::string> avoid;
  std::optional<std::size_t> choose;
  bool first = false, applies = false, diff = false, removes = false, explains = false,
       by_thread = false;
  std::uint32_t depth = 64, threads = 64;
  LimitFlags limits;

  fence::Placement placement() const;
  bool changes_text() const { return applies || diff || !output.empty(); }
  /// Flags that do not go together, in words.
  std::optional<std::string> conflict() const;
};

void add_flags(CLI::App& app, CertifyFlags& flags);
void add_flags(CLI::App& app, CheckFlags& flags);
void add_flags(CLI::App& app, CrosscheckFlags& flags);
void add_flags(CLI::App& app, FenceFlags& flags);
void add_flags(CLI::App& app, HuntFlags& flags);
void add_flags(CLI::App& app, LitmusFlags& flags);
void add_flags(CLI::App& app, TranslateFlags& flags);
void add_flags(CLI::App& app, RunFlags& flags);

Format format_named(const std::string& name);

/// The engines of `check`: one row each, all that the command line knows of them.
struct EngineRow {
  const char* name;
  const char* about;
};
inline constexpr EngineRow engines[] = {
    {"auto", "dual and explicit side by side, the first answer wins; explicit alone for other "
             "models and bounds"},
    {"dual", "exact for TSO with buffers of any length: backwards, over sets of states"},
    {"sb", "the same by the single-buffer semantics: independent, slow, a cross-check"},
    {"explicit", "all states, breadth first; unbounded buffers unless --buffer"},
    {"cbmc", "translate it and run CBMC; --bound sweeps -k 2 --unwind 3 if not said otherwise"},
    {"esbmc", "translate it and run ESBMC; --bound age -k 1 --context-bound 3"},
};

ExitCode certify(const CertifyFlags& flags, Console& console);
ExitCode check(const CheckFlags& flags, Console& console);
ExitCode run(const RunFlags& flags, Console& console);
ExitCode crosscheck(const CrosscheckFlags& flags, Console& console);
ExitCode fence(const FenceFlags& flags, Console& console);
ExitCode hunt(const HuntFlags& flags, Console& console);
ExitCode litmus(const LitmusFlags& flags, Console& console);
ExitCode translate(const TranslateFlags& flags, Console& console);

} // namespace weir::cli
