#include "translate/watch.h"

#include "base/match.h"
#include "translate/build.h"
#include "translate/places.h"
#include "translate/sections.h"

#include <algorithm>
#include <map>

namespace weir::translate {

using namespace ir;

namespace {

class Watcher {
public:
  explicit Watcher(const Program& program)
      : source_(program), sections_(source_), places_(source_), out_(program), build_(out_) {
    for (const Counter& counter : places_.counters())
      counters_.push_back(build_.shared(counter.name, Type::integer()));
  }

  Program run() {
    if (places_.counters().empty()) return std::move(out_);
    for (std::uint32_t i = 0; i < source_.procedures.size(); ++i) {
      at_ = ProcedureId{i};
      seen_.clear();
      if (source_.procedures[i].kind != Procedure::Kind::Procedure)
        out_.procedures[i].body = watched(source_.procedures[i].body);
    }
    out_.forbids.clear();
    return std::move(out_);
  }

private:
  Block watched(const Block& statements) {
    Block out;
    for (const Stmt& s : statements) {
      const auto counters = places_.at(at_, s.labels);
      Stmt copy = s;
      if (auto* branch = std::get_if<If>(&copy.action)) {
        branch->yes = watched(branch->yes);
        branch->no = watched(branch->no);
      }
      if (auto* loop = std::get_if<Loop>(&copy.action)) {
        Block before;
        if (!counters.empty()) visit(counters, sections_.is_inside(s), s.span, before);
        Block rest = watched(loop->before);
        before.insert(before.end(), rest.begin(), rest.end());
        loop->before = std::move(before);
        loop->body = watched(loop->body);
        out.push_back(std::move(copy));
        continue;
      }
      if (counters.empty()) {
        out.push_back(std::move(copy));
        continue;
      }
      const auto first = out.size();
      const bool begins = std::holds_alternative<AtomicBegin>(s.action);
      if (begins) { // the thread leaves as it takes the section
        enter(counters, false, s.span, out);
        copy.labels.clear();
        out.push_back(std::move(copy));
        change(counters, -1, s.span, out);
      } else {
        visit(counters, sections_.is_inside(s), s.span, out);
        copy.labels.clear();
        out.push_back(std::move(copy));
      }
      out[first].labels = s.labels;
    }
    return out;
  }

  void visit(const std::vector<std::size_t>& counters, bool inside, SourceSpan span, Block& out) {
    enter(counters, inside, span, out);
    if (!inside) out.push_back(stmt(AtomicBegin{}, span));
    change(counters, -1, span, out);
    if (!inside) out.push_back(stmt(AtomicEnd{}, span));
  }

  /// What a thread sees of a counter; one variable each, read once per section.
  LocalId seen(std::size_t counter) {
    const auto found = seen_.find(counter);
    if (found != seen_.end()) return found->second;
    const LocalId local =
        build_.local("seen_" + places_.counters()[counter].name, Type::integer(), at_);
    return seen_.emplace(counter, local).first->second;
  }

  void change(const std::vector<std::size_t>& counters, int by, SourceSpan span, Block& out) {
    for (const std::size_t c : counters) {
      const LocalId local = seen(c);
      Expr now = build_.value(local);
      Block one{stmt(Load{{local, {}}, {counters_[c], {}}}, span),
                stmt(Assign{{local, {}}, by > 0 ? now + number(1) : now - number(1)}, span),
                stmt(Store{{counters_[c], {}}, build_.value(local)}, span)};
      Expr meant = Expr::boolean(true);
      const ThreadName& name = places_.counters()[c].thread;
      for (std::size_t i = 0; i < name.arguments.size(); ++i) {
        const LocalId parameter = source_[at_].parameters[i];
        Expr argument = Expr::constant(name.arguments[i]);
        argument.is_bool = source_[parameter].type.kind == Type::Kind::Bool;
        Expr same = equal(build_.value(parameter), std::move(argument));
        meant = i == 0 ? same : both(std::move(meant), std::move(same));
      }
      if (name.arguments.empty())
        out.insert(out.end(), one.begin(), one.end());
      else // the value is read either way: a second read in one section would mislead CBMC
        out.insert(out.end(), {one[0], stmt(If{std::move(meant), {one[1], one[2]}, {}}, span)});
    }
  }

  void enter(const std::vector<std::size_t>& counters, bool inside, SourceSpan span, Block& out) {
    if (!inside) out.push_back(stmt(AtomicBegin{}, span));
    change(counters, 1, span, out);
    std::vector<std::vector<AtLeast>> forbids;
    std::vector<std::size_t> known = counters;
    for (const std::size_t c : counters)
      for (auto& forbid : places_.forbids_with(c)) {
        for (const AtLeast& need : forbid)
          if (std::find(known.begin(), known.end(), need.counter) == known.end()) {
            known.push_back(need.counter);
            out.push_back(
                stmt(Load{{seen(need.counter), {}}, {counters_[need.counter], {}}}, span));
          }
        forbids.push_back(std::move(forbid));
      }
    if (!inside) out.push_back(stmt(AtomicEnd{}, span));
    for (const auto& forbid : forbids) {
      Expr reached = Expr::boolean(true);
      for (std::size_t i = 0; i < forbid.size(); ++i) {
        Expr enough = at_least(build_.value(seen(forbid[i].counter)), number(forbid[i].threads));
        reached = i == 0 ? enough : both(std::move(reached), std::move(enough));
      }
      out.push_back(stmt(Assert{negated(std::move(reached))}, span));
    }
  }

  const Program source_;
  const Sections sections_;
  const Places places_;
  Program out_;
  Builder build_;
  std::vector<SharedId> counters_; ///< by counter of places_
  std::map<std::size_t, LocalId> seen_;
  ProcedureId at_;
};

} // namespace

Program watch_places(Program program) { return Watcher(program).run(); }

} // namespace weir::translate
