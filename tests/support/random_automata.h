#pragma once
// Small random automata, the same for the same seed and options.

#include "lower/automata.h"

#include <cstdint>

namespace weir::test {

struct RandomAutomataOptions {
  std::uint32_t most_threads = 3; ///< at least 2
  std::uint32_t most_variables = 3;
  std::uint32_t most_values = 3; ///< per variable, at least 2
  std::uint32_t most_states = 6; ///< per thread, at least 3
  std::uint32_t loops = 40;      ///< per cent of automata whose transitions go anywhere
  std::uint32_t groups = 25;     ///< per cent of threads that have groups
  std::uint32_t memory = 20;     ///< per cent of targets that ask for values in memory
  std::uint32_t sections = 10;   ///< per cent of threads that have a state inside a section
  std::uint32_t own_reads = 40;  ///< per cent of reads that look for what the thread has written
};

/// Threads without branches.
struct RandomRunOptions {
  std::uint32_t most_threads = 4; ///< at least 2
  std::uint32_t most_variables = 4;
  std::uint32_t most_values = 3; ///< per variable, at least 2
  std::uint32_t most_steps = 22; ///< of all threads, flushes among them
  std::uint32_t changed = 40;    ///< per cent of automata in which one read wants something else
};

lower::Automata random_automata(std::uint64_t seed, const RandomAutomataOptions& options = {});

/// What happens in a random run under TSO, as automata: every thread can get to its end, the target, but
/// perhaps only just so; or, where a read was changed, perhaps not quite.
lower::Automata automata_of_random_run(std::uint64_t seed, const RandomRunOptions& options = {});

/// Adds the transitions into groups that lower/automata.h asks for; `groups`, `initial` and
/// `holds_section` get their entries for a group of these members, closed under transitions first.
void add_group(lower::Automaton& automaton, std::vector<bool> members);

} // namespace weir::test
