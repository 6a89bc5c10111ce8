#pragma once
// What always holds in Dual-TSO, found by looking at each thread alone: values that its
// own-messages and the variables that only it writes can have while it is in a state. See README.md.

#include "certify/certificate.h"

namespace weir::certify {

class Invariants {
public:
  /// Keeps a reference to the automata.
  explicit Invariants(const lower::Automata& automata);
  /// Takes away what no configuration that can be reached has; false if nothing is left.
  bool narrow(Element& element) const;

private:
  struct Thread {
    std::vector<lower::VariableIndex> alone; ///< variables that no other thread writes
    // By position and variable, as position * variables + variable:
    std::vector<lower::ValueSet> own;
    std::vector<lower::ValueSet> last; ///< of memory; only of those in `alone`
  };
  Thread look_at(ThreadIndex thread, const std::vector<bool>& alone) const;

  const lower::Automata& automata_;
  std::vector<Thread> threads_;
};

} // namespace weir::certify
