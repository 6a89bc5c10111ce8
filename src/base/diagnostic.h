#pragma once
// What is wrong with the user's input, as values. Printing them is report/'s work.

#include "base/source.h"

#include <cstddef>
#include <string>
#include <vector>

namespace weir {

struct Diagnostic {
  SourceSpan span;
  std::string message; ///< lower case, one sentence, no full stop
  std::string hint;    ///< a way out, or empty

  Diagnostic& with_hint(std::string text) {
    hint = std::move(text);
    return *this;
  }
};

/// A sink that collects all mistakes of a file, so that users see them at once.
class Diagnostics {
public:
  Diagnostic& error(SourceSpan span, std::string message);
  bool has_errors() const { return !list_.empty(); }
  /// In the order of the text, without repetitions.
  std::vector<Diagnostic> sorted() const;
  std::size_t size() const { return list_.size(); }

private:
  std::vector<Diagnostic> list_;
};

} // namespace weir
