#include "base/edit.h"

#include <doctest/doctest.h>

namespace weir::test {

TEST_CASE("edits leave the rest as it is") {
  const Source source("f", "one two three");
  CHECK(edited(source, {}) == "one two three");
  CHECK(edited(source, {{{8, 13}, "3"}, {{4, 4}, "and "}, {{4, 4}, "then "}}) ==
        "one and then two 3");
}

TEST_CASE("a diff has three lines around a change") {
  const Source source("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  CHECK(unified_diff(source, {{{8, 9}, "five"}}) ==
        "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  CHECK(unified_diff(source, {}).empty());
}

TEST_CASE("a diff of changes far apart has several hunks, of changes nearby one") {
  std::string text;
  for (int i = 10; i < 40; ++i) text += std::to_string(i) + "\n";
  const Source source("f", text);
  const std::string far = unified_diff(source, {{{0, 2}, "a"}, {{60, 63}, ""}});
  CHECK(far ==
        "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-10\n+a\n 11\n 12\n 13\n@@ -18,7 +18,6 @@\n 27\n 28\n "
        "29\n-30\n 31\n 32\n 33\n");
  const std::string near = unified_diff(source, {{{0, 0}, "a"}, {{12, 12}, "b"}});
  CHECK(near ==
        "--- f\n+++ f\n@@ -1,8 +1,8 @@\n-10\n+a10\n 11\n 12\n 13\n-14\n+b14\n 15\n 16\n 17\n");
}

TEST_CASE("a diff at the end of a file without a last line end") {
  const Source source("f", "1\n2");
  CHECK(unified_diff(source, {{{2, 3}, "two"}}) ==
        "--- f\n+++ f\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+two\n\\ No newline "
        "at end "
        "of file\n");
}

TEST_CASE("a diff of an insertion in an otherwise empty line, and of Windows line ends") {
  const Source source("f", "a\r\n\r\nb\r\n");
  CHECK(unified_diff(source, {{{3, 3}, "x"}}) ==
        "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\r\n-\r\n+x\r\n b\r\n");
}

} // namespace weir::test
