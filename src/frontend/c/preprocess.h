#pragma once
// C text after the preprocessor, and where each of its characters stands in the user's file.
//
// The system's own preprocessor runs (`gcc -E`, or `cc`, `clang`), with our small headers instead of
// the system's. A token that a macro or an included file brought has the place of what brought it.

#include "base/diagnostic.h"
#include "base/source.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::frontend::c {

/// Of the command line: `-I` and `-D` words for the preprocessor.
std::vector<std::string>& preprocessor_words();

class Preprocessed {
public:
  Preprocessed(const Source& source, std::string text);
  const std::string& text() const { return text_; }
  /// Of a token of the text.
  SourceSpan place(std::uint32_t begin, std::uint32_t end);

private:
  struct Line { ///< of the text
    std::uint32_t begin = 0, end = 0;
    std::uint32_t line = 0;   ///< of the user's file
    bool is_included = false; ///< it comes from another file, included at that line
    bool is_aligned = false;
    std::vector<std::pair<std::uint32_t, SourceSpan>> tokens{}; ///< by where they begin in the text
  };
  void find_lines();
  void align(Line& line);

  const Source& source_;
  std::string text_;
  std::vector<Line> lines_;
};

/// None: it could not be preprocessed, and why has been reported.
std::optional<Preprocessed> preprocess(const Source& source, Diagnostics& diagnostics);

} // namespace weir::frontend::c
