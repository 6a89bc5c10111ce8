#include "support/parse.h"

#include <doctest/doctest.h>

using namespace weir;

namespace {
bool complains(const std::string& text, const std::string& part) {
  const std::string found = test::errors(text);
  INFO(found);
  return found.find(part) != std::string::npos;
}
} // namespace

TEST_CASE("atomic sections balance on every way") {
  CHECK(complains("process P { atomic_begin; }", "may end inside an atomic section"));
  CHECK(complains("process P { atomic_end; }", "not begun"));
  CHECK(complains("process P { atomic { atomic { skip; } } }", "do not nest"));
  CHECK(complains("process P { if (*) atomic_begin; skip; atomic_end; }",
                  "on one way to it but not on another"));
  CHECK(complains("process P { atomic { return; } }", "may end inside"));
  CHECK(complains("process P { atomic { call f; } } procedure f { atomic { skip; } }",
                  "is called inside one"));
  CHECK(test::errors("process P { atomic_begin; if (*) { skip; } atomic_end; }") == "");
  CHECK(test::errors("process P { while (*) { atomic { skip; } } call f; } "
                     "procedure f { atomic { skip; } }") == "");
}

TEST_CASE("a spawn needs a loop that counts") {
  const std::string q = " process Q { skip; }";
  CHECK(complains("main { while (true) { spawn Q; } }" + q, "loop without a bound"));
  CHECK(complains("main { while (*) spawn Q; }" + q, "loop without a bound"));
  CHECK(complains("main { L: spawn Q; goto L; }" + q, "loop without a bound"));
  CHECK(complains("main { int i; while (i < 3) { spawn Q; } }" + q, "loop without a bound"));
  CHECK(complains("main { int i; while (i < 3) { spawn Q; i = i - 1; } }" + q,
                  "loop without a bound"));
  CHECK(
      complains("main { while (*) call f; } procedure f { spawn Q; }" + q, "loop without a bound"));
  CHECK(test::errors("main { int i; while (i < 3) { spawn Q; i = i + 1; } }" + q) == "");
  CHECK(test::errors(
            "procedure f { skip; } main { int i; while (i < 3) { spawn Q; call f; i = i + 1; } }" +
            q) == "");
  CHECK(complains("thread int i; procedure f { i = 0; } main { while (i < 3) { spawn Q; call f; i "
                  "= i + 1; } }" +
                      q,
                  "loop without a bound"));
  CHECK(test::errors("main { A: skip; spawn Q; B: skip; if (*) goto B; }" + q) == "");
  CHECK(test::errors("main { int i = 3; while (i > 0) { i = i - 1; spawn Q; } }" + q) == "");
}

TEST_CASE("threads do not start themselves again and again") {
  CHECK(complains("main { spawn Q; } process Q { spawn Q; }", "threads without end"));
  CHECK(complains("main { call f; } process Q { skip; } procedure f { spawn Q; call f; }",
                  "threads without end"));
  CHECK(test::errors("main { spawn Q; } process Q { spawn R; } process R { skip; }") == "");
}
