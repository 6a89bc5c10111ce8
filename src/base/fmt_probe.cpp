// Whether fmt_library.cpp is all of fmt that we use, and static linking works: asked by CMake.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

int main(int argc, char** argv) {
  const std::string text = fmt::format("{} {:.2f} {:>8} {}", argv[0], 1.5 * argc, argc,
                                       fmt::join(std::vector<std::string>{"a", "b"}, ", "));
  fmt::print(stderr, "{:L}", argc);
  return text.empty() ? 1 : 0;
}
