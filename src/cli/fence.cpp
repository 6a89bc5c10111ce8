#include "base/edit.h"
#include "base/invariant.h"
#include "cli/options.h"
#include "decide/race.h"
#include "engine/explicit/explicit.h"
#include "fence/per_thread.h"
#include "fence/search.h"
#include "frontend/changes.h"
#include "frontend/load.h"
#include "report/fences.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace weir::cli {
namespace {

using frontend::Change;

/// Why the text could not be written to the file, if it could not.
std::optional<std::string> write_into(const std::string& name, const std::string& text) {
  std::ofstream out(name, std::ios::binary);
  out << text;
  if (!out.flush()) return std::strerror(errno);
  return std::nullopt;
}

/// An ordinary file of ours is written whole or left as it was; anything else (a new file, a pipe, a
/// file of somebody else or with other names) is simply written to.
std::optional<std::string> replace_file(const std::string& name, const std::string& text) {
  namespace fs = std::filesystem;
  struct stat info {};
  const bool is_ours = ::stat(name.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
                       info.st_nlink == 1 && info.st_uid == ::geteuid();
  if (!is_ours) return write_into(name, text);
  if (::access(name.c_str(), W_OK) != 0) return std::strerror(errno);
  std::error_code problem;
  const fs::path path = fs::canonical(name, problem);
  if (problem) return problem.message();
  const std::string draft = path.string() + ".weir-new";
  if (const auto reason = write_into(draft, text)) {
    fs::remove(draft, problem);
    return reason;
  }
  fs::permissions(draft, static_cast<fs::perms>(info.st_mode & 0777), problem);
  fs::rename(draft, path, problem);
  if (problem) return problem.message();
  return std::nullopt;
}

class Command {
public:
  Command(const FenceFlags& flags, Console& console)
      : flags_(flags), console_(console), format_(format_named(flags.format)) {
    rules_.depth = flags.depth;
    rules_.threads = flags.threads;
  }

  ExitCode run() {
    if (const auto conflict = flags_.conflict()) return console_.reject("weir fence", *conflict);
    auto program = console_.load(flags_.file, format_);
    if (!program) return ExitCode::BadInput;
    if (flags_.by_thread) program = fence::per_thread(*program);
    source_program_ = &*program;
    if (flags_.removes) {
      places_ = fence::existing_fences(*program);
    } else {
      auto found = fence::places(*program, flags_.placement());
      if (const auto* unknown = std::get_if<fence::UnknownLabel>(&found))
        return console_.reject(flags_.file, fmt::format("there is no label '{}'", unknown->name));
      places_ = std::move(std::get<0>(found));
    }
    const ir::Program bare = flags_.removes ? fence::without_fences(*program, places_) : *program;
    fence::Search search(bare, places_, options());
    const fence::Result result = search.run();
    console_.end_progress();

    const std::size_t chosen = flags_.choose.value_or(1);
    if (!result.sets.empty() && chosen > result.sets.size() && result.is_complete)
      return console_.reject("weir fence",
                             fmt::format("--choose {}: there {} {} set{}", chosen,
                                         result.sets.size() == 1 ? "is" : "are", result.sets.size(),
                                         result.sets.size() == 1 ? "" : "s"));
    const ir::Code code(bare);
    report::FenceReport report{code, rules_, result, {}, places_, flags_.place, flags_.removes, {}};
    if (flags_.explains && chosen <= result.sets.size()) report.explained = chosen - 1;
    for (std::size_t i = 0; i < result.sets.size(); ++i)
      report.sets.push_back(proposal(search, result.sets[i], report.explained == i));
    return conclude(report, search, chosen);
  }

private:
  fence::Options options() {
    fence::Options options;
    options.rules = rules_;
    options.limits = flags_.limits.limits();
    options.stops_at_first = flags_.first;
    options.progress = [this](const fence::Progress& now) { progress_ = now; };
    options.decide = [this](const ir::Code& code, const Rules& rules, const Limits& limits,
                            bool wants_short_runs) {
      const Progress progress = [this](const Statistics& s) {
        console_.progress(s, fmt::format("{} sets found, {} tried, {} counterexamples: ",
                                         progress_.sets, progress_.candidates, progress_.clauses));
      };
      if (rules.model == Model::TSO)
        return decide::check_auto(code, rules, limits, progress,
                                  wants_short_runs ? decide::Runs::Short : decide::Runs::AsFound)
            .answer;
      engine::ExplicitOptions forward;
      forward.rules = rules;
      forward.limits = limits;
      forward.progress = progress;
      return engine::check_explicit(code, forward).answer;
    };
    return options;
  }

  Change change(const fence::Place& place) const {
    if (flags_.removes) return {place.statement, Change::Kind::RemoveFence};
    if (flags_.kind == "xchg" && can_exchange(place))
      return {place.statement, Change::Kind::Exchange};
    return {place.statement, place.side == fence::Side::After ? Change::Kind::FenceAfter
                                                              : Change::Kind::FenceBefore};
  }

  /// The store may be one that the language cannot write as a locked instruction where it stands.
  bool can_exchange(const fence::Place& place) const {
    const auto [known, is_new] = exchanges_.emplace(place, false);
    if (is_new && frontend::has_exchange(*source_program_) &&
        fence::can_exchange(*source_program_, place)) {
      const Source& source = *source_program_->source;
      const Change change{place.statement, Change::Kind::Exchange};
      known->second = bool(frontend::parse(std::make_shared<const Source>(
          source.name(), edited(source, frontend::edits(*source_program_, {change})))));
    }
    return known->second;
  }

  std::vector<report::ProposedFence> proposal(const fence::Search& search, const fence::Set& set,
                                              bool is_explained) const {
    std::vector<report::ProposedFence> result;
    for (const std::size_t i : set) {
      fence::Set others = set;
      std::erase(others, i);
      using Length = fence::Search::Length;
      std::optional<Run> without;
      if (!search.limit_reached())
        without = search.counterexample(others, is_explained ? Length::Short : Length::Any);
      result.push_back({places_[i], change(places_[i]), std::move(without)});
    }
    return result;
  }

  /// The changes that the chosen set asks for.
  std::vector<Change> changes(const fence::Result& result, std::size_t chosen) const {
    std::vector<Change> changes;
    const fence::Set& set = result.sets[chosen - 1];
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const bool is_in = std::find(set.begin(), set.end(), i) != set.end();
      if (is_in != flags_.removes) changes.push_back(change(places_[i]));
    }
    return changes;
  }

  /// The text with these changes. It is read and decided again: what is handed out is safe.
  std::string repaired(const std::vector<Edit>& edits, const Limits& limits) {
    const Source& source = *source_program_->source;
    std::string text = edited(source, edits);
    const auto again = frontend::parse(std::make_shared<const Source>(source.name(), text));
    invariant(bool(again), "a repaired program should be one");
    const ir::Code code(*again);
    const auto answer = options().decide(code, rules_, limits, false);
    invariant(!std::holds_alternative<Unsafe>(answer.verdict), "a repaired program should be safe");
    if (const auto* undecided = std::get_if<Undecided>(&answer.verdict)) doubt_ = undecided->reason;
    return text;
  }

  ExitCode conclude(const report::FenceReport& report, const fence::Search& search,
                    std::size_t chosen) {
    const fence::Result& result = report.result;
    const bool has_repair = chosen <= result.sets.size();
    std::string diff, written;
    if (has_repair && flags_.changes_text()) {
      const auto edits = frontend::edits(*source_program_, changes(result, chosen));
      const std::string text = repaired(edits, search.remaining());
      if (!doubt_.empty())
        return undecided("the repaired program could not be checked again: " + doubt_);
      if (flags_.diff) diff = unified_diff(*source_program_->source, edits);
      if (!flags_.output.empty())
        written = flags_.output;
      else if (flags_.applies && !edits.empty())
        written = flags_.file;
      if (written == "-") {
        console_.print(text);
        return exit_code(result);
      }
      if (!written.empty())
        if (const auto problem = replace_file(written, text))
          return console_.reject(written, *problem);
    }
    if (format_ == Format::Json) {
      auto json = report::fences_json(report);
      if (flags_.diff) json["diff"] = diff;
      if (!written.empty()) json["written"] = written;
      console_.print(json.dump(2) + "\n");
    } else if (flags_.diff && has_repair) {
      console_.print(diff);
      if (diff.empty()) console_.complain(flags_.file + ": nothing to change\n");
    } else {
      std::string text = report::fences_text(report, console_.style());
      if (!written.empty())
        text += fmt::format("  wrote {}{}; it was checked again\n", written,
                            result.sets.size() > 1 ? fmt::format(" with set {}", chosen) : "");
      else if (flags_.applies && has_repair)
        text += "  nothing to change\n";
      // Whoever asked for a patch or a program gets one, or nothing.
      if (flags_.diff || flags_.output == "-")
        console_.complain(text);
      else
        console_.print(text);
    }
    return exit_code(result);
  }

  ExitCode undecided(const std::string& reason) {
    console_.complain(fmt::format("{}: {}\n", flags_.file, reason));
    return ExitCode::Undecided;
  }

  static ExitCode exit_code(const fence::Result& result) {
    if (!result.is_complete) return ExitCode::Undecided;
    return result.sets.empty() ? ExitCode::Violated : ExitCode::Holds;
  }

  const FenceFlags& flags_;
  Console& console_;
  Format format_;
  Rules rules_;
  const ir::Program* source_program_ = nullptr;
  std::vector<fence::Place> places_;
  fence::Progress progress_;
  std::string doubt_;
  mutable std::map<fence::Place, bool> exchanges_; ///< can_exchange, once for each
};

} // namespace

ExitCode fence(const FenceFlags& flags, Console& console) { return Command(flags, console).run(); }

} // namespace weir::cli
