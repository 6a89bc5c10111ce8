#include "report/steps.h"

#include "base/match.h"
#include "ir/print.h"

#include <fmt/format.h>

#include <map>

namespace weir::report {

using namespace ir;
using semantics::Access;
using semantics::Effect;

namespace {

std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    if (!blank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  while (!result.empty() && (result.back() == ' ' || result.back() == ';')) result.pop_back();
  constexpr std::size_t longest = 44;
  if (result.size() <= longest) return result;
  std::size_t cut = longest - 3;
  while (cut > 0 && (result[cut] & 0xC0) == 0x80) --cut; // not inside a character
  return result.substr(0, cut) + "...";
}

class Describer {
public:
  Describer(const Code& code, const semantics::State& before, const Step& step,
            const Effect& effect, SourceSpan span, const semantics::State& after)
      : code_(code), program_(*code.program), before_(before), step_(step), effect_(effect),
        span_(span), after_(after) {}

  StepWords words() {
    StepWords result;
    if (step_.kind == Step::Kind::Flush) {
      const Access& access = *effect_.access;
      result.statement = "flush " + cell(access.cell);
      result.effect = fmt::format("{} = {} reaches memory", cell(access.cell), value(access));
      return result;
    }
    const semantics::Thread& thread = before_.threads[step_.thread];
    const semantics::Frame& frame = thread.stack.back();
    const Operation& operation = code_.at(frame.routine, frame.at).operation;
    const bool is_return = std::holds_alternative<Return>(operation);
    if (program_.source && !is_return) {
      const Position at = program_.source->position(span_.begin);
      result.line = at.line;
      result.column = at.column;
      result.statement = one_line(program_.source->text(span_));
      if (std::holds_alternative<AtomicEnd>(operation) && result.statement == "}")
        result.statement = "end of atomic";
    } else if (is_return) {
      result.statement = thread.stack.size() > 1 ? "return" : "end of the thread";
    }
    if (effect_.fault)
      result.effect = fault_text(*effect_.fault);
    else if (effect_.access)
      result.effect = access_text(*effect_.access);
    else
      result.effect = match(operation, [&](const auto& s) { return effect_of(s); });
    if (effect_.access && !effect_.fault) {
      if (const auto* cas = std::get_if<Cas>(&operation); cas && cas->into) return result;
    }
    result.is_minor = !effect_.fault && is_minor(operation);
    return result;
  }

private:
  std::string cell(Cell c) const { return cell_name(program_, code_.layout, c); }

  std::string value(Cell c, Value v) const {
    return value_text(program_[code_.layout.cell_variable[c.value]].type, v);
  }
  std::string value(const Access& access) const { return value(access.cell, access.value); }

  std::string access_text(const Access& access) const {
    const std::string name = cell(access.cell);
    switch (access.kind) {
    case Access::Kind::ReadMemory: return fmt::format("reads {} = {}", name, value(access));
    case Access::Kind::ReadBuffer:
      return fmt::format("reads {} = {}, its own pending store", name, value(access));
    case Access::Kind::WriteMemory: return fmt::format("writes {} = {}", name, value(access));
    case Access::Kind::WriteBuffer:
      return fmt::format("{} = {} into the buffer", name, value(access));
    case Access::Kind::Exchange:
      if (!access.replaced) return fmt::format("reads {} = {}, no change", name, value(access));
      return fmt::format("{} from {} to {} at once", name, value(access.cell, *access.replaced),
                         value(access));
    }
    return {};
  }

  std::string local_value(const LocalPlace& place) const {
    const Local& local = program_[place.variable];
    const auto& now = after_.threads[step_.thread];
    const auto& storage = local.owner ? now.stack.back().locals : now.variables;
    // The path is the same before and after: assignments change no index they use, or we show
    // the variable only when it is a scalar.
    if (!place.path.empty()) return {};
    const Value v = storage[code_.layout.local_base[place.variable.value]];
    return fmt::format("{} = {}", local.name, value_text(local.type, v));
  }

  std::string effect_of(const Assign& s) const { return local_value(s.to); }
  std::string effect_of(const Havoc& s) const {
    if (!s.to.path.empty()) return "chosen";
    const Local& local = program_[s.to.variable];
    const auto& now = after_.threads[step_.thread];
    const auto& storage = local.owner ? now.stack.back().locals : now.variables;
    const auto chosen =
        value_text(local.type, storage[code_.layout.local_base[s.to.variable.value]]);
    return is_internal(s.to) ? "chooses " + chosen
                             : fmt::format("{} = {}, chosen", local.name, chosen);
  }
  std::string effect_of(const Fence&) const { return "its buffer is empty"; }
  std::string effect_of(const StoreFence&) const {
    return "stores before it stay before those after it";
  }
  std::string effect_of(const AtomicBegin&) const { return "takes the atomic section"; }
  std::string effect_of(const AtomicEnd&) const { return "leaves the atomic section"; }
  std::string effect_of(const Assume&) const { return "holds"; }
  std::string effect_of(const Assert&) const { return "holds"; }
  std::string effect_of(const Spawn& s) const {
    if (!effect_.spawned) return {};
    return "starts " + thread_name(program_, s.process, effect_.spawned->arguments);
  }
  std::string effect_of(const Join&) const { return "that thread has ended"; }
  std::string effect_of(const Branch& s) const {
    const auto at = after_.threads[step_.thread].stack.back().at;
    return s.yes == s.no ? "" : at == s.yes ? "true" : "false";
  }
  std::string effect_of(const auto&) const { return {}; }

  bool is_internal(const LocalPlace& place) const {
    const Local& local = program_[place.variable];
    return local.span.end <= local.span.begin;
  }

  bool is_minor(const Operation& operation) const {
    return match(
        operation, [](const Branch&) { return true; },
        [&](const Skip&) { return span_.begin == span_.end; }, // of a fence that was taken out
        [&](const Assign& s) { return is_internal(s.to); }, [](const Return&) { return true; },
        [](const auto&) { return false; });
  }

  static std::string fault_text(Fault fault) {
    switch (fault) {
    case Fault::AssertionFailed: return "the assertion fails";
    case Fault::DivisionByZero: return "division by zero";
    case Fault::BadShift: return "the shift is not by 0 to 63";
    case Fault::IndexOutOfBounds: return "the index is outside the array";
    case Fault::OutOfRange: return "the value does not fit the variable";
    case Fault::NoSuchThread: return "there is no such thread";
    case Fault::Overflow: return "the integer grows beyond 64 bits";
    case Fault::CallsTooDeep: return "calls go too deep";
    case Fault::TooManyThreads: return "too many threads";
    }
    return {};
  }

  const Code& code_;
  const Program& program_;
  const semantics::State& before_;
  const Step& step_;
  const Effect& effect_;
  SourceSpan span_;
  const semantics::State& after_;
};

} // namespace

StepWords describe(const Code& code, const semantics::State& before,
                   const semantics::Played& played) {
  return Describer(code, before, played.step, played.effect, played.span, played.after).words();
}

StepWords describe(const Code& code, const semantics::State& before,
                   const semantics::Transition& transition) {
  return Describer(code, before, transition.step, transition.effect, transition.span,
                   transition.after)
      .words();
}

std::string short_text(const Program& program, SourceSpan span) {
  return program.source ? one_line(program.source->text(span)) : std::string();
}

std::vector<std::string> thread_names(const Program& program, const semantics::State& state) {
  std::vector<std::string> result;
  std::map<std::string, unsigned> seen;
  for (const semantics::Thread& thread : state.threads) {
    std::string name = thread_name(program, thread.process, thread.arguments);
    if (const unsigned count = ++seen[name]; count > 1) name += fmt::format("#{}", count);
    result.push_back(std::move(name));
  }
  return result;
}

std::string violation_text(const Code& code, const Violation& violation,
                           const semantics::State& last) {
  const Program& program = *code.program;
  const auto threads = thread_names(program, last);
  return match(
      violation,
      [&](const FaultAt& f) -> std::string {
        const std::string& thread = threads[f.thread];
        switch (f.fault) {
        case Fault::AssertionFailed: return fmt::format("an assertion of {} fails", thread);
        case Fault::DivisionByZero: return fmt::format("{} divides by zero", thread);
        case Fault::BadShift:
          return fmt::format("{} shifts by less than 0 or more than 63", thread);
        case Fault::IndexOutOfBounds:
          return fmt::format("{} uses an index outside its array", thread);
        case Fault::OutOfRange: return fmt::format("{} assigns a value outside its range", thread);
        case Fault::NoSuchThread:
          return fmt::format("{} joins a thread that does not exist", thread);
        default: return fmt::format("{} goes beyond what can be followed", thread);
        }
      },
      [&](const ForbidReached& f) -> std::string {
        const Forbid& forbid = program.forbids[f.forbid];
        std::string text;
        const auto reached = semantics::reached_by(code, last.threads, forbid);
        for (const ThreadIndex t : *reached)
          for (const Whereabouts& place : forbid.places) {
            if (!semantics::is_at(code, last.threads[t], place)) continue;
            text += fmt::format("{}{} is at {}", text.empty() ? "" : " while ", threads[t],
                                program[place.thread.process].labels[place.label.value]);
            break;
          }
        return text + ", which is forbidden";
      },
      [&](const FinalBroken& f) -> std::string {
        return "all threads have ended, but the final condition does not hold: " +
               print(program, program.finals[f.final_condition].condition);
      });
}

std::string violation_kind(const Violation& violation) {
  return match(
      violation,
      [](const FaultAt& f) -> std::string {
        switch (f.fault) {
        case Fault::AssertionFailed: return "assert";
        case Fault::DivisionByZero: return "division";
        case Fault::BadShift: return "shift";
        case Fault::IndexOutOfBounds: return "index";
        case Fault::OutOfRange: return "range";
        case Fault::NoSuchThread: return "join";
        default: return "limit";
        }
      },
      [](const ForbidReached&) -> std::string { return "forbid"; },
      [](const FinalBroken&) -> std::string { return "final"; });
}

SourceSpan violation_span(const Program& program, const Violation& violation) {
  return match(
      violation, [](const FaultAt& f) { return f.span; },
      [&](const ForbidReached& f) { return program.forbids[f.forbid].span; },
      [&](const FinalBroken& f) { return program.finals[f.final_condition].span; });
}

} // namespace weir::report
