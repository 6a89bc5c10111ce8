#include "support/shrink.h"

#include "frontend/wellformed.h"
#include "ir/validate.h"

#include <vector>

namespace weir::test {

using namespace ir;

namespace {

/// All smaller programs that differ in one place of the block.
void variants(Block& block, const std::function<void()>& emit) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Stmt original = block[i];
    if (original.labels.empty()) {
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
      emit();
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i), original);
    } else if (!std::holds_alternative<Skip>(original.action)) {
      block[i].action = Skip{};
      emit();
      block[i] = original;
    }
    const auto replace_by = [&](const Block& part) {
      const Block saved = block;
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i), part.begin(), part.end());
      emit();
      block = saved;
    };
    if (const auto* branch = std::get_if<If>(&original.action)) {
      replace_by(branch->yes);
      replace_by(branch->no);
      variants(std::get<If>(block[i].action).yes, emit);
      variants(std::get<If>(block[i].action).no, emit);
    } else if (const auto* loop = std::get_if<Loop>(&original.action)) {
      replace_by(loop->before);
      replace_by(loop->body);
      variants(std::get<Loop>(block[i].action).before, emit);
      variants(std::get<Loop>(block[i].action).body, emit);
    }
  }
}

} // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    Program best;
    Program candidate = program;
    const auto emit = [&] {
      if (smaller || find_flaw(candidate)) return;
      Diagnostics diagnostics;
      frontend::check_wellformed(candidate, diagnostics);
      if (diagnostics.has_errors() || !fails(candidate)) return;
      smaller = true;
      best = candidate;
    };
    for (Procedure& code : candidate.procedures) variants(code.body, emit);
    for (std::size_t i = 0; i < candidate.finals.size(); ++i) {
      const auto saved = candidate.finals;
      candidate.finals.erase(candidate.finals.begin() + static_cast<std::ptrdiff_t>(i));
      emit();
      candidate.finals = saved;
    }
    for (std::size_t i = 0; i < candidate.forbids.size(); ++i) {
      const auto saved = candidate.forbids;
      candidate.forbids.erase(candidate.forbids.begin() + static_cast<std::ptrdiff_t>(i));
      emit();
      candidate.forbids = saved;
    }
    if (smaller) program = std::move(best);
  }
  return program;
}

} // namespace weir::test
