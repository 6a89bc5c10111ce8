#include "emit/names.h"

#include <fmt/format.h>

#include <cctype>

namespace weir::emit {

using namespace ir;

namespace {

/// What C and the words of runtime/ keep for themselves.
const std::set<std::string> reserved = {"auto",        "break",        "case",
                                        "char",        "const",        "continue",
                                        "default",     "do",           "double",
                                        "else",        "enum",         "extern",
                                        "float",       "for",          "goto",
                                        "if",          "inline",       "int",
                                        "long",        "register",     "restrict",
                                        "return",      "short",        "signed",
                                        "sizeof",      "static",       "struct",
                                        "switch",      "typedef",      "union",
                                        "unsigned",    "void",         "volatile",
                                        "while",       "asm",          "typeof",
                                        "main",        "abort",        "exit",
                                        "linux",       "unix",         "assume",
                                        "assert",      "check",        "choice",
                                        "lo",          "hi",           "atomic_begin",
                                        "atomic_end",  "full_fence",   "any_uchar",
                                        "any_int",     "nondet_uchar", "nondet_int",
                                        "reach_error", "pthread_t",    "pthread_create",
                                        "y0",          "y1",           "yn",
                                        "j0",          "j1",           "jn",
                                        "index",       "time",         "read",
                                        "write",       "signal",       "remove",
                                        "rename",      "log",          "exp",
                                        "sin",         "cos",          "tan",
                                        "pow",         "abs",          "div",
                                        "free",        "malloc",       "printf",
                                        "puts",        "memcpy",       "memset",
                                        "strlen",      "alarm",        "pause",
                                        "sleep",       "wait",         "select",
                                        "bool",        "true",         "false",
                                        "NULL"};

std::string plain(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result = "v" + result;
  if (result[0] == '_') result = "v" + result; // names that begin so belong to the implementation
  return result;
}

} // namespace

Names::Names(const Program& program) : taken_(reserved) {
  // What is written around threads is called after their processes and numbers.
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    taken_.insert(fmt::format("thread_{}", t));
    taken_.insert(fmt::format("id_{}", t));
  }
  for (const Procedure& p : program.procedures) {
    taken_.insert("start_" + p.name);
    taken_.insert(p.name + "_start");
    taken_.insert(p.name + "_arguments");
  }
  for (const Shared& s : program.shared) shared_.push_back(fresh(s.name));
  for (const Procedure& p : program.procedures) procedures_.push_back(fresh(p.name));
  locals_.resize(program.locals.size());
  for (std::size_t i = 0; i < program.locals.size(); ++i)
    if (!program.locals[i].owner) locals_[i] = fresh(program.locals[i].name);
  std::vector<std::set<std::string>> within(program.procedures.size());
  for (std::size_t i = 0; i < program.locals.size(); ++i) {
    const Local& local = program.locals[i];
    if (!local.owner) continue;
    std::string name = plain(local.name);
    while (taken_.contains(name) || !within[local.owner->value].insert(name).second) name += '_';
    locals_[i] = name;
  }
  taken_.insert(locals_.begin(), locals_.end()); // what is made up later hides none of them
}

std::string Names::fresh(const std::string& wish) {
  std::string name = plain(wish);
  while (!taken_.insert(name).second) name += '_';
  return name;
}

std::string label_name(const std::string& name, std::uint32_t number) {
  const std::string result = plain(name);
  const bool is_ours = result.size() > 6 && result.substr(result.size() - 6) == "_again";
  if (result == name && !reserved.contains(result) && !is_ours) return result;
  return fmt::format("{}_{}", result, number); // two may become the same
}

} // namespace weir::emit
