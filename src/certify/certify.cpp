#include "certify/certify.h"

#include "certify/eager.h"
#include "certify/index.h"
#include "certify/invariants.h"
#include "certify/suitable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

namespace weir::certify {
namespace {

using lower::Automata;
using lower::Automaton;
using lower::StateIndex;
using lower::Transition;
using lower::ValueSet;
using Decision = std::optional<Judgement>; ///< nothing: go on

std::string position(const Automaton& thread, StateIndex at) {
  return fmt::format("{} {}", at < thread.states ? "state" : "group", at);
}

std::string values(const lower::Variable& variable, const ValueSet& set) {
  std::vector<std::string> names;
  for (std::uint32_t v = 0; v < variable.size(); ++v)
    if (set[v]) names.push_back(variable.values[v]);
  return fmt::format("{{{}}}", fmt::join(names, ","));
}

std::string action(const Automata& automata, const lower::Op& op) {
  std::vector<std::string> parts;
  for (const auto& [variable, set] : op.reads) {
    const lower::Variable& x = automata.variables[variable];
    parts.push_back(fmt::format("reading {} in {}", x.name, values(x, set)));
  }
  for (const auto& [variable, value] : op.writes) {
    const lower::Variable& x = automata.variables[variable];
    parts.push_back(fmt::format("writing {}:={}", x.name, x.values[value]));
  }
  if (op.kind == lower::Op::Kind::Nop) return "going";
  if (op.kind != lower::Op::Kind::Atomic) return parts.front();
  return parts.empty() ? "waiting at a fence"
                       : fmt::format("atomically {}", fmt::join(parts, " and "));
}

std::string step(const Automata& automata, const Predecessor& by) {
  const Automaton& thread = automata.threads[by.thread];
  if (by.transition == nullptr) return fmt::format("{} being sent a message", thread.name);
  const Transition& t = *by.transition;
  return fmt::format("{} {} from {} to {}", thread.name, action(automata, t.op),
                     position(thread, t.from), position(thread, t.to));
}

class Checker {
public:
  Checker(const Automata& automata, const Certificate& certificate, const Limits& limits)
      : automata_(automata), certificate_(certificate), limits_(limits), steps_(automata),
        invariants_(automata), index_(automata) {}

  Judgement run() {
    for (const auto check : {&Checker::suitable, &Checker::load, &Checker::targets,
                             &Checker::minimal, &Checker::closed, &Checker::tight})
      if (const Decision decision = (this->*check)()) return *decision;
    return Accepted{elements_.size(), predecessors_};
  }

private:
  Decision suitable();
  Decision load();
  Decision targets();
  Decision minimal();
  Decision closed();
  Decision tight();
  Decision stopped();
  void found(const Element& element, ElementIndex by);
  void go_on(const Element& element, ElementIndex within, std::vector<Element>& seen);
  static Decision rejected(std::string reason) { return Rejected{std::move(reason)}; }

  const Automata& automata_;
  const Certificate& certificate_;
  const Limits& limits_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Steps steps_;
  Invariants invariants_;
  std::vector<Element> elements_; ///< as far as the invariants leave them
  Index index_;
  std::vector<bool> justified_; ///< by element: is a target or a predecessor of another
  std::uint64_t predecessors_ = 0;
  std::uint32_t polls_ = 0;
};

Decision Checker::stopped() {
  if (polls_++ % 256 != 0) return std::nullopt;
  if (limits_.interrupted != nullptr && limits_.interrupted->load()) return Stopped{"interrupted"};
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  if (limits_.seconds && spent.count() > *limits_.seconds)
    return Stopped{fmt::format("the time limit of {} s was reached", *limits_.seconds)};
  return std::nullopt;
}

Decision Checker::suitable() {
  if (certificate_.fingerprint != fingerprint(automata_))
    return rejected("the certificate was made for another program (or the program was changed)");
  if (const auto wrong = unsuitable(automata_)) return rejected(*wrong);
  return std::nullopt;
}

Decision Checker::load() {
  for (const Element& given : certificate_.elements) {
    const auto number = elements_.size() + 1;
    if (const auto wrong = malformed(automata_, given))
      return rejected(fmt::format("element {} {}", number, *wrong));
    elements_.push_back(given);
    if (!invariants_.narrow(elements_.back()))
      return rejected(fmt::format("element {} says what can never be", number));
    if (is_initial(automata_, given))
      return rejected(fmt::format("element {} is where the program starts", number));
  }
  index_.build(elements_);
  justified_.resize(elements_.size());
  return std::nullopt;
}

Decision Checker::targets() {
  for (std::size_t t = 0; t < automata_.targets.size(); ++t) {
    Element element = element_of(automata_, automata_.targets[t]);
    if (!invariants_.narrow(element)) continue;
    const auto cover = index_.find(element);
    if (!cover) return rejected(fmt::format("target {} is not covered by any element", t + 1));
    if (subsumes(automata_, element, elements_[*cover])) justified_[*cover] = true;
  }
  return std::nullopt;
}

Decision Checker::minimal() {
  for (ElementIndex i = 0; i < elements_.size(); ++i) {
    if (Decision stop = stopped()) return stop;
    if (const auto wide = index_.find(elements_[i], i))
      return rejected(fmt::format("element {} is covered by element {}", i + 1, *wide + 1));
  }
  return std::nullopt;
}

Decision Checker::closed() {
  std::vector<Predecessor> before;
  for (ElementIndex i = 0; i < elements_.size(); ++i) {
    if (Decision stop = stopped()) return stop;
    steps_.predecessors(elements_[i], before);
    for (Predecessor& predecessor : before) {
      if (!invariants_.narrow(predecessor.element)) continue;
      ++predecessors_;
      const auto cover = index_.find(predecessor.element);
      if (!cover)
        return rejected(
            fmt::format("element {} is not closed: {} has a predecessor that no element covers",
                        i + 1, step(automata_, predecessor)));
      if (*cover != i && !justified_[*cover] &&
          subsumes(automata_, predecessor.element, elements_[*cover]))
        justified_[*cover] = true;
    }
  }
  return std::nullopt;
}

/// Those that were not justified by one step may be so by several, if what was between is covered
/// by them: a search that found it dropped it again. See README.md.
Decision Checker::tight() {
  const auto missing = [&] { return std::ranges::find(justified_, false); };
  if (missing() == justified_.end()) return std::nullopt;
  const auto nowhere = elements_.size();
  for (const lower::Target& target : automata_.targets)
    if (Element element = element_of(automata_, target); invariants_.narrow(element))
      found(element, nowhere);
  std::vector<Predecessor> before;
  for (ElementIndex i = 0; i < elements_.size(); ++i) {
    if (Decision stop = stopped()) return stop;
    steps_.predecessors(elements_[i], before);
    for (Predecessor& predecessor : before)
      if (invariants_.narrow(predecessor.element)) found(predecessor.element, i);
  }
  if (missing() == justified_.end()) return std::nullopt;
  return rejected(
      fmt::format("element {} is neither a target nor a predecessor of another: it says "
                  "more (or other) than what was found",
                  missing() - justified_.begin() + 1));
}

void Checker::found(const Element& element, ElementIndex by) {
  const auto cover = index_.find(element);
  std::vector<Element> seen;
  if (cover && *cover != by && !justified_[*cover]) go_on(element, *cover, seen);
}

/// Takes steps from an element that was found as long as `within` covers what comes.
void Checker::go_on(const Element& element, ElementIndex within, std::vector<Element>& seen) {
  if (subsumes(automata_, element, elements_[within])) justified_[within] = true;
  if (justified_[within]) return;
  seen.push_back(element);
  std::vector<Predecessor> before;
  steps_.predecessors(element, before);
  for (Predecessor& predecessor : before) {
    Element& next = predecessor.element;
    const auto known = [&](const Element& old) { return subsumes(automata_, old, next); };
    if (invariants_.narrow(next) && std::ranges::none_of(seen, known) &&
        index_.find(next) == within)
      go_on(next, within, seen);
    if (justified_[within]) return;
  }
}

} // namespace

Judgement certify(const Automata& automata, const Certificate& certificate, const Limits& limits) {
  return Checker(automata, certificate, limits).run();
}

} // namespace weir::certify
