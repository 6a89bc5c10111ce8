#pragma once
// A certificate of safety: minimal elements of a set of Dual-TSO configurations that contains all
// targets, no initial configuration, and every predecessor of each of its members.
//
// A configuration of Dual-TSO has a state for each thread, memory, and for each thread a *load*
// buffer of messages (x, v), some of them marked as the thread's own. An element stands for the
// upward closure of its instances in the ordering of src/certify/README.md.

#include "lower/automata.h"

#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

namespace weir::certify {

/// The newest own store to a variable that is still ahead of what the thread has seen.
struct Own {
  lower::VariableIndex variable = 0;
  lower::ValueSet values;
  std::uint32_t older = 0; ///< how many messages of the buffer are older than it
  bool operator==(const Own&) const = default;
};

struct Buffer {
  std::vector<lower::Among> messages; ///< newest first
  std::vector<Own> own;               ///< sorted by variable, at most one for each
  bool operator==(const Buffer&) const = default;
};

struct Element {
  std::vector<lower::StateIndex> at;   ///< by thread: a state or a group
  std::vector<lower::ValueSet> memory; ///< by variable; the full set says nothing
  std::vector<Buffer> buffers;         ///< by thread
  bool operator==(const Element&) const = default;
};

struct Certificate {
  std::string program;     ///< name of the file, for people
  std::string fingerprint; ///< of the automata it is about
  std::vector<Element> elements;
};

/// The same for the same automata, different for others.
std::string fingerprint(const lower::Automata& automata);

/// One line of JSON that says what it is about, then one per element, then one that ends it.
void write(std::ostream& out, const lower::Automata& automata, const Certificate& certificate);

struct Unreadable {
  std::string message; ///< what is wrong, with the line
};
/// Reads what write() wrote. Names of variables and values are looked up in the automata. A
/// certificate of other automata is unreadable too, and so is one that was cut off.
std::variant<Certificate, Unreadable> read(std::istream& in, const lower::Automata& automata);

} // namespace weir::certify
