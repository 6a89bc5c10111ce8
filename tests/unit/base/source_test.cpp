#include "base/source.h"

#include <doctest/doctest.h>

using namespace weir;

TEST_CASE("lines and columns count from one, in characters") {
  const Source source("a.cp", "ab\n\xC3\xA4 b\r\n");
  CHECK(source.position(0) == Position{1, 1});
  CHECK(source.position(3) == Position{2, 1});
  CHECK(source.position(6) == Position{2, 3}); // after a character of two bytes
  CHECK(source.position(999) == Position{3, 1});
}

TEST_CASE("a line comes without its line end") {
  const Source source("a.cp", "ab\nc d\r\n");
  CHECK(source.line(1) == "ab");
  CHECK(source.line(2) == "c d");
  CHECK(source.line(3) == "");
  CHECK(source.line(9) == "");
}

TEST_CASE("the text of a span outside the file is empty") {
  const Source source("a.cp", "abc");
  CHECK(source.text(SourceSpan{1, 2}) == "b");
  CHECK(source.text(SourceSpan{9, 12}) == "");
}
