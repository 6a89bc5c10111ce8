#include "certify/certificate.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <istream>
#include <optional>
#include <ostream>
#include <unordered_map>

namespace weir::certify {
namespace {

using lower::Among;
using lower::Automata;
using lower::ValueSet;
using lower::VariableIndex;
using nlohmann::json;

constexpr const char* made_for_another =
    "the certificate was made for another program (or the program was changed)";

std::string quoted(const std::string& text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Writes elements; the names of variables and values are put in quotes once.
class Printer {
public:
  explicit Printer(const Automata& automata) : automata_(automata) {
    for (const lower::Variable& variable : automata.variables) {
      variables_.push_back(quoted(variable.name));
      auto& values = values_.emplace_back();
      for (const std::string& value : variable.values) values.push_back(quoted(value));
    }
  }
  std::string text(const Element& element) const;

private:
  void memory(std::string& out, const Element& element) const;
  void buffer(std::string& out, const Buffer& buffer) const;
  void values(std::string& out, VariableIndex variable, const ValueSet& set) const;

  const Automata& automata_;
  std::vector<std::string> variables_;
  std::vector<std::vector<std::string>> values_;
};

void Printer::values(std::string& out, VariableIndex variable, const ValueSet& set) const {
  for (std::uint32_t v = 0; v < automata_.variables[variable].size(); ++v)
    if (set[v]) out.append(",").append(values_[variable][v]);
}

void separate(std::string& out) {
  if (out.back() != '[') out += ',';
}

void Printer::memory(std::string& out, const Element& element) const {
  for (VariableIndex x = 0; x < automata_.variables.size(); ++x) {
    if (element.memory[x] == automata_.variables[x].all()) continue;
    separate(out);
    out.append("[").append(variables_[x]);
    values(out, x, element.memory[x]);
    out += ']';
  }
}

void Printer::buffer(std::string& out, const Buffer& buffer) const {
  out += R"({"messages":[)";
  for (const auto& [variable, set] : buffer.messages) {
    separate(out);
    out.append("[").append(variables_[variable]);
    values(out, variable, set);
    out += ']';
  }
  out += R"(],"own":[)";
  for (const Own& own : buffer.own) {
    separate(out);
    fmt::format_to(std::back_inserter(out), "[{},{}", variables_[own.variable], own.older);
    values(out, own.variable, own.values);
    out += ']';
  }
  out += "]}";
}

std::string Printer::text(const Element& element) const {
  std::string out = R"({"at":[)";
  for (const lower::StateIndex s : element.at) {
    separate(out);
    fmt::format_to(std::back_inserter(out), "{}", s);
  }
  out += R"(],"memory":[)";
  memory(out, element);
  out += R"(],"buffers":[)";
  for (const Buffer& b : element.buffers) {
    separate(out);
    if (b == Buffer{})
      out += "{}";
    else
      buffer(out, b);
  }
  return out += "]}";
}

std::string first_line(const Automata& automata, const Certificate& certificate,
                       std::uint64_t elements) {
  std::string out =
      fmt::format(R"({{"weir certificate":1,"program":{},"fingerprint":{},"threads":[)",
                  quoted(certificate.program), quoted(certificate.fingerprint));
  for (const lower::Automaton& thread : automata.threads) {
    separate(out);
    out += quoted(thread.name);
  }
  return out += fmt::format(R"(],"elements":{}}})", elements);
}

std::string last_line(std::uint64_t elements) { return fmt::format(R"({{"end":{}}})", elements); }

/// Reads lines. What is not just as write() would put it is refused, so that noise, keys or values
/// that occur twice, and other spellings of a number need no code of their own.
class Reader {
public:
  explicit Reader(const Automata& automata) : automata_(automata), printer_(automata) {
    for (const lower::Variable& variable : automata.variables) {
      variables_.emplace(variable.name, static_cast<VariableIndex>(variables_.size()));
      auto& values = values_.emplace_back();
      for (const std::string& value : variable.values)
        values.emplace(value, static_cast<std::uint32_t>(values.size()));
    }
  }
  std::variant<Certificate, Unreadable> read(std::istream& in);

private:
  using Names = std::unordered_map<std::string, std::uint32_t>;

  bool fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
  }
  bool next(std::istream& in);
  bool all(std::istream& in, Certificate& certificate);
  bool header(Certificate& certificate, std::uint64_t& elements);
  bool element(const json& line, Element& element);
  bool states(const json& list, Element& element);
  bool memory(const json& list, Element& element);
  bool buffer(const json& object, Buffer& buffer);
  bool own(const json& list, const Buffer& buffer, Own& own);
  bool variable(const json& list, VariableIndex& variable);
  bool values(const json& list, std::size_t from, VariableIndex variable, ValueSet& set);
  const json* field(const json& object, const char* name, json::value_t type);

  const Automata& automata_;
  Printer printer_;
  Names variables_;
  std::vector<Names> values_;
  std::string line_;
  std::uint64_t number_ = 0;
  std::string problem_;
};

bool Reader::next(std::istream& in) {
  ++number_;
  return static_cast<bool>(std::getline(in, line_)) || fail("the file ends too early");
}

const json* Reader::field(const json& object, const char* name, json::value_t type) {
  if (object.is_object())
    if (const auto found = object.find(name); found != object.end() && found->type() == type)
      return &*found;
  fail(object.is_discarded() ? "this is not JSON" : fmt::format("there is no proper \"{}\"", name));
  return nullptr;
}

bool Reader::header(Certificate& certificate, std::uint64_t& elements) {
  const json object = json::parse(line_, nullptr, false);
  const json* version = field(object, "weir certificate", json::value_t::number_unsigned);
  if (version == nullptr) return false;
  if (*version != 1U) return fail("the certificate is of a version that is not known");
  const json* program = field(object, "program", json::value_t::string);
  const json* print = field(object, "fingerprint", json::value_t::string);
  const json* count = field(object, "elements", json::value_t::number_unsigned);
  if (program == nullptr || print == nullptr || count == nullptr) return false;
  certificate.program = program->get<std::string>();
  certificate.fingerprint = print->get<std::string>();
  elements = count->get<std::uint64_t>();
  if (certificate.fingerprint != fingerprint(automata_)) return fail(made_for_another);
  return line_ == first_line(automata_, certificate, elements) ||
         fail("this is not as it was written");
}

bool Reader::variable(const json& list, VariableIndex& variable) {
  if (!list.is_array() || list.empty() || !list[0].is_string())
    return fail("a variable and its values should be a list that begins with a name");
  const auto found = variables_.find(list[0].get_ref<const std::string&>());
  if (found == variables_.end()) return fail(fmt::format("{} is not a variable", list[0].dump()));
  variable = found->second;
  return true;
}

bool Reader::values(const json& list, std::size_t from, VariableIndex variable, ValueSet& set) {
  for (std::size_t i = from; i < list.size(); ++i) {
    if (!list[i].is_string()) return fail("a value should be given by its name");
    const auto found = values_[variable].find(list[i].get_ref<const std::string&>());
    if (found == values_[variable].end())
      return fail(fmt::format("{} is not a value of {}", list[i].dump(),
                              automata_.variables[variable].name));
    set.set(found->second);
  }
  return set.any() || fail("a set of values is empty");
}

bool Reader::states(const json& list, Element& element) {
  if (list.size() != automata_.threads.size())
    return fail("there should be one state for each thread");
  for (ThreadIndex p = 0; p < list.size(); ++p) {
    if (!list[p].is_number_unsigned()) return fail("a state should be a number");
    const auto state = list[p].get<std::uint64_t>();
    if (state >= automata_.threads[p].size())
      return fail(fmt::format("{} has no state {}", automata_.threads[p].name, state));
    element.at.push_back(static_cast<lower::StateIndex>(state));
  }
  return true;
}

bool Reader::memory(const json& list, Element& element) {
  for (const lower::Variable& v : automata_.variables) element.memory.push_back(v.all());
  for (const json& entry : list) {
    VariableIndex x = 0;
    ValueSet set;
    if (!variable(entry, x) || !values(entry, 1, x, set)) return false;
    element.memory[x] = set;
  }
  return true;
}

bool Reader::own(const json& list, const Buffer& buffer, Own& own) {
  if (!variable(list, own.variable)) return false;
  if (list.size() < 2 || !list[1].is_number_unsigned() ||
      list[1].get<std::uint64_t>() > buffer.messages.size())
    return fail("an own store should say how many of the messages are older");
  own.older = list[1].get<std::uint32_t>();
  if (!buffer.own.empty() && buffer.own.back().variable >= own.variable)
    return fail("own stores should be of different variables, in their order");
  return values(list, 2, own.variable, own.values);
}

bool Reader::buffer(const json& object, Buffer& buffer) {
  if (object.is_object() && object.empty()) return true;
  const json* messages = field(object, "messages", json::value_t::array);
  const json* owned = field(object, "own", json::value_t::array);
  if (messages == nullptr || owned == nullptr) return false;
  for (const json& entry : *messages) {
    Among message;
    if (!variable(entry, message.variable) || !values(entry, 1, message.variable, message.values))
      return false;
    buffer.messages.push_back(message);
  }
  for (const json& entry : *owned) {
    Own read;
    if (!own(entry, buffer, read)) return false;
    buffer.own.push_back(read);
  }
  return true;
}

bool Reader::element(const json& line, Element& element) {
  const json* at = field(line, "at", json::value_t::array);
  const json* mem = field(line, "memory", json::value_t::array);
  const json* buffers = field(line, "buffers", json::value_t::array);
  if (at == nullptr || mem == nullptr || buffers == nullptr) return false;
  if (!states(*at, element) || !memory(*mem, element)) return false;
  if (buffers->size() != automata_.threads.size())
    return fail("there should be one buffer for each thread");
  for (const json& entry : *buffers)
    if (!buffer(entry, element.buffers.emplace_back())) return false;
  return line_ == printer_.text(element) || fail("this is not as it was written");
}

bool Reader::all(std::istream& in, Certificate& certificate) {
  std::uint64_t elements = 0;
  if (!next(in) || !header(certificate, elements)) return false;
  for (std::uint64_t i = 0; i < elements; ++i)
    if (!next(in) ||
        !element(json::parse(line_, nullptr, false), certificate.elements.emplace_back()))
      return false;
  if (!next(in)) return false;
  if (line_ != last_line(elements))
    return fail(fmt::format("{} should end it", last_line(elements)));
  ++number_;
  return !std::getline(in, line_) || fail("there is more after the end");
}

std::variant<Certificate, Unreadable> Reader::read(std::istream& in) {
  Certificate certificate;
  if (all(in, certificate)) return certificate;
  return Unreadable{fmt::format("line {}: {}", number_, problem_)};
}

} // namespace

std::string fingerprint(const Automata& automata) {
  // FNV-1a of 128 bits.
  __extension__ using Wide = unsigned __int128;
  constexpr Wide prime = (Wide{1} << 88) + 0x13b;
  Wide hash = (Wide{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
  for (const char c : lower::print(automata)) hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(hash >> 64),
                     static_cast<std::uint64_t>(hash));
}

void write(std::ostream& out, const Automata& automata, const Certificate& certificate) {
  const auto elements = certificate.elements.size();
  out << first_line(automata, certificate, elements) << '\n';
  const Printer printer(automata);
  for (const Element& element : certificate.elements) out << printer.text(element) << '\n';
  out << last_line(elements) << '\n';
}

std::variant<Certificate, Unreadable> read(std::istream& in, const Automata& automata) {
  return Reader(automata).read(in);
}

} // namespace weir::certify
