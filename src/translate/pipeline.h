#pragma once
// The translations by name, and which goes with which bound. To add one: its file pair, an
// enumerator and a row in the table.

#include "translate/translation.h"

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace weir::translate {

enum class Encoding : std::uint8_t { Paper, Eager, Lazy, Flush, Plain };

struct EncodingRow {
  Encoding encoding;
  const char* name;
  const char* about;
  std::vector<Bound::Kind>
      bounds; ///< that it is for; the first encoding for a bound is its default
};

const std::vector<EncodingRow>& encodings();
const EncodingRow& row(Encoding encoding);
std::optional<Encoding> encoding_named(std::string_view name);
/// CBMC has a better form for age than the paper's; others want that one.
Encoding default_encoding(Bound::Kind bound, bool like_the_paper);
bool is_sequential(Encoding encoding);
bool suits(Encoding encoding, Bound::Kind bound);

struct Wish {
  Encoding encoding = Encoding::Eager;
  Bound bound{Bound::Kind::Sweeps, 2};
  std::uint32_t unwind = 3; ///< Lazy: how often loops go around; others leave that to the checker
  /// For C: what goes wrong by itself becomes an assertion, and forbidden places do (watch.h).
  bool explicit_faults = false, watched_places = false;
};

std::variant<Translation, Unsupported> translate(const ir::Program& source, const Wish& wish);

} // namespace weir::translate
