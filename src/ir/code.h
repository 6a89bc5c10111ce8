#pragma once
// The same Program as flat lists of instructions: what everything that executes it works on.
//
// One Routine per procedure. Locations are indices of instructions; a thread at a location is about
// to execute that instruction. Jumps are gone: every instruction knows its successors.

#include "ir/layout.h"
#include "ir/program.h"

#include <variant>
#include <vector>

namespace weir::ir {

using Location = std::uint32_t;

/// Goes on at `yes` or `no`; either way if the condition is `*`.
struct Branch {
  Expr condition;
  Location yes = 0;
  Location no = 0;
};

using Operation =
    std::variant<Skip, Assume, Assert, Assign, Havoc, Load, Store, Cas, Arw, Fence, StoreFence,
                 AtomicBegin, AtomicEnd, Spawn, Join, Call, Return, Branch>;

struct Instruction {
  Operation operation;
  Location next = 0; ///< not for Branch and Return
  SourceSpan span;
};

struct Routine {
  std::vector<Instruction> code; ///< starts at 0; never empty
  std::vector<Location> labels;  ///< by LabelId
};

struct Code {
  explicit Code(const Program& program);

  const Program* program;
  Layout layout;
  std::vector<Routine> routines; ///< by ProcedureId

  const Instruction& at(ProcedureId routine, Location location) const {
    return routines[routine.value].code[location];
  }
};

/// Whether others can notice the instruction or it may have to wait for them: accesses to shared
/// memory, fences, sections, spawn and join. The rest is local computation.
bool is_visible(const Operation& operation);

/// The locations control may go to from this instruction within its routine.
std::vector<Location> successors(const Instruction& instruction);

} // namespace weir::ir
