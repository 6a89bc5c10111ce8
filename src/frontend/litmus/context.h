#pragma once
// What the parts of a litmus test share while its Program is built: locations, registers, addresses.

#include "base/diagnostic.h"
#include "frontend/litmus/split.h"
#include "ir/program.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weir::frontend::litmus {

/// A cell of shared memory whose address may be a value.
struct Target {
  ir::SharedId variable;
  std::uint32_t element = 0;
};

class Context {
public:
  Context(Architecture architecture, Diagnostics& diagnostics)
      : architecture(architecture), diagnostics(diagnostics) {}

  const Architecture architecture;
  Diagnostics& diagnostics;
  ir::Program program;

  /// The location of this name; a new one starts at 0.
  ir::SharedId location(const std::string& name);
  std::optional<ir::SharedId> find_location(const std::string& name) const;
  const std::string& location_name(ir::SharedId id) const { return location_names_[id.value]; }
  ir::Place place(const Target& target) const;

  /// The number that stands for its address.
  static ir::Value address(const Target& target);
  /// The location that a number is the address of, as people write it.
  std::map<ir::Value, std::string> addresses() const;
  /// From here on the address of the location may come up as a value.
  void expose(ir::SharedId id);
  const std::vector<Target>& exposed() const { return exposed_; }

  /// A register as the architecture calls it, whatever the spelling; none: it is not one.
  std::optional<std::string> register_named(const std::string& spelling) const;
  /// The register of a thread; a new one starts at its initial value.
  ir::LocalId reg(std::size_t thread, const std::string& name);
  std::optional<ir::LocalId> find_register(std::size_t thread, const std::string& name) const;
  void set_initial(std::size_t thread, const std::string& name, ir::Value value);
  std::optional<ir::Value> initial(std::size_t thread, const std::string& name) const;

  ir::ProcedureId add_thread(SourceSpan span);
  std::size_t threads() const { return program.procedures.size(); }
  std::string unique_name(const std::string& wish);

private:
  std::vector<std::string> location_names_;
  std::map<std::string, ir::SharedId> locations_;
  std::vector<Target> exposed_;
  std::set<std::string> names_;
  std::map<std::pair<std::size_t, std::string>, ir::LocalId> registers_;
  std::map<std::pair<std::size_t, std::string>, ir::Value> initial_;
};

/// Statements of one thread.
class Emitter {
public:
  Emitter(Context& context, ir::ProcedureId code) : context_(context), code_(code) {}

  /// What is emitted from here on belongs to this statement of the source.
  void begin_statement(SourceSpan span, SourceSpan whole, bool is_alone);
  std::optional<ir::StatementId> statement() const { return statement_; }
  void resume_statement(std::optional<ir::StatementId> statement) { statement_ = statement; }

  void emit(ir::Action action, SourceSpan span, std::vector<ir::LabelId> labels = {});
  ir::Block collect(const std::function<void()>& make);
  ir::Block take() { return std::move(block_); }
  bool is_empty() const { return out_->empty(); }

  /// A local of ours, good until the next statement.
  ir::LocalId temporary();
  ir::Expr load(const ir::Place& from, SourceSpan span);
  void store(const ir::Place& to, ir::Expr value, SourceSpan span);
  void assign(ir::LocalId to, ir::Expr value, SourceSpan span);
  /// A locked instruction: drains the buffer, and nobody comes between its steps.
  void locked(SourceSpan span, const std::function<void()>& steps);
  /// Does something to the cell that a value is the address of.
  void at_address(const ir::Expr& address, SourceSpan span,
                  const std::function<void(const ir::Place&)>& act);
  ir::Expr read(ir::LocalId local, SourceSpan span = {}) const;

private:
  Context& context_;
  ir::ProcedureId code_;
  ir::Block block_;
  ir::Block* out_ = &block_;
  std::optional<ir::StatementId> statement_;
  std::vector<ir::LocalId> temporaries_;
  std::size_t used_ = 0;
};

} // namespace weir::frontend::litmus
