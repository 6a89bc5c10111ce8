#pragma once
// Every minimal set of fences that makes a program right under TSO. [1]
//
// Each counterexample gives a clause: one of its places needs a fence. The smallest sets that meet all
// clauses are the candidates, smallest first. One that is safe is minimal, because a smaller one
// misses a clause, and so is unsafe; one that is not safe gives another clause. When no set is left
// all minimal ones have been found.
// [1] Abdulla, Atig, Chen, Leonardsson, Rezine. Counter-example guided fence insertion under TSO.
//     TACAS 2012. The search by hitting sets instead of its recursion: README.md in this folder.

#include "fence/clause.h"
#include "verdict/verdict.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weir::fence {

/// Decides a program under the rules of the search, exactly; it may be asked to find short runs.
using Decide = std::function<Answer(const ir::Code& code, const Rules& rules, const Limits& limits,
                                    bool wants_short_runs)>;

struct Progress {
  std::size_t clauses = 0;
  std::size_t candidates = 0; ///< sets that were tried
  std::size_t sets = 0;       ///< minimal ones found
};

struct Options {
  Rules rules; ///< of TSO, without bounds
  Limits limits;
  Decide decide;
  std::function<void(const Progress&)> progress = [](const Progress&) {};
  bool stops_at_first = false;
};

/// A set of places, sorted, by index.
using Set = std::vector<std::size_t>;

struct Result {
  std::vector<Set>
      sets; ///< the minimal ones; with fewest fences first, then as they stand in the text
  bool is_complete = false; ///< there are no others; or only one was asked for and this is it
  /// Why it is not complete.
  std::string reason{};
  /// A run of the program that no fences at the places forbid, if there are no sets.
  std::optional<Run> run{};
  /// If there is: it is a run under SC.
  bool is_wrong_under_sc = false;
  Progress progress{};
  double seconds = 0;
};

class Search {
public:
  /// `program`: without the fences that are asked about. It and the places must outlive the search.
  Search(const ir::Program& program, const std::vector<Place>& places, Options options);

  Result run();

  /// A run of the program that violates although there are fences at these places: one that came up
  /// in the search, if there is one and it need not be short. None: there is none, or a limit was met.
  enum class Length : std::uint8_t { Any, Short };
  std::optional<Run> counterexample(const Set& fences, Length length) const;

  /// What is left of the limits, and why nothing is, if so.
  Limits remaining() const;
  std::optional<std::string> limit_reached() const;

private:
  Choice choice(const Set& set) const;
  double seconds() const;
  std::string in_all(const std::string& reason) const;
  bool is_wrong_under_sc();
  /// A counterexample that is known already, with fences at these places instead.
  std::optional<Run> known_run(const ir::Code& marked) const;
  /// Undecided: why the search cannot go on.
  Verdict try_candidate(const ir::Code& marked);

  const ir::Program& program_;
  const std::vector<Place>& places_;
  Options options_;
  std::vector<Run> runs_; ///< counterexamples, of the program with marks
  Result result_;
  std::chrono::steady_clock::time_point start_;
};

} // namespace weir::fence
