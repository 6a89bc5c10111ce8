#include "semantics/choices.h"

#include "ir/print.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::semantics {

using namespace ir;

namespace {

constexpr std::uint64_t most_choices = 1u << 16;

bool has_too_many(const Type& type) {
  return static_cast<std::uint64_t>(type.hi) - static_cast<std::uint64_t>(type.lo) >= most_choices;
}

/// What the threads may execute: their processes, and what is called and spawned from there.
std::vector<ProcedureId> reachable_code(const Code& code) {
  std::vector<ProcedureId> found;
  const auto add = [&](ProcedureId id) {
    if (std::find(found.begin(), found.end(), id) == found.end()) found.push_back(id);
  };
  for (const InitialThread& thread : code.program->threads) add(thread.process);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const Instruction& instruction : code.routines[found[i].value].code) {
      if (const auto* call = std::get_if<Call>(&instruction.operation)) add(call->procedure);
      if (const auto* spawn = std::get_if<Spawn>(&instruction.operation)) add(spawn->process);
    }
  return found;
}

} // namespace

std::optional<std::string> too_many_choices(const Code& code) {
  const Program& program = *code.program;
  const auto complaint = [&](std::string name, SourceSpan span, const Type& type) {
    const std::string where = program.source
                                  ? fmt::format("{}:{}: ", program.source->name(),
                                                program.source->position(span.begin).line)
                                  : "";
    const bool is_cp = !program.source || program.source->name().ends_with(".cp");
    return fmt::format("{}{} may take any value from {} to {}, which are too many to look at{}", where, name,
                       type.lo, type.hi, is_cp ? ": give it a smaller range, int<lo..hi>" : "");
  };
  for (const Shared& shared : program.shared)
    for (const Initial& initial : shared.initial)
      if (!initial && has_too_many(shared.type.scalar()))
        return complaint("'" + shared.name + "'", shared.span, shared.type.scalar());
  for (const ProcedureId routine : reachable_code(code))
    for (const Instruction& instruction : code.routines[routine.value].code)
      if (const auto* havoc = std::get_if<Havoc>(&instruction.operation)) {
        const Local& local = program[havoc->to.variable];
        const bool is_ours = local.span.end <= local.span.begin;
        if (has_too_many(local.type.scalar()))
          return complaint(is_ours ? "this '*'" : "'" + local.name + "'", instruction.span,
                           local.type.scalar());
      }
  return std::nullopt;
}

} // namespace weir::semantics
