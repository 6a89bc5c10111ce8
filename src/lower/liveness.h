#pragma once
// Which variables of a thread can still be read. The others are set to 0 in stored states, so that
// states that differ only in them are one.

#include "ir/code.h"
#include "semantics/thread.h"

#include <vector>

namespace weir::lower {

class Liveness {
public:
  /// `keep_results`: what the user declared stays alive at the end of a process, for listings.
  Liveness(const ir::Code& code, bool keep_results);

  /// Sets every dead variable of the thread to 0.
  void forget_dead(semantics::Thread& thread) const;

private:
  using Set = std::vector<bool>; ///< frame slots, then slots of thread variables
  struct RoutineSets {
    std::vector<Set> before; ///< by Location: alive before its instruction
  };
  Set at_end(ir::ProcedureId routine, bool keep_results) const;
  void solve(ir::ProcedureId routine, const Set& end);
  void add_uses(const ir::Expr& expr, ir::ProcedureId routine, Set& set) const;
  void add(ir::LocalId local, ir::ProcedureId routine, Set& set) const;
  void transfer(const ir::Operation& operation, ir::ProcedureId routine, Set& set) const;

  const ir::Code& code_;
  std::vector<std::uint32_t> frame_size_;
  std::vector<std::vector<ir::LocalId>> thread_variables_used_; ///< by routine, calls included
  std::vector<RoutineSets> sets_;
};

} // namespace weir::lower
