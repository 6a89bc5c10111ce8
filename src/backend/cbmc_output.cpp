#include "backend/cbmc_output.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <optional>

namespace weir::backend {
namespace {

using Json = nlohmann::json;

std::optional<std::int64_t> integer(const std::string& text) {
  if (text == "TRUE" || text == "true") return 1;
  if (text == "FALSE" || text == "false") return 0;
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{}) return std::nullopt;
  for (const char* c = end; c != text.data() + text.size(); ++c)
    if (*c != 'u' && *c != 'l' && *c != 'U' && *c != 'L') return std::nullopt; // 3ul
  return value;
}

std::string text_at(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

void read_step(const Json& step, std::vector<TraceStep>& trace) {
  const std::string kind = text_at(step, "stepType");
  const auto thread = step.value("thread", 0u);
  if (kind == "function-call") {
    if (const auto called = step.find("function"); called != step.end())
      trace.push_back({thread, text_at(*called, "displayName"), "", 0});
    return;
  }
  if (kind != "assignment" || step.value("hidden", false)) return;
  const auto value = step.find("value");
  const auto place = step.find("sourceLocation");
  if (value == step.end() || place == step.end()) return;
  if (const auto number = integer(text_at(*value, "data")))
    trace.push_back({thread, text_at(*place, "function"), text_at(step, "lhs"), *number});
}

} // namespace

CbmcReading read_cbmc(const std::string& out) {
  CbmcReading result;
  const Json all = Json::parse(out, nullptr, false);
  if (all.is_discarded() || !all.is_array()) {
    result.message = out.empty() ? "it wrote nothing" : "its output is not complete JSON";
    return result;
  }
  std::string errors;
  for (const Json& part : all) {
    if (!part.is_object()) continue;
    if (const std::string program = text_at(part, "program"); program.rfind("CBMC ", 0) == 0)
      result.version = program.substr(5, program.find(' ', 5) - 5);
    if (text_at(part, "messageType") == "ERROR")
      errors += (errors.empty() ? "" : "; ") + text_at(part, "messageText");
    if (const std::string status = text_at(part, "cProverStatus"); status == "success")
      result.kind = CbmcReading::Kind::Successful;
    else if (status == "failure")
      result.kind = CbmcReading::Kind::Failed;
    const auto properties = part.find("result");
    if (properties == part.end() || !properties->is_array()) continue;
    for (const Json& property : *properties) {
      if (text_at(property, "status") != "FAILURE") continue;
      result.violated.push_back(text_at(property, "description"));
      if (!result.trace.empty()) continue;
      result.message = text_at(property, "description");
      if (const auto trace = property.find("trace"); trace != property.end())
        for (const Json& step : *trace) read_step(step, result.trace);
    }
  }
  if (!errors.empty()) {
    result.kind = CbmcReading::Kind::Error;
    result.message = errors;
  } else if (result.kind == CbmcReading::Kind::Garbled) {
    result.message = "it gave no verdict";
  }
  return result;
}

} // namespace weir::backend
