#include "decide/outcomes.h"

#include "engine/explicit/explicit.h"

namespace weir::decide {

Outcomes outcomes(ir::Program program, const OutcomesQuestion& question) {
  using namespace ir;
  // What a final condition mentions is remembered to the end; the rest need not be.
  program.finals.clear();
  program.forbids.clear();
  std::vector<Expr> mentioned = question.observed;
  mentioned.push_back(question.condition);
  if (question.filter) mentioned.push_back(*question.filter);
  for (const Expr& expr : mentioned)
    program.finals.push_back({expr.is_bool ? expr : Expr::binary(Op::Eq, expr, expr), {}});

  const Code code(program);
  Outcomes result;
  const auto value = [&](const semantics::State& state, const Expr& expr) {
    const auto outcome = semantics::evaluate_final(code, state.memory, state.threads, expr);
    if (std::holds_alternative<Fault>(outcome))
      result.incomplete = "a final state has a value that is none";
    const auto* found = std::get_if<Value>(&outcome);
    return found ? *found : 0;
  };
  engine::ExplicitOptions options;
  options.rules = question.rules;
  options.limits = question.limits;
  options.on_final = [&](const semantics::State& state) {
    if (question.filter && value(state, *question.filter) == 0) return;
    Outcome outcome;
    for (const Expr& expr : question.observed) outcome.values.push_back(value(state, expr));
    outcome.holds = value(state, question.condition) != 0;
    result.all.insert(std::move(outcome));
  };
  const auto found = engine::check_explicit(code, options);
  const auto& answer = found.answer;
  result.statistics = answer.statistics;
  if (const auto* undecided = std::get_if<Undecided>(&answer.verdict))
    result.incomplete = undecided->reason;
  else if (const auto* safe = std::get_if<Safe>(&answer.verdict);
           safe && !safe->coverage.is_exhaustive())
    result.incomplete = "only runs with " + safe->coverage.bounds.front() + " were looked at";
  if (result.incomplete.empty() && found.has_faults)
    result.incomplete = "some runs go wrong and have no final state (weir check shows one)";
  return result;
}

} // namespace weir::decide
