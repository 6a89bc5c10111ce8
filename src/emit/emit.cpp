#include "emit/emit.h"

#include "ir/print.h"
#include "translate/watch.h"

#include <fmt/format.h>

namespace weir::emit {

using translate::Encoding;
using translate::Translation;
using translate::Unsupported;
using translate::Wish;

namespace {

/// A name that cannot end the comment it stands in.
std::string shown(std::string name) {
  for (std::size_t at; (at = name.find("*/")) != std::string::npos;) name.insert(at + 1, " ");
  return name;
}

std::string bound_sentence(const Wish& wish) {
  if (wish.encoding == Encoding::Plain) return "The program as it is, without store buffers.";
  if (wish.encoding == Encoding::Eager && wish.bound.kind == Bound::Kind::Rounds)
    return fmt::format("Its runs are TSO runs of the source, among them all with {} (-k {}).",
                       text(wish.bound), wish.bound.k);
  if (wish.encoding == Encoding::Flush)
    return fmt::format("Its SC runs are TSO runs of the source, among them all with {} (-k {}).",
                       text(wish.bound), wish.bound.k);
  return fmt::format("Its SC runs are the TSO runs of the source with {} (--bound {} -k {}).",
                     text(wish.bound), name(wish.bound.kind), wish.bound.k);
}

std::vector<std::string> about(const Wish& wish) {
  switch (wish.encoding) {
  case Encoding::Eager:
    return {"Encoding eager: the threads run one after another, each through all sweeps.",
            "mem_x[s] is x in sweep s; those of later sweeps are guessed first and checked at the",
            "end of main. r is the sweep the thread is in, r_TSO the one in which its next store",
            "reaches memory: a pending store is one written to the copy of a later sweep."};
  case Encoding::Lazy:
    return {
        "Encoding lazy: sweep after sweep, each thread is called once and goes on from pc to cs,",
        "where both are positions in its unrolled code. One memory; view, mask and queue are what",
        "the thread reads and what of its stores reaches memory in a later sweep."};
  case Encoding::Flush:
    return {
        "Encoding flush: each thread has k groups of pending stores, the oldest first. At flush",
        "points the oldest group reaches memory. Every run is a TSO run of the source; those with",
        "store age at most k are among them."};
  case Encoding::Paper:
    return {
        "Encoding paper (Atig, Bouajjani, Parlato, CAV 2011): view_x is what the thread reads,",
        "mask_x[j] and queue_x[j] are what reaches memory in round j, r_SC is the current round,",
        "r_TSO the one in which the next store reaches memory. One atomic section per visible",
        "statement; a round begins when another thread has run since (last)."};
  case Encoding::Plain: return {"Encoding plain: for the checker's own memory model."};
  }
  return {};
}

std::vector<std::string> how_to_run(Target target, const Wish& wish) {
  const bool is_sequential = translate::is_sequential(wish.encoding);
  switch (target) {
  case Target::Cbmc:
    return {fmt::format("  cbmc FILE.c --no-standard-checks --no-unwinding-assertions --unwind 3{}",
                        wish.encoding == Encoding::Plain ? " --mm tso" : "")};
  case Target::Esbmc:
    return {fmt::format("  esbmc FILE.c --no-unwinding-assertions --unwind 3{} --no-slice",
                        is_sequential ? "" : " --context-bound 3")};
  case Target::Svcomp: return {"  any checker of the SV-COMP, property unreach-call"};
  }
  return {};
}

} // namespace

std::optional<Target> target_named(std::string_view text) {
  for (const Target target : {Target::Cbmc, Target::Esbmc, Target::Svcomp})
    if (name(target) == text) return target;
  return std::nullopt;
}

std::string_view name(Target target) {
  switch (target) {
  case Target::Cbmc: return "cbmc";
  case Target::Esbmc: return "esbmc";
  case Target::Svcomp: return "svcomp";
  }
  return "";
}

std::variant<Emitted, Unsupported> emit(const ir::Program& source, const Wish& wish,
                                        Target target) {
  Wish with = wish;
  with.explicit_faults = true;
  auto translated = translate::translate(source, with);
  if (auto* unsupported = std::get_if<Unsupported>(&translated)) return std::move(*unsupported);
  Emitted result{std::move(std::get<Translation>(translated)), {}};
  COptions options;
  options.target = target;
  options.head = {fmt::format("Written by weir {} from {}.", WEIR_VERSION,
                              source.source ? shown(source.source->name()) : "a program"),
                  bound_sentence(wish)};
  options.head.emplace_back();
  for (auto& line : about(wish)) options.head.push_back(std::move(line));
  options.head.emplace_back();
  options.head.emplace_back("To check it (loops are unwound so often, choose the number):");
  for (auto& line : how_to_run(target, wish)) options.head.push_back(std::move(line));
  Translation watched = result.translation;
  watched.program = translate::watch_places(std::move(watched.program));
  auto c = emit_c(watched, options);
  if (auto* unsupported = std::get_if<Unsupported>(&c)) return std::move(*unsupported);
  result.c = std::move(std::get<CProgram>(c));
  auto& bounds = result.c.bounds;
  bounds.insert(bounds.begin(), result.translation.bounds.begin(), result.translation.bounds.end());
  return result;
}

std::variant<std::string, Unsupported> emit_cp(const ir::Program& source, const Wish& wish) {
  const auto translated = translate::translate(source, wish);
  if (const auto* unsupported = std::get_if<Unsupported>(&translated)) return *unsupported;
  std::string head = fmt::format("// {}\n", bound_sentence(wish));
  for (const auto& line : about(wish)) head += fmt::format("// {}\n", line);
  return head + "\n" + ir::print(std::get<Translation>(translated).program);
}

} // namespace weir::emit
