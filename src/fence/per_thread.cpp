#include "fence/per_thread.h"

#include "ir/rename.h"

#include <algorithm>
#include <map>
#include <set>

namespace weir::fence {

using namespace ir;

namespace {

class Splitter {
public:
  explicit Splitter(const Program& program) : result_(program) {}

  Program run() {
    std::map<ProcedureId, std::size_t> users; // of the original
    for (const InitialThread& thread : result_.threads) ++users[thread.process];
    for (const Procedure& code : result_.procedures)
      for_each_statement(code.body, [&](const Stmt& stmt) {
        if (const auto* spawn = std::get_if<Spawn>(&stmt.action)) ++users[spawn->process];
      });
    std::set<ProcedureId> kept;
    for (const auto& [code, count] : users)
      if (count > threads_of(code)) kept.insert(code); // by threads that are spawned
    spawned_ = kept;
    for (InitialThread& thread : result_.threads) {
      const ProcedureId original = thread.process;
      if (!kept.insert(original).second) thread.process = copied(original);
      copies_[original].push_back({thread.process, thread.arguments});
    }
    part_statements();
    std::vector<Forbid> forbids;
    for (const Forbid& forbid : result_.forbids) {
      std::set<std::vector<std::uint32_t>> seen;
      Forbid chosen{{}, forbid.span};
      combine(forbid, 0, chosen, seen, forbids);
    }
    result_.forbids = std::move(forbids);
    for (Final& final_ : result_.finals) rename(final_.condition);
    return std::move(result_);
  }

private:
  struct Copy {
    ProcedureId process;
    std::vector<Value> arguments;
  };

  std::size_t threads_of(ProcedureId code) const {
    return static_cast<std::size_t>(
        std::count_if(result_.threads.begin(), result_.threads.end(),
                      [&](const InitialThread& thread) { return thread.process == code; }));
  }

  ProcedureId copied(ProcedureId from) {
    const ProcedureId id{static_cast<std::uint32_t>(result_.procedures.size())};
    Procedure copy = result_[from];
    // Locals belong to a procedure, so the copy has its own.
    Renamed locals;
    for (std::uint32_t i = 0, end = static_cast<std::uint32_t>(result_.locals.size()); i < end; ++i)
      if (result_.locals[i].owner == from) {
        locals.emplace(LocalId{i}, LocalId{static_cast<std::uint32_t>(result_.locals.size())});
        result_.locals.push_back(result_.locals[i]);
        result_.locals.back().owner = id;
      }
    locals_of_[id] = locals;
    std::map<StatementId, StatementId> statements;
    for (LocalId& parameter : copy.parameters) parameter = locals.at(parameter);
    ir::rename(copy.body, locals);
    own_statements(copy.body, statements);
    result_.procedures.push_back(std::move(copy));
    return id;
  }

  void own_statements(Block& block, std::map<StatementId, StatementId>& statements) {
    for (Stmt& stmt : block) {
      if (stmt.origin) {
        const auto [found, is_new] = statements.emplace(
            *stmt.origin, StatementId{static_cast<std::uint32_t>(result_.statements.size())});
        if (is_new) result_.statements.push_back(SourceStatement(result_[*stmt.origin]));
        stmt.origin = found->second;
      }
      if (auto* branch = std::get_if<If>(&stmt.action)) {
        own_statements(branch->yes, statements);
        own_statements(branch->no, statements);
      } else if (auto* loop = std::get_if<Loop>(&stmt.action)) {
        own_statements(loop->before, statements);
        own_statements(loop->body, statements);
      }
    }
  }

  /// Copies of a process that the front end made share statements, too.
  void part_statements() {
    std::set<StatementId> taken;
    for (Procedure& code : result_.procedures) {
      std::set<StatementId> own;
      for_each_statement(code.body, [&](const Stmt& stmt) {
        if (stmt.origin) own.insert(*stmt.origin);
      });
      const bool is_shared = std::any_of(own.begin(), own.end(),
                                         [&](StatementId id) { return taken.count(id) > 0; });
      std::map<StatementId, StatementId> fresh;
      if (is_shared && code.kind != Procedure::Kind::Procedure) own_statements(code.body, fresh);
      taken.insert(own.begin(), own.end());
    }
  }

  /// The forbid once for each way in which copies can take its places.
  void combine(const Forbid& forbid, std::size_t place, Forbid& chosen,
               std::set<std::vector<std::uint32_t>>& seen, std::vector<Forbid>& out) {
    if (place == forbid.places.size()) {
      std::vector<std::uint32_t> key;
      for (const Whereabouts& at : chosen.places) {
        key.push_back(at.thread.process.value);
        key.push_back(at.label.value);
      }
      if (seen.insert(std::move(key)).second) out.push_back(chosen);
      return;
    }
    const Whereabouts& at = forbid.places[place];
    const auto copies = copies_.find(at.thread.process);
    if (copies == copies_.end()) {
      chosen.places.push_back(at);
      combine(forbid, place + 1, chosen, seen, out);
      chosen.places.pop_back();
      return;
    }
    if (spawned_.count(at.thread.process) > 0) { // any number of these
      chosen.places.push_back(at);
      combine(forbid, place + 1, chosen, seen, out);
      chosen.places.pop_back();
    }
    for (const Copy& copy : copies->second) {
      if (!at.thread.arguments.empty() && at.thread.arguments != copy.arguments) continue;
      bool taken = false; // a copy is one thread
      for (const Whereabouts& other : chosen.places)
        taken = taken || other.thread.process == copy.process;
      if (taken) continue;
      chosen.places.push_back({{copy.process, at.thread.arguments}, at.label});
      combine(forbid, place + 1, chosen, seen, out);
      chosen.places.pop_back();
    }
  }

  void rename(Expr& expr) {
    if (expr.thread)
      if (const auto copies = copies_.find(expr.thread->process); copies != copies_.end())
        for (const Copy& copy : copies->second)
          if (expr.thread->arguments.empty() || expr.thread->arguments == copy.arguments) {
            expr.thread->process = copy.process;
            const Renamed& locals = locals_of_[copy.process];
            if (const auto found = locals.find(expr.local); found != locals.end())
              expr.local = found->second;
            break;
          }
    for (Expr& arg : expr.args) rename(arg);
  }

  Program result_;
  std::map<ProcedureId, std::vector<Copy>> copies_;
  std::set<ProcedureId> spawned_; ///< the original is the code of threads that are spawned
  std::map<ProcedureId, Renamed> locals_of_;
};

} // namespace

Program per_thread(const Program& program) { return Splitter(program).run(); }

} // namespace weir::fence
