#pragma once
// Random small programs of the whole language, as text. The same seed gives the same program.

#include <cstdint>
#include <string>

namespace weir::test {

struct RandomOptions {
  unsigned statements = 5;    ///< about so many per thread
  bool with_main = true;      ///< now and then a main that spawns and joins
  bool tiny = false;          ///< two truth values as shared memory, few local ones
  bool labels_inside = false; ///< forbidden labels now and then inside atomic sections
};

std::string random_program(std::uint64_t seed, const RandomOptions& options = {});

} // namespace weir::test
