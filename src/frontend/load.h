#pragma once
// A file, or text, to a checked Program. The table of languages is in load.cpp.

#include "base/result.h"
#include "frontend/litmus/litmus.h"
#include "ir/program.h"

#include <memory>
#include <string>
#include <variant>

namespace weir::frontend {

/// Why a file could not even be read.
struct Unreadable {
  std::string message;
};

std::variant<std::shared_ptr<const Source>, Unreadable> read_source(const std::string& path);

/// Words for the preprocessor of C: `-DNAME`, `-Ifolder`.
void add_preprocessor_word(std::string word);

/// Picks the language by the ending of the name.
Result<ir::Program> parse(const std::shared_ptr<const Source>& source);
/// A litmus test with all that it asks, whatever the name of the file.
Result<litmus::Test> parse_litmus(const std::shared_ptr<const Source>& source);

} // namespace weir::frontend
