#include "fence/places.h"

#include "base/invariant.h"
#include "ir/code.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace weir::fence {

using namespace ir;

namespace {

/// Goes over blocks and rebuilds them; `gap` may put a statement into each gap. A gap is between two
/// stretches that belong to different statements of the source.
class Walk {
public:
  std::function<std::optional<Stmt>(const Place&)> gap = [](const Place&) { return std::nullopt; };
  /// Each statement, with the user's that it belongs to; may be replaced.
  std::function<void(Stmt&, StatementId)> visit = [](Stmt&, StatementId) {};
  /// Each of the user's statements: the gaps right before and after it, if there are any, and the
  /// statement around it.
  std::function<void(StatementId, std::optional<Place>, std::optional<Place>,
                     std::optional<StatementId>)>
      neighbours = [](auto&&...) {};

  Block block(const Block& from, std::optional<StatementId> parent) {
    Block result;
    stretch(from, 0, from.size(), parent, result);
    return result;
  }

private:
  void stretch(const Block& from, std::size_t i, std::size_t last,
               std::optional<StatementId> parent, Block& result) {
    std::optional<Place> before;
    bool is_first = true;
    while (i < last) {
      const auto origin = from[i].origin ? from[i].origin : parent;
      const bool is_own = !origin || origin == parent;
      if (is_own) {
        result.push_back(statement(from[i++], origin));
        continue;
      }
      const std::size_t end = end_of(from, i, last);
      if (is_first) before = put({*origin, Side::Before}, result);
      stretch(from, i, end, origin, result);
      i = end;
      std::optional<Place> after;
      if (completes(from[end - 1])) after = put({*origin, Side::After}, result);
      neighbours(*origin, before, after, parent);
      before = after;
      is_first = false;
    }
  }

  /// Where the statement that starts here ends. A section has others between its two ends.
  static std::size_t end_of(const Block& from, std::size_t i, std::size_t last) {
    const auto origin = from[i].origin;
    std::size_t end = i + 1;
    while (end < last && (!from[end].origin || from[end].origin == origin)) ++end;
    if (!std::holds_alternative<AtomicBegin>(from[i].action)) return end;
    for (std::size_t k = end; k < last; ++k)
      if (from[k].origin == origin) return k + 1;
    return end;
  }

  static bool completes(const Stmt& stmt) {
    return !std::holds_alternative<Goto>(stmt.action) &&
           !std::holds_alternative<Return>(stmt.action);
  }

  Place put(const Place& place, Block& into) {
    if (auto stmt = gap(place)) into.push_back(std::move(*stmt));
    return place;
  }

  Stmt statement(const Stmt& from, std::optional<StatementId> origin) {
    Stmt result = from;
    if (origin) visit(result, *origin);
    if (auto* branch = std::get_if<If>(&result.action)) {
      branch->yes = block(branch->yes, origin);
      branch->no = block(branch->no, origin);
    } else if (auto* loop = std::get_if<Loop>(&result.action)) {
      loop->before = block(loop->before, origin);
      loop->body = block(loop->body, origin);
    }
    return result;
  }
};

void walk(const Program& program, Walk& walk) {
  for (const Procedure& code : program.procedures) walk.block(code.body, std::nullopt);
}

std::vector<Place> all_gaps(const Program& program) {
  std::set<Place> found;
  Walk survey;
  survey.gap = [&](const Place& place) -> std::optional<Stmt> {
    found.insert(place);
    return std::nullopt;
  };
  walk(program, survey);
  std::vector<Place> result(found.begin(), found.end());
  std::stable_sort(result.begin(), result.end(), [&](const Place& a, const Place& b) {
    return offset(program, a) < offset(program, b);
  });
  return result;
}

/// Hands each instruction that control may come to from a location to `stops`, up to those that it
/// says true to, that touch shared memory, or that call.
template <class Stops> void look_ahead(const Routine& routine, Location from, const Stops& stops) {
  std::set<Location> seen;
  std::vector<Location> work{from};
  while (!work.empty()) {
    const Location at = work.back();
    work.pop_back();
    if (!seen.insert(at).second) continue;
    const Instruction& instruction = routine.code[at];
    if (stops(instruction) || is_visible(instruction.operation) ||
        std::holds_alternative<Call>(instruction.operation))
      continue;
    for (const Location next : successors(instruction)) work.push_back(next);
  }
}

enum class Access : std::uint8_t { Stores, Reads };

/// The gaps that come next after a store, or that a read comes next after.
std::set<Place> beside(Access access, const Program& program, const std::vector<Place>& gaps) {
  const Program marked = with_marks(program, gaps, Choice(gaps.size()));
  const Code code(marked);
  std::set<Place> result;
  for (const Routine& routine : code.routines)
    for (const Instruction& instruction : routine.code) {
      const auto here = mark(instruction);
      if (access == Access::Stores && std::holds_alternative<Store>(instruction.operation))
        look_ahead(routine, instruction.next, [&](const Instruction& next) {
          const auto gap = mark(next);
          if (gap) result.insert(gaps[*gap]);
          return gap.has_value();
        });
      if (access == Access::Reads && here)
        look_ahead(routine, instruction.next, [&](const Instruction& next) {
          if (std::holds_alternative<Load>(next.operation)) result.insert(gaps[*here]);
          return mark(next).has_value();
        });
    }
  return result;
}

/// The places that labels stand for.
class Labels {
public:
  Labels(const Program& program, const std::vector<Place>& gaps) : program_(program), gaps_(gaps) {
    for (const Procedure& code : program.procedures) {
      Walk survey;
      survey.visit = [&](Stmt& stmt, StatementId origin) {
        for (const LabelId label : stmt.labels) {
          named_[code.labels[label.value]].insert(origin);
          named_[code.name + "@" + code.labels[label.value]].insert(origin);
        }
      };
      survey.neighbours = [&](StatementId id, std::optional<Place> before,
                              std::optional<Place> after, std::optional<StatementId> outer) {
        for (const auto& place : {before, after})
          if (place) beside_[id].insert(*place);
        if (outer) around_[id] = *outer;
      };
      survey.block(code.body, std::nullopt);
    }
    for (const auto& [inner, outer] : around_)
      for (auto at = around_.find(inner); at != around_.end(); at = around_.find(at->second))
        inside_[at->second].insert(beside_[inner].begin(), beside_[inner].end());
  }

  std::optional<std::set<Place>> places(const std::string& label) const {
    const auto found = named_.find(label);
    if (found == named_.end()) return std::nullopt;
    std::set<Place> result;
    for (const StatementId id : found->second) {
      const SourceStatement& statement = program_[id];
      const SourceSpan block = statement.outer;
      if (block.end > statement.whole.end || block.begin < statement.whole.begin) {
        // The first in a labelled block: what is between its braces.
        for (const Place& gap : gaps_) {
          const bool is_first = gap == Place{id, Side::Before};
          if (!is_first && offset(program_, gap) > block.begin && offset(program_, gap) < block.end)
            result.insert(gap);
        }
        continue;
      }
      const auto inside = inside_.find(id);
      const auto& of = inside != inside_.end() ? inside->second : beside_.at(id);
      result.insert(of.begin(), of.end());
    }
    return result;
  }

private:
  const Program& program_;
  const std::vector<Place> gaps_;
  std::map<std::string, std::set<StatementId>> named_;
  std::map<StatementId, std::set<Place>> beside_, inside_;
  std::map<StatementId, StatementId> around_;
};

} // namespace

std::optional<std::size_t> mark(const Instruction& instruction) {
  const SourceSpan span = instruction.span;
  if (span.begin != span.end || span.begin == 0) return std::nullopt;
  return span.begin - 1;
}

std::uint32_t offset(const Program& program, const Place& place) {
  const SourceStatement& statement = program[place.statement];
  return place.side == Side::Before ? statement.outer.begin : statement.span.end;
}

std::variant<std::vector<Place>, UnknownLabel> places(const Program& program,
                                                      const Placement& placement) {
  using Kind = Placement::Kind;
  std::vector<Place> result = all_gaps(program);
  const auto keep = [&](const std::set<Place>& wanted, bool inside) {
    std::erase_if(result, [&](const Place& place) { return (wanted.count(place) > 0) != inside; });
  };
  const Labels labels(program, result);
  if (placement.kind == Kind::AfterWrites) keep(beside(Access::Stores, program, result), true);
  if (placement.kind == Kind::BeforeReads) keep(beside(Access::Reads, program, result), true);
  if (placement.kind == Kind::AtLabels) {
    std::set<Place> wanted;
    for (const std::string& label : placement.labels) {
      const auto found = labels.places(label);
      if (!found) return UnknownLabel{label};
      wanted.insert(found->begin(), found->end());
    }
    keep(wanted, true);
  }
  for (const std::string& label : placement.avoid) {
    const auto found = labels.places(label);
    if (!found) return UnknownLabel{label};
    keep(*found, false);
  }
  return result;
}

std::vector<Place> existing_fences(const Program& program) {
  std::set<Place> found;
  Walk survey;
  survey.visit = [&](Stmt& stmt, StatementId origin) {
    if (std::holds_alternative<Fence>(stmt.action)) found.insert({origin, Side::After});
  };
  walk(program, survey);
  return {found.begin(), found.end()};
}

Program with_marks(const Program& program, const std::vector<Place>& places, const Choice& chosen) {
  std::map<Place, std::uint32_t> index;
  for (std::uint32_t i = 0; i < places.size(); ++i) index.emplace(places[i], i);
  Walk marking;
  marking.gap = [&](const Place& place) -> std::optional<Stmt> {
    const auto found = index.find(place);
    if (found == index.end()) return std::nullopt;
    Stmt result{Skip{}, {found->second + 1, found->second + 1}, {}};
    if (chosen[found->second]) result.action = Fence{};
    return result;
  };
  Program result = program;
  for (Procedure& code : result.procedures) code.body = marking.block(code.body, std::nullopt);
  return result;
}

Program without_fences(const Program& program, const std::vector<Place>& fences) {
  const std::set<Place> dropped(fences.begin(), fences.end());
  Walk dropping;
  dropping.visit = [&](Stmt& stmt, StatementId origin) {
    if (std::holds_alternative<Fence>(stmt.action) && dropped.count({origin, Side::After}) > 0)
      stmt.action = Skip{}, stmt.span = {};
  };
  Program result = program;
  for (Procedure& code : result.procedures) code.body = dropping.block(code.body, std::nullopt);
  return result;
}

bool can_exchange(const Program& program, const Place& place) {
  bool is_plain = place.side == Side::After;
  std::size_t stores = 0;
  Walk survey;
  survey.visit = [&](Stmt& stmt, StatementId origin) {
    if (origin != place.statement) return;
    if (std::holds_alternative<Store>(stmt.action))
      ++stores;
    else
      is_plain = false;
  };
  walk(program, survey);
  return is_plain && stores > 0;
}

} // namespace weir::fence
