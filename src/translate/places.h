#pragma once
// Forbidden combinations of places as counters: how many threads are at each place, and the
// condition on the counters that says a forbid is reached. Counters belong to the property, not to
// the program's memory: they are changed at once, whatever the memory model.

#include "ir/code.h"
#include "ir/program.h"

#include <vector>

namespace weir::translate {

/// Threads of a process, perhaps only those with these arguments, at one of its locations.
struct Counter {
  ir::ThreadName thread;
  ir::Location at = 0;
  std::string name; ///< e.g. "at_P_cs"
  bool operator==(const Counter&) const = default;
};

struct AtLeast {
  std::size_t counter; ///< index into Places::counters
  std::uint32_t threads;
};

class Places {
public:
  explicit Places(const ir::Program& program);

  const std::vector<Counter>& counters() const { return counters_; }
  /// The counters of the place where a statement with these labels stands.
  std::vector<std::size_t> at(ir::ProcedureId process,
                              const std::vector<ir::LabelId>& labels) const;
  /// The forbids that have to do with the counter, each as a conjunction.
  std::vector<std::vector<AtLeast>> forbids_with(std::size_t counter) const;

private:
  std::size_t counter(const ir::ThreadName& thread, ir::Location at, const std::string& label);

  ir::Code code_;
  std::vector<Counter> counters_;
  std::vector<std::vector<AtLeast>> forbids_;
};

} // namespace weir::translate
