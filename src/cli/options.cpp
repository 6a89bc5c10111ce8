#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdlib>
#include <unistd.h>

namespace weir::cli {
namespace {

/// `512M`, `4G`, or a number of megabytes.
std::optional<std::uint64_t> bytes_of(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc{} || number == 0 || number > (std::uint64_t{1} << 40))
    return std::nullopt;
  if (number > (std::uint64_t{1} << 30)) return std::nullopt; // would not fit in the units below
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  if (unit.empty() || unit == "M" || unit == "m" || unit == "MB") return number << 20;
  if (unit == "G" || unit == "g" || unit == "GB") return number << 30;
  if (unit == "K" || unit == "k" || unit == "KB") return number << 10;
  return std::nullopt;
}

void add_flags(CLI::App& app, RulesFlags& flags) {
  app.add_option("--model", flags.model, "memory model: sc, tso (x86) or pso")
      ->check(CLI::IsMember({"sc", "tso", "pso"}))
      ->capture_default_str();
  app.add_option("--bound", flags.bound,
                 "look only at runs with a bounded number of rounds per thread, a bounded age of "
                 "pending stores, or a bounded number of sweeps over the threads; with -k")
      ->check(CLI::IsMember({"rounds", "age", "sweeps"}));
  app.add_option("-k", flags.k, "the bound: rounds or sweeps 0..k, or age at most k")
      ->check(CLI::Range(0u, 1'000'000u));
  app.add_option("--buffer", flags.buffer, "at most so many pending stores per thread")
      ->check(CLI::Range(1u, 1'000'000u));
  app.add_option("--depth", flags.depth, "calls open at once in a thread")
      ->check(CLI::Range(1u, 100'000u))
      ->capture_default_str();
  app.add_option("--threads", flags.threads, "threads that may exist")
      ->check(CLI::Range(1u, 60'000u))
      ->capture_default_str();
}

void add_format(CLI::App& app, std::string& format) {
  app.add_option("--format", format, "text for people, json for scripts")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

} // namespace

Rules RulesFlags::rules() const {
  Rules result;
  result.model = *model_named(model);
  if (const auto kind = bound_named(bound)) result.bound = {*kind, k.value_or(0)};
  result.buffer = buffer;
  result.depth = depth;
  result.threads = threads;
  return result;
}

std::optional<std::string> RulesFlags::conflict() const {
  if (!bound.empty() && !k) return fmt::format("--bound {} needs -k", bound);
  if (bound.empty() && k) return "-k needs --bound rounds, age or sweeps";
  return std::nullopt;
}

Limits LimitFlags::limits() const {
  Limits result;
  result.seconds = timeout;
  result.interrupted = &interrupted;
  if (!memory.empty())
    result.bytes = bytes_of(memory);
  else { // three quarters of the machine: Undecided beats swapping
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && size > 0)
      result.bytes = static_cast<std::uint64_t>(pages) / 4 * 3 * static_cast<std::uint64_t>(size);
  }
  return result;
}

void add_encoding(CLI::App& app, std::string& encoding);

void add_flags(CLI::App& app, LimitFlags& flags) {
  app.add_option("--timeout", flags.timeout, "give up after so many seconds")
      ->check([](const std::string& text) { // CLI::Range lets "nan" pass
        const double value = std::strtod(text.c_str(), nullptr);
        return value > 0 ? std::string() : "not a time: " + text;
      });
  app.add_option("--memory", flags.memory,
                 "give up beyond so much memory, e.g. 512M or 4G (default: 3/4 of the machine's)")
      ->check([](const std::string& text) {
        return bytes_of(text) ? std::string() : "not an amount of memory: " + text;
      });
}

backend::Question CheckFlags::question() const {
  backend::Question result;
  const bool is_esbmc = engine == "esbmc";
  const auto wanted = translate::encoding_named(encoding);
  std::string kind = !rules.bound.empty() ? rules.bound : is_esbmc ? "age" : "sweeps";
  if (rules.bound.empty() && wanted && !translate::suits(*wanted, *bound_named(kind)) &&
      !translate::row(*wanted).bounds.empty())
    kind = name(translate::row(*wanted).bounds.front());
  result.wish.bound = {*bound_named(kind), rules.k.value_or(is_esbmc ? 1 : 2)};
  result.wish.encoding = translate::encoding_named(encoding).value_or(
      translate::default_encoding(result.wish.bound.kind, is_esbmc));
  result.target = is_esbmc ? emit::Target::Esbmc : emit::Target::Cbmc;
  result.unwind = result.wish.unwind = unwind.value_or(3);
  result.context_bound = context_bound;
  if (is_esbmc && !context_bound && !translate::is_sequential(result.wish.encoding))
    result.context_bound = 3;
  result.limits = limits.limits();
  result.keep = keep;
  return result;
}

bool CheckFlags::is_unbounded_tso() const {
  return rules.model == "tso" && !rules.is_bounded() && !all_final;
}

std::optional<std::string> CheckFlags::conflict() const {
  if (!certificate.empty() && engine != "dual" && engine != "auto")
    return "--certificate is for --engine dual";
  if ((is_exact() || !certificate.empty()) && !is_unbounded_tso())
    return fmt::format("--{} is for --model tso without --bound, --buffer and --all-final",
                       is_exact() ? "engine " + engine : "certificate");
  if (!is_external()) {
    if (const auto problem = rules.conflict()) return problem;
    if (unwind || context_bound || !encoding.empty() || !keep.empty())
      return "--unwind, --context-bound, --encoding and --keep need --engine cbmc or esbmc";
    return std::nullopt;
  }
  if (rules.model != "tso") return fmt::format("--engine {} is for --model tso", engine);
  if (rules.buffer || all_final)
    return fmt::format("--buffer and --all-final do not go with --engine {}", engine);
  if (context_bound && engine == "cbmc") return "--context-bound is for --engine esbmc";
  const auto asked = question();
  if (!translate::suits(asked.wish.encoding, asked.wish.bound.kind))
    return fmt::format("--encoding {} does not go with --bound {}", encoding,
                       name(asked.wish.bound.kind));
  return std::nullopt;
}

void add_flags(CLI::App& app, CheckFlags& flags) {
  app.add_option("FILE", flags.file, "the program")->required();
  std::vector<std::string> names;
  std::string about = "how to decide it:";
  for (const EngineRow& row : engines) {
    names.emplace_back(row.name);
    about += fmt::format("\n  {}: {}", row.name, row.about);
  }
  app.add_option("--engine", flags.engine, about)
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  add_flags(app, flags.rules);
  add_flags(app, flags.limits);
  app.add_flag("--all-final", flags.all_final,
               "list every reachable final valuation instead of checking");
  app.add_flag("--explain-sharing", flags.explains_sharing,
               "C: list the objects that other threads can reach, and why");
  app.add_option("--unwind", flags.unwind, "cbmc, esbmc: unwind loops so often")
      ->check(CLI::Range(1u, 1'000'000u));
  app.add_option("--context-bound", flags.context_bound, "esbmc: so many context switches in all")
      ->check(CLI::Range(1u, 1'000'000u));
  add_encoding(app, flags.encoding);
  app.add_option("--keep", flags.keep, "cbmc, esbmc: keep program and output in this folder");
  app.add_option("--save", flags.save,
                 "write the run that violates to this file, for run --replay");
  app.add_option("--certificate", flags.certificate,
                 "dual: write a proof of safety to this file, for weir certify");
  add_format(app, flags.format);
}

void add_flags(CLI::App& app, CertifyFlags& flags) {
  app.add_option("FILE", flags.file, "the program")->required();
  app.add_option("CERTIFICATE", flags.certificate, "what check --certificate wrote")->required();
  add_flags(app, flags.limits);
  add_format(app, flags.format);
}

void add_encoding(CLI::App& app, std::string& encoding) {
  std::vector<std::string> names;
  std::string about = "how (default: the first that has the bound):";
  for (const translate::EncodingRow& row : translate::encodings()) {
    names.emplace_back(row.name);
    std::vector<std::string_view> bounds;
    for (const auto kind : row.bounds) bounds.push_back(name(kind));
    about += fmt::format("\n  {}: {}{}", row.name, row.about,
                         bounds.empty() ? "" : fmt::format(" ({})", fmt::join(bounds, ", ")));
  }
  app.add_option("--encoding", encoding, about)->check(CLI::IsMember(names));
}

std::optional<std::string> TranslateFlags::conflict() const {
  const auto kind = bound_named(bound);
  const auto wanted = translate::encoding_named(encoding);
  if (wanted && *wanted != translate::Encoding::Plain && !translate::suits(*wanted, *kind))
    return fmt::format("--encoding {} does not go with --bound {}", encoding, bound);
  return std::nullopt;
}

void add_flags(CLI::App& app, CrosscheckFlags& flags) {
  app.add_option("FILE", flags.file, "the program")->required();
  app.add_option("--bound", flags.bounds, "these bounds (default: rounds, age and sweeps)")
      ->check(CLI::IsMember({"rounds", "age", "sweeps"}))
      ->delimiter(',');
  app.add_option("-k", flags.ks, "for each of these (default: 0,1,2)")
      ->check(CLI::Range(0u, 20u))
      ->delimiter(',');
  app.add_option("--unwind", flags.unwind, "of loops, for external checkers")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  app.add_option("--buffer", flags.buffer,
                 "of a source with loops, look at so many pending stores per thread")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  app.add_flag("--theorems", flags.theorems_only, "only the two theorems, no external checkers");
  add_flags(app, flags.limits);
  add_format(app, flags.format);
}

void add_flags(CLI::App& app, HuntFlags& flags) {
  app.add_option("FILE", flags.file, "the program")->required();
  app.add_option("--engine", flags.engine, "ask only this checker: cbmc or esbmc")
      ->check(CLI::IsMember({"cbmc", "esbmc"}));
  add_flags(app, flags.limits);
  app.add_option("--keep", flags.keep, "keep programs and output in this folder");
  app.add_option("--save", flags.save,
                 "write the run that violates to this file, for run --replay");
  add_format(app, flags.format);
}

fence::Placement FenceFlags::placement() const {
  using Kind = fence::Placement::Kind;
  fence::Placement result;
  result.avoid = avoid;
  if (place == "after-writes") return result;
  result.kind = place == "before-reads" ? Kind::BeforeReads
                : place == "anywhere"   ? Kind::Anywhere
                                        : Kind::AtLabels;
  if (result.kind == Kind::AtLabels)
    for (std::string& label : CLI::detail::split(place, ','))
      result.labels.push_back(CLI::detail::trim(label));
  return result;
}

std::optional<std::string> FenceFlags::conflict() const {
  if (removes && (place != "after-writes" || !avoid.empty() || kind != "fence"))
    return "--remove is about the fences that are there: it goes without --place, --avoid, --kind";
  if (by_thread && (changes_text() || removes))
    return "--per-thread only counts: a fence in the text is there for all threads";
  if (first && choose.value_or(1) > 1)
    return "--first stops at one set: there is nothing to choose";
  if (output == "-" && format == "json")
    return "-o - prints the program: it goes without --format json";
  if (applies && !output.empty()) return "--apply changes the file itself; -o writes another one";
  if (diff && (applies || output == "-"))
    return "--diff only shows: it goes without --apply and -o -";
  return std::nullopt;
}

void add_flags(CLI::App& app, FenceFlags& flags) {
  app.add_option("FILE", flags.file, "the program")->required();
  app.add_option(
         "--place", flags.place,
         "where fences may go: after-writes, before-reads, anywhere (between statements), or "
         "LABEL,LABEL,...: right before, right after or inside the statements at these labels")
      ->capture_default_str();
  app.add_option("--avoid", flags.avoid, "LABEL,LABEL,...: not there, for example in a hot loop")
      ->delimiter(',');
  app.add_option("--kind", flags.kind,
                 "fence (mfence), or xchg: make the store before it a locked instruction")
      ->check(CLI::IsMember({"fence", "xchg"}))
      ->capture_default_str();
  app.add_flag("--first", flags.first, "stop at one set of the fewest fences");
  app.add_flag("--remove", flags.removes,
               "which of the fences that are there are needed: all minimal sufficient subsets");
  app.add_flag("--explain", flags.explains,
               "show a short run that is possible without each fence of the chosen set");
  app.add_flag(
      "--per-thread", flags.by_thread,
      "count a fence for each thread that runs it, as papers do: threads of one process may "
      "have different ones (procedures stay shared)");
  app.add_option("--choose", flags.choose, "this set (default: the first, which has fewest fences)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  app.add_flag("--apply", flags.applies, "write the repaired program into the file");
  app.add_option("-o", flags.output, "write the repaired program here; - is standard output");
  app.add_flag("--diff", flags.diff, "print the repair as a unified diff, and nothing else");
  app.add_option("--depth", flags.depth, "calls open at once in a thread")
      ->check(CLI::Range(1u, 100'000u))
      ->capture_default_str();
  app.add_option("--threads", flags.threads, "threads that may exist")
      ->check(CLI::Range(1u, 60'000u))
      ->capture_default_str();
  add_flags(app, flags.limits);
  add_format(app, flags.format);
}

void add_flags(CLI::App& app, LitmusFlags& flags) {
  app.add_option("FILE", flags.files, "litmus tests; @LIST is a file of their names, one on a line")
      ->required();
  app.add_option("--model", flags.model, "memory model: sc, tso (x86) or pso")
      ->check(CLI::IsMember({"sc", "tso", "pso"}))
      ->capture_default_str();
  app.add_option("-j,--jobs", flags.jobs, "so many at once (default: all cores)")
      ->check(CLI::Range(1u, 1024u));
  add_flags(app, flags.limits);
  add_format(app, flags.format);
}

translate::Wish TranslateFlags::wish() const {
  const auto kind = *bound_named(bound);
  const auto wanted = translate::encoding_named(encoding);
  return {wanted.value_or(translate::default_encoding(kind, to != "cbmc")),
          {kind, k},
          unwind,
          false,
          false};
}

void add_flags(CLI::App& app, TranslateFlags& flags) {
  app.add_option("FILE", flags.file, "the program")->required();
  app.add_option("--bound", flags.bound, "what is bounded: rounds or sweeps 0..k, or age at most k")
      ->check(CLI::IsMember({"rounds", "age", "sweeps"}))
      ->capture_default_str();
  app.add_option("-k", flags.k, "the bound")->check(CLI::Range(0u, 100u))->capture_default_str();
  app.add_option("--to", flags.to,
                 "for whom: cbmc, esbmc, svcomp (C for any tool of the SV-COMP) or cp")
      ->check(CLI::IsMember({"cbmc", "esbmc", "svcomp", "cp"}))
      ->capture_default_str();
  add_encoding(app, flags.encoding);
  app.add_option("--unwind", flags.unwind, "of --encoding lazy: how often loops go around")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  app.add_option("-o,--output", flags.output, "write it to this file");
}

void add_flags(CLI::App& app, RunFlags& flags) {
  app.add_option("FILE", flags.file, "the program")->required();
  auto* replay = app.add_option("--replay", flags.replay,
                                "replay this saved run (of check --save or --format json)");
  auto* random = app.add_flag("--random", flags.random, "take steps at random")->excludes(replay);
  app.add_option("--seed", flags.seed, "of the random steps")->needs(random)->capture_default_str();
  app.add_option("--steps", flags.steps, "at most so many random steps")
      ->needs(random)
      ->capture_default_str();
  app.add_option("--save", flags.save, "write the run to this file")->excludes(replay);
  add_flags(app, flags.rules);
  for (const char* name : {"--model", "--bound", "-k", "--buffer", "--depth", "--threads"})
    app.get_option(name)->excludes(replay); // a saved run has its own
  add_format(app, flags.format);
}

Format format_named(const std::string& name) {
  return name == "json" ? Format::Json : Format::Text;
}

} // namespace weir::cli
