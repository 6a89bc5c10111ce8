#pragma once
// The files of runtime/include, as text.

namespace weir::frontend::c {

struct Header {
  const char* name;
  const char* text;
};
extern const Header headers[];
extern const unsigned header_count;

} // namespace weir::frontend::c
