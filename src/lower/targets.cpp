#include "lower/targets.h"

#include "semantics/encode.h"
#include "semantics/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace weir::lower {

using namespace ir;
using semantics::Thread;

namespace {

constexpr std::size_t most_targets = 100'000;
constexpr std::size_t most_valuations = 1'000'000;

/// All cells that final conditions look at.
std::vector<VariableIndex> final_cells(const Code& code) {
  std::set<VariableIndex> cells;
  const auto visit = [&](const auto& self, const Expr& expr) -> void {
    if (expr.op == ir::Op::Shared) {
      const Shared& shared = (*code.program)[expr.shared];
      for (std::uint32_t i = 0; i < shared.type.cells(); ++i)
        cells.insert(code.layout.shared_base[expr.shared.value] + i);
    }
    for (const Expr& operand : expr.args) self(self, operand);
  };
  for (const Final& f : code.program->finals) visit(visit, f.condition);
  return {cells.begin(), cells.end()};
}

bool has_ended(const Unfolding& unfolding, const Location& location) {
  if (unfolding.has_joins) return location.kind == Location::Kind::Announced;
  return location.kind == Location::Kind::Running && semantics::decode(location.key).ended;
}

/// The places of all forbids that the thread is at, as a string of 0 and 1; empty if at none.
std::string places(const Code& code, const Location& location) {
  if (location.kind != Location::Kind::Running && location.kind != Location::Kind::InSection)
    return "";
  const Thread thread = semantics::decode(location.key);
  std::string result;
  bool any = false;
  for (const Forbid& forbid : code.program->forbids)
    for (const Whereabouts& place : forbid.places) {
      const bool is_there = semantics::is_at(code, thread, place);
      result += is_there ? '1' : '0';
      any = any || is_there;
    }
  return any ? result : "";
}

/// The values of an ended thread that final conditions look at.
std::string looked_at(const Code& code, const Thread& thread) {
  std::string result;
  const auto visit = [&](const auto& self, const Expr& expr) -> void {
    if (expr.op == ir::Op::OfThread && semantics::is_named(thread, *expr.thread)) {
      const Local& local = (*code.program)[expr.local];
      const auto& values = local.owner ? thread.stack.front().locals : thread.variables;
      for (std::uint32_t i = 0; i < local.type.cells(); ++i)
        semantics::put(result, values[code.layout.local_base[expr.local.value] + i]);
    }
    for (const Expr& operand : expr.args) self(self, operand);
  };
  for (const Final& f : code.program->finals) visit(visit, f.condition);
  return result;
}

class Finder {
public:
  Finder(const Code& code, const Unfolding& unfolding, const Shrunk& shrunk, Watch& watch)
      : code_(code), unfolding_(unfolding), shrunk_(shrunk), watch_(watch) {}

  std::variant<Targets, Refusal> run() {
    find_names();
    result_.groups.resize(unfolding_.threads.size());
    add_faults();
    for (std::size_t f = 0, first = 0; f < code_.program->forbids.size(); ++f) {
      add_forbid(code_.program->forbids[f], first);
      first += code_.program->forbids[f].places.size();
    }
    if (!code_.program->finals.empty()) add_finals();
    if (list_.size() > most_targets)
      return Refusal{{}, fmt::format("there are more than {} ways to violate it", most_targets)};
    if (!refusal_.empty()) return Refusal{{}, refusal_};
    if (watch_.reason()) return Refusal{{}, *watch_.reason()};
    result_.list.assign(list_.begin(), list_.end());
    return std::move(result_);
  }

private:
  using Vector = std::vector<std::optional<StateIndex>>; ///< by thread; none: anywhere
  using History = std::vector<std::uint32_t>;

  struct Less { // targets in a fixed order, each once
    bool operator()(const Target& a, const Target& b) const { return key(a) < key(b); }
    static std::pair<std::vector<StateIndex>, std::string> key(const Target& t) {
      std::string memory;
      for (const Among& among : t.memory)
        memory += fmt::format("{} {} ", among.variable, among.values.to_string());
      return {t.at, memory};
    }
  };

  /// For each state of the shrunk threads, one location it stands for.
  void find_names() {
    for (std::size_t t = 0; t < unfolding_.threads.size(); ++t) {
      auto& names = location_of_.emplace_back(shrunk_.threads[t].states, nullptr);
      const auto& locations = unfolding_.threads[t].locations;
      for (std::size_t l = locations.size(); l-- > 0;)
        if (const auto state = shrunk_.threads[t].state_of[l]) names[*state] = &locations[l];
      if (unfolding_.spawner == t)
        for (const Location& location : locations) histories_.insert(location.history);
    }
    if (!unfolding_.spawner) histories_.insert(History{});
  }

  bool is_kind(std::size_t t, StateIndex s, Location::Kind kind) const {
    return location_of_[t][s] != nullptr && location_of_[t][s]->kind == kind;
  }

  std::size_t first_spawned() const { return code_.program->threads.size(); }

  // ---- vectors --------------------------------------------------------------------------------

  StateIndex group(std::size_t t, const std::vector<bool>& members) {
    auto& groups = result_.groups[t];
    const auto found = std::find(groups.begin(), groups.end(), members);
    const auto number = static_cast<StateIndex>(found - groups.begin());
    if (found == groups.end()) groups.push_back(members);
    return shrunk_.threads[t].states + number;
  }

  template <class Is> StateIndex group_where(std::size_t t, Is&& is) {
    std::vector<bool> members;
    for (StateIndex s = 0; s < shrunk_.threads[t].states; ++s)
      members.push_back(is(s) && !is_kind(t, s, Location::Kind::InSection));
    return group(t, members);
  }

  std::optional<StateIndex> unborn(std::size_t t) const {
    for (StateIndex s = 0; s < shrunk_.threads[t].states; ++s)
      if (is_kind(t, s, Location::Kind::Unborn)) return s;
    return std::nullopt;
  }

  const History& history(std::size_t t, StateIndex s) const {
    static const History none;
    return location_of_[t][s] ? location_of_[t][s]->history : none;
  }

  /// Adds the target for each history of the spawner that goes with it.
  void add(const Vector& wanted, const std::vector<Among>& memory) {
    for (const History& past : histories_) {
      if (list_.size() > most_targets || watch_.is_over()) return;
      std::vector<Target> targets{{{}, memory}};
      for (std::size_t t = 0; t < wanted.size(); ++t) {
        std::vector<Target> longer;
        for (const StateIndex s : positions(t, wanted[t], past))
          for (const Target& target : targets) {
            longer.push_back(target);
            longer.back().at.push_back(s);
          }
        targets = std::move(longer);
      }
      list_.insert(targets.begin(), targets.end());
    }
  }

  /// Where a thread may be, given what is wanted of it and what the spawner has done.
  std::vector<StateIndex> positions(std::size_t t, std::optional<StateIndex> wanted,
                                    const History& past) {
    if (unfolding_.spawner == t) {
      if (!wanted)
        return {group_where(t, [&](StateIndex s) {
          const History& own = history(t, s);
          return own.size() >= past.size() && std::equal(past.begin(), past.end(), own.begin());
        })};
      return history(t, *wanted) == past ? std::vector{*wanted} : std::vector<StateIndex>{};
    }
    if (t < first_spawned())
      return {wanted ? *wanted : group_where(t, [](StateIndex) { return true; })};
    const std::size_t number = t - first_spawned();
    const auto waiting = unborn(t);
    if (number >= past.size()) {
      if (!waiting || (wanted && wanted != waiting)) return {};
      return {*waiting};
    }
    const History alternative{past[number]};
    if (wanted)
      return history(t, *wanted) == alternative ? std::vector{*wanted} : std::vector<StateIndex>{};
    return {
        group_where(t, [&](StateIndex s) { return s == waiting || history(t, s) == alternative; })};
  }

  // ---- the three kinds ------------------------------------------------------------------------

  void add_faults() {
    for (std::size_t t = 0; t < unfolding_.threads.size(); ++t)
      for (StateIndex s = 0; s < shrunk_.threads[t].states; ++s)
        if (is_kind(t, s, Location::Kind::Failed)) {
          Vector wanted(unfolding_.threads.size());
          wanted[t] = s;
          add(wanted, {});
        }
  }

  void add_forbid(const Forbid& forbid, std::size_t first) {
    Vector wanted(unfolding_.threads.size());
    const auto place = [&](const auto& self, std::size_t i) -> void {
      if (list_.size() > most_targets || watch_.is_over()) return;
      if (i == forbid.places.size()) return add(wanted, {});
      for (std::size_t t = 0; t < wanted.size(); ++t) {
        if (wanted[t]) continue;
        for (StateIndex s = 0; s < shrunk_.threads[t].states; ++s) {
          if (!location_of_[t][s] || shrunk_.threads[t].mark[s] == 0) continue;
          const std::string at = places(code_, *location_of_[t][s]);
          if (at.empty() || at[first + i] != '1') continue;
          wanted[t] = s;
          self(self, i + 1);
          wanted[t].reset();
        }
      }
    };
    place(place, 0);
  }

  void add_finals() {
    const auto cells = final_cells(code_);
    std::size_t valuations = 1;
    for (const VariableIndex cell : cells)
      valuations =
          std::min(most_valuations + 1, valuations * unfolding_.variables[cell].values.size());
    Vector wanted(unfolding_.threads.size());
    std::vector<Thread> threads;
    std::size_t looked = 0;
    const auto end = [&](const auto& self, std::size_t t, const History& past) -> void {
      if (!refusal_.empty()) return;
      const std::size_t exist = first_spawned() + past.size();
      if (t == std::min(exist, wanted.size())) {
        looked += valuations;
        if (looked > most_valuations)
          refusal_ = fmt::format("the final condition has more than {} cases", most_valuations);
        else
          add_broken(wanted, threads, cells);
        return;
      }
      for (StateIndex s = 0; s < shrunk_.threads[t].states; ++s) {
        if (!location_of_[t][s] || !has_ended(unfolding_, *location_of_[t][s])) continue;
        if (unfolding_.spawner == t && history(t, s) != past) continue;
        if (t >= first_spawned() && history(t, s) != History{past[t - first_spawned()]}) continue;
        wanted[t] = s;
        threads.push_back(semantics::decode(location_of_[t][s]->key));
        self(self, t + 1, past);
        threads.pop_back();
        wanted[t].reset();
      }
    };
    for (const History& past : histories_) end(end, 0, past);
  }

  /// The memories in which a final condition is broken once these threads have ended.
  void add_broken(const Vector& wanted, const std::vector<Thread>& threads,
                  const std::vector<VariableIndex>& cells) {
    std::vector<Value> memory;
    for (const UnfoldedVariable& variable : unfolding_.variables)
      if (variable.kind == UnfoldedVariable::Kind::Memory)
        memory.push_back(variable.values.front());
    for (const std::vector<Among>& box : boxes(0, cells, memory, threads)) add(wanted, box);
  }

  using Boxes = std::vector<std::vector<Among>>;

  /// The broken valuations of cells i.. as few products of sets: values with the same rest share.
  Boxes boxes(std::size_t i, const std::vector<VariableIndex>& cells, std::vector<Value>& memory,
              const std::vector<Thread>& threads) {
    if (i == cells.size()) return is_broken(memory, threads) ? Boxes{{}} : Boxes{};
    const UnfoldedVariable& variable = unfolding_.variables[cells[i]];
    std::vector<std::pair<Boxes, ValueSet>> by_rest;
    for (std::uint32_t v = 0; v < variable.values.size(); ++v) {
      memory[cells[i]] = variable.values[v];
      const std::uint32_t klass = shrunk_.variables[cells[i]].class_of[v];
      Boxes rest = boxes(i + 1, cells, memory, threads);
      if (klass >= most_values) {
        refusal_ = too_many_values(cells[i]);
        return {};
      }
      const auto same = std::find_if(by_rest.begin(), by_rest.end(),
                                     [&](const auto& entry) { return entry.first == rest; });
      if (same == by_rest.end())
        by_rest.emplace_back(std::move(rest), ValueSet{}.set(klass));
      else
        same->second.set(klass);
    }
    Boxes result;
    for (const auto& [rest, values] : by_rest)
      for (const auto& box : rest) {
        std::vector<Among> one{{cells[i], values}};
        one.insert(one.end(), box.begin(), box.end());
        result.push_back(std::move(one));
      }
    return result;
  }

  bool is_broken(const std::vector<Value>& memory, const std::vector<Thread>& threads) {
    for (const Final& f : code_.program->finals) {
      const auto holds = semantics::evaluate_final(code_, memory, threads, f.condition);
      if (semantics::is_broken(holds)) return true;
      if (const auto* fault = std::get_if<Fault>(&holds);
          fault && semantics::is_limit(*fault) && result_.cut.empty())
        result_.cut = "a final condition may leave 64 bits";
    }
    return false;
  }

  std::string too_many_values(VariableIndex cell) const {
    return fmt::format("'{}' has more than {} values that matter",
                       cell_name(*code_.program, code_.layout, Cell{cell}), most_values);
  }

  const Code& code_;
  const Unfolding& unfolding_;
  const Shrunk& shrunk_;
  Watch& watch_;
  Targets result_;
  std::set<Target, Less> list_;
  std::set<History> histories_;                           ///< of the spawner
  std::vector<std::vector<const Location*>> location_of_; ///< by thread and state
  std::string refusal_;
};

} // namespace

Apart marks(const Code& code, const Unfolding& unfolding) {
  Apart apart;
  const bool has_finals = !code.program->finals.empty();
  for (const UnfoldedThread& thread : unfolding.threads) {
    std::map<std::string, std::uint32_t> numbers{{"", 0}};
    std::map<std::vector<std::uint32_t>, std::uint32_t> sorts;
    auto& mark = apart.mark.emplace_back();
    auto& sort = apart.sort.emplace_back();
    for (const Location& location : thread.locations) {
      std::string name;
      if (location.kind == Location::Kind::Failed) name = "failed";
      if (location.kind == Location::Kind::Unborn) name = "unborn";
      if (const std::string at = places(code, location); !at.empty()) name = "at " + at;
      if (location.kind == Location::Kind::InSection) name += " inside";
      if (has_finals && has_ended(unfolding, location))
        name += " ended " + looked_at(code, semantics::decode(location.key));
      mark.push_back(
          numbers.emplace(name, static_cast<std::uint32_t>(numbers.size())).first->second);
      sort.push_back(
          sorts.emplace(location.history, static_cast<std::uint32_t>(sorts.size())).first->second);
    }
  }
  apart.pinned.resize(unfolding.variables.size());
  for (const VariableIndex cell : final_cells(code)) apart.pinned[cell] = true;
  return apart;
}

std::variant<Targets, Refusal> targets(const Code& code, const Unfolding& unfolding,
                                       const Shrunk& shrunk, Watch& watch) {
  return Finder(code, unfolding, shrunk, watch).run();
}

} // namespace weir::lower
