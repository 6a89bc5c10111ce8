#include "report/json.h"

#include "base/match.h"
#include "report/steps.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace weir::report {

using namespace ir;
using Json = nlohmann::ordered_json;

namespace {

const Type& cell_type(const Code& code, Cell cell) {
  return (*code.program)[code.layout.cell_variable[cell.value]].type;
}

Json place_json(const Program& program, SourceSpan span) {
  if (!program.source) return nullptr;
  const Position at = program.source->position(span.begin);
  return {{"file", program.source->name()}, {"line", at.line}, {"column", at.column}};
}

Json memory_json(const Code& code, const std::vector<Value>& memory) {
  Json result = Json::object();
  for (std::uint32_t i = 0; i < memory.size(); ++i)
    result[cell_name(*code.program, code.layout, Cell{i})] =
        value_json(cell_type(code, Cell{i}), memory[i]);
  return result;
}

Json buffers_json(const Code& code, const semantics::State& state) {
  Json result = Json::array();
  for (const semantics::Thread& thread : state.threads) {
    Json pending = Json::array();
    for (const semantics::Pending& p : thread.buffer)
      pending.push_back({{"variable", cell_name(*code.program, code.layout, p.cell)},
                         {"value", value_json(cell_type(code, p.cell), p.value)}});
    result.push_back(std::move(pending));
  }
  return result;
}

std::string access_name(semantics::Access::Kind kind) {
  using Kind = semantics::Access::Kind;
  switch (kind) {
  case Kind::ReadMemory: return "read-memory";
  case Kind::ReadBuffer: return "read-buffer";
  case Kind::WriteMemory: return "write-memory";
  case Kind::WriteBuffer: return "write-buffer";
  case Kind::Exchange: return "exchange";
  }
  return {};
}

Json rules_json(const Rules& rules) {
  Json bound = nullptr;
  if (rules.bound.kind != Bound::Kind::None)
    bound = {{"kind", name(rules.bound.kind)}, {"k", rules.bound.k}};
  Json buffer = nullptr;
  if (rules.buffer) buffer = *rules.buffer;
  return {{"model", name(rules.model)},
          {"bound", bound},
          {"buffer", buffer},
          {"depth", rules.depth},
          {"threads", rules.threads}};
}

Json step_json(const Code& code, const semantics::State& before, const semantics::Played& played,
               const std::vector<std::string>& names) {
  const StepWords words = describe(code, before, played);
  Json step{{"thread", played.step.thread}, {"name", names[played.step.thread]}};
  if (played.step.kind == Step::Kind::Flush) {
    step["kind"] = "flush";
    step["variable"] = cell_name(*code.program, code.layout, played.step.cell);
  } else {
    step["kind"] = "execute";
    step["choice"] = played.step.choice;
    if (words.line) {
      step["line"] = words.line;
      step["column"] = words.column;
    }
  }
  step["statement"] = words.statement;
  step["effect"] = words.effect;
  if (const auto& access = played.effect.access) {
    const Type& type = cell_type(code, access->cell);
    step["access"] = {{"kind", access_name(access->kind)},
                      {"variable", cell_name(*code.program, code.layout, access->cell)},
                      {"value", value_json(type, access->value)}};
    if (access->replaced) step["access"]["replaced"] = value_json(type, *access->replaced);
  }
  step["buffers"] = buffers_json(code, played.after);
  step["memory"] = memory_json(code, played.after.memory);
  return step;
}

Json violation_json(const Code& code, const Violation& violation, const semantics::State& last) {
  const Program& program = *code.program;
  Json result{{"kind", violation_kind(violation)},
              {"message", violation_text(code, violation, last)},
              {"at", place_json(program, violation_span(program, violation))}};
  match(
      violation, [&](const FaultAt& f) { result["thread"] = f.thread; },
      [&](const ForbidReached& f) { result["index"] = f.forbid; },
      [&](const FinalBroken& f) { result["index"] = f.final_condition; });
  return result;
}

} // namespace

Json value_json(const Type& type, Value value) {
  if (type.scalar().kind == Type::Kind::Bool) return value != 0;
  return value;
}

Json run_json(const Code& code, const semantics::Playback& playback) {
  const semantics::State& last =
      playback.steps.empty() ? playback.start : playback.steps.back().after;
  const auto names = thread_names(*code.program, last);
  Json steps = Json::array();
  const semantics::State* before = &playback.start;
  for (const semantics::Played& played : playback.steps) {
    steps.push_back(step_json(code, *before, played, names));
    before = &played.after;
  }
  return {{"threads", names},
          {"initial", memory_json(code, playback.start.memory)},
          {"steps", std::move(steps)}};
}

Json answer_json(const Code& code, const std::string& engine, const Rules& rules,
                 const Answer& answer, const semantics::Playback* playback) {
  const Program& program = *code.program;
  Json result{{"weir", WEIR_VERSION},
              {"file", program.source ? program.source->name() : ""},
              {"engine", engine},
              {"question", rules_json(rules)}};
  match(
      answer.verdict,
      [&](const Safe& safe) {
        result["verdict"] = "safe";
        result["scope"] = {{"exhaustive", safe.coverage.is_exhaustive()},
                           {"bounds", safe.coverage.bounds}};
      },
      [&](const Unsafe& unsafe) {
        const semantics::State& last =
            playback->steps.empty() ? playback->start : playback->steps.back().after;
        result["verdict"] = "unsafe";
        result["violation"] = violation_json(code, unsafe.run.violation, last);
        result["run"] = run_json(code, *playback);
      },
      [&](const Undecided& undecided) {
        result["verdict"] = "undecided";
        result["reason"] = undecided.reason;
      });
  const Statistics& s = answer.statistics;
  result["statistics"] = {{"states", s.states},
                          {"transitions", s.transitions},
                          {"depth", s.depth},
                          {"bytes", s.bytes},
                          {"seconds", s.seconds}};
  if (s.unit == Statistics::Unit::Constraints)
    result["statistics"] = {{"constraints", s.states},
                            {"predecessors", s.transitions},
                            {"bytes", s.bytes},
                            {"seconds", s.seconds}};
  if (!s.tool.empty())
    result["statistics"] = {{"tool", s.tool}, {"bytes", s.bytes}, {"seconds", s.seconds}};
  return result;
}

Json diagnostics_json(const Source& source, const Diagnostics& diagnostics) {
  Json errors = Json::array();
  for (const Diagnostic& d : diagnostics.sorted()) {
    const Position at = source.position(d.span.begin);
    errors.push_back({{"file", source.name()},
                      {"line", at.line},
                      {"column", at.column},
                      {"message", d.message},
                      {"hint", d.hint}});
  }
  return {{"weir", WEIR_VERSION}, {"file", source.name()}, {"errors", std::move(errors)}};
}

namespace {

Value value_from(const Json& json) {
  return json.is_boolean() ? Value{json.get<bool>()} : json.get<Value>();
}

/// A number that must not be negative or huge: damaged files are refused, not wrapped around.
std::uint32_t number_from(const Json& json) {
  const auto value = json.get<std::int64_t>();
  if (value < 0 || value > 0x7FFFFFFF) throw std::out_of_range("a number is out of range");
  return static_cast<std::uint32_t>(value);
}

Rules rules_from(const Json& json) {
  Rules rules;
  const auto model = model_named(json.at("model").get<std::string>());
  if (!model) throw std::out_of_range("unknown memory model");
  rules.model = *model;
  if (const Json& bound = json.at("bound"); !bound.is_null()) {
    const auto kind = bound_named(bound.at("kind").get<std::string>());
    if (!kind) throw std::out_of_range("unknown bound");
    rules.bound = {*kind, number_from(bound.at("k"))};
  }
  if (const Json& buffer = json.at("buffer"); !buffer.is_null()) rules.buffer = number_from(buffer);
  rules.depth = number_from(json.at("depth"));
  rules.threads = number_from(json.at("threads"));
  return rules;
}

Violation violation_from(const Json& json) {
  static const std::map<std::string, Fault> faults{
      {"assert", Fault::AssertionFailed}, {"division", Fault::DivisionByZero},
      {"shift", Fault::BadShift},         {"index", Fault::IndexOutOfBounds},
      {"range", Fault::OutOfRange},       {"join", Fault::NoSuchThread}};
  const auto kind = json.at("kind").get<std::string>();
  if (kind == "forbid") return ForbidReached{number_from(json.at("index"))};
  if (kind == "final") return FinalBroken{number_from(json.at("index"))};
  const auto fault = faults.find(kind);
  if (fault == faults.end()) throw std::out_of_range("unknown kind of violation");
  return FaultAt{fault->second, number_from(json.at("thread")), {}};
}

} // namespace

std::variant<SavedRun, std::string> read_run(const Code& code, const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || !json.contains("run"))
      return std::string("it has no run: only an unsafe answer has one");
    std::map<std::string, std::uint32_t> cells;
    for (std::uint32_t i = 0; i < code.layout.cell_count(); ++i)
      cells[cell_name(*code.program, code.layout, Cell{i})] = i;
    SavedRun saved;
    saved.rules = rules_from(json.at("question"));
    const Json& run = json.at("run");
    saved.initial.resize(code.layout.cell_count());
    if (run.at("initial").size() != cells.size())
      return std::string("it is the run of another program: the shared variables differ");
    for (const auto& [name, value] : run.at("initial").items()) {
      const auto cell = cells.find(name);
      if (cell == cells.end())
        return fmt::format("it is the run of another program: there is no '{}' here", name);
      saved.initial[cell->second] = value_from(value);
    }
    for (const Json& json_step : run.at("steps")) {
      Step step;
      step.thread = number_from(json_step.at("thread"));
      const auto kind = json_step.at("kind").get<std::string>();
      if (kind == "flush") {
        step.kind = Step::Kind::Flush;
        const auto cell = cells.find(json_step.at("variable").get<std::string>());
        if (cell == cells.end()) return std::string("it flushes a variable that is not there");
        step.cell = {cell->second};
      } else if (kind == "execute") {
        step.choice = number_from(json_step.at("choice"));
      } else {
        return fmt::format("it has a step of unknown kind '{}'", kind);
      }
      saved.steps.push_back(step);
    }
    if (json.contains("violation")) saved.violation = violation_from(json.at("violation"));
    return saved;
  } catch (const std::exception& problem) { return std::string(problem.what()); }
}

} // namespace weir::report
