#pragma once
// herd7's litmus tests, X86, X86_64 and C: text to a Program and a question about its final states.

#include "base/diagnostic.h"
#include "frontend/changes.h"
#include "ir/program.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::frontend::litmus {

enum class Quantifier : std::uint8_t { Exists, NotExists, Forall };

/// What is shown of a final state: a register of a thread, or a location.
struct Observable {
  std::string name; ///< as herd7 shows it: `0:EAX`, `[x]`
  ir::Expr value;   ///< in terms of final conditions
};

struct Test {
  std::string name;
  ir::Program program; ///< its final condition: what the test asks about does not happen
  Quantifier quantifier = Quantifier::Forall;
  ir::Expr condition = ir::Expr::boolean(true);
  std::string condition_text;     ///< as herd7 prints it, with its quantifier
  std::optional<ir::Expr> filter; ///< only final states with this count
  std::vector<Observable> observed;
  std::map<ir::Value, std::string> addresses; ///< values that stand for locations
};

/// Reports every mistake it finds. With mistakes the Test, if any, is only fit for further checks.
std::optional<Test> read(const std::shared_ptr<const Source>& source, Diagnostics& diagnostics);

/// The program alone, for the table of languages.
std::optional<ir::Program> parse(const std::shared_ptr<const Source>& source,
                                 Diagnostics& diagnostics);
std::vector<Edit> edits(const ir::Program& program, const std::vector<Change>& changes);

} // namespace weir::frontend::litmus
