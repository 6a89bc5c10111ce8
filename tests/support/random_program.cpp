#include "support/random_program.h"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace weir::test {
namespace {

class Generator {
public:
  Generator(std::uint64_t seed, const RandomOptions& options) : random_(seed), options_(options) {}

  std::string run() {
    const bool with_main = options_.with_main && one_in(4);
    const bool parametric = one_in(3);
    has_procedure_ = one_in(3);
    has_forbid_ = one_in(3);
    const std::string type = fmt::format("int<0..{}>", values() - 1);
    out_ = fmt::format("shared {} x, y = {};\n", type, one_in(6) ? "*" : "0");
    out_ += fmt::format("shared bool f{};\n", one_in(6) ? " = *" : "");
    if (!options_.tiny) out_ += fmt::format("shared {} a[2];\n", type);
    out_ += fmt::format("thread {} r{}, s, own[2];\nthread bool b;\n", type,
                        one_in(8) && !with_main ? " = *" : "");
    if (has_procedure_) {
      out_ += fmt::format("procedure help({} n) {{\n", type);
      statements(1 + below(2), 2);
      if (one_in(3)) out_ += "if (n > 0) call help(n - 1);\n";
      out_ += "}\n";
    }
    if (parametric) {
      process("P(int<0..1> me)", true);
    } else {
      process("P", false);
      process("Q", false);
      if (one_in(4)) process("R", false);
    }
    if (with_main) {
      const char* first = parametric ? "P(0)" : "P";
      const char* second = parametric ? "P(1)" : "Q";
      out_ += "main {\nint t; int u;\n";
      if (one_in(2)) statement(1);
      out_ += fmt::format("t = spawn {};\n", first);
      if (one_in(2)) statement(1);
      out_ += fmt::format("u = spawn {};\n", second);
      if (one_in(2)) statement(1);
      if (one_in(2)) out_ += "join t;\n";
      if (one_in(2)) out_ += "join u;\nassert(x <= 2);\n";
      out_ += "}\n";
    }
    if (has_forbid_) out_ += parametric ? "forbid P@here, P@here;\n" : "forbid P@here, Q@here;\n";
    if (one_in(2)) {
      const std::string p = parametric ? "P(0)" : "P";
      out_ += fmt::format("final x != {} || {}.r == {};\n", below(values()), p, below(values()));
    }
    return out_;
  }

private:
  unsigned values() const { return options_.tiny ? 2 : 3; } ///< that a variable can have
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }
  template <class T> const T& pick(const std::vector<T>& from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }

  void process(const std::string& head, bool has_me) {
    has_me_ = has_me;
    out_ += "process " + head + " {\n";
    const unsigned count = 1 + below(options_.statements);
    const unsigned label = below(count);
    for (unsigned i = 0; i < count; ++i) {
      if (has_forbid_ && i == label) {
        if (options_.labels_inside && one_in(3)) {
          out_ += fmt::format("atomic {{\n{} = {};\nhere: ", shared(), below(values()));
          in_section_ = true;
          statement(2);
          out_ += "}\n";
          in_section_ = false;
          continue;
        }
        out_ += one_in(2) ? "here: skip;\n" : "here: ";
      }
      statement(0);
    }
    out_ += "}\n";
    has_me_ = false;
  }

  void statements(unsigned count, unsigned depth) {
    for (unsigned i = 0; i < count; ++i) statement(depth);
  }

  std::string shared() {
    if (one_in(4) && !options_.tiny) return fmt::format("a[{}]", index());
    return pick<std::string>({"x", "y"});
  }
  std::string index() {
    if (has_me_ && one_in(2)) return pick<std::string>({"me", "1 - me"});
    return std::to_string(below(2));
  }
  /// A small integer; reads shared memory now and then, several times in one expression.
  std::string number(unsigned depth = 0) {
    switch (below(depth > 1 ? 4 : 8)) {
    case 0: return "r";
    case 1: return "s";
    case 2: return shared();
    case 3: return std::to_string(below(values()));
    case 4: return fmt::format("({} + {}) % {}", number(depth + 1), number(depth + 1), values());
    case 5: return fmt::format("{} * {} % {}", number(depth + 1), number(depth + 1), values());
    case 6:
      return fmt::format(
          fmt::runtime(pick<std::string>({"({0} & {1})", "({0} | {1}) % {2}", "({0} ^ {1}) % {2}",
                                          "({0} >> ({1} & 1))", "({0} << ({1} & 1)) % {2}",
                                          "(~{0} + {1}) * 0"})),
          number(depth + 1), number(depth + 1), values());
    default: return shared();
    }
  }
  std::string truth(unsigned depth = 0) {
    switch (below(depth > 1 ? 4 : 8)) {
    case 0: return "b";
    case 1: return "f";
    case 2: return fmt::format("{} == {}", number(depth + 1), number(depth + 1));
    case 3: return fmt::format("{} < {}", number(depth + 1), number(depth + 1));
    case 4: return fmt::format("({} && {})", truth(depth + 1), truth(depth + 1));
    case 5: return fmt::format("({} || {})", truth(depth + 1), truth(depth + 1));
    case 6: return fmt::format("!{}", pick<std::string>({"b", "f"}));
    default: return fmt::format("cas({}, {}, {})", shared(), below(values()), below(values()));
    }
  }
  std::string condition() {
    if (one_in(12)) return one_in(2) ? "true" : "false";
    return one_in(4) ? "*" : truth();
  }

  void statement(unsigned depth) {
    switch (below(depth >= 2 ? 13 : 19)) {
    case 0:
    case 1:
    case 2: out_ += fmt::format("{} = {};\n", shared(), one_in(8) ? "*" : number()); break;
    case 3:
    case 4: out_ += fmt::format("{} = {};\n", pick<std::string>({"r", "s"}), shared()); break;
    case 5: out_ += fmt::format("{} = {};\n", pick<std::string>({"r", "s"}), number()); break;
    case 6: out_ += fmt::format("f = {};\n", truth()); break;
    case 7: out_ += fmt::format("b = {};\n", one_in(4) ? "*" : truth()); break;
    case 8: out_ += one_in(4) ? "store_fence;\n" : "fence;\n"; break;
    case 9:
      out_ += fmt::format("cas({}, {}, {});\n", shared(), below(values()), below(values()));
      break;
    case 10:
      if (one_in(2))
        out_ += fmt::format("arw({}, {}, {});\n", shared(), below(values()), below(values()));
      else
        out_ += fmt::format("assume({});\n", truth());
      break;
    case 11:
      // Sums without % may leave the range: that is a violation too.
      if (one_in(3))
        out_ += fmt::format("{} = {} + {};\n", shared(), shared(), below(2));
      else
        out_ += fmt::format("assert({} || {});\n", truth(), truth());
      break;
    case 12: { // a thread's own array, and a jump over or back
      const unsigned n = ++jumps_;
      switch (below(3)) {
      case 0: out_ += fmt::format("own[{}] = {};\n", index(), number()); break;
      case 1: out_ += fmt::format("r = own[{}];\n", index()); break;
      default:
        if (one_in(2))
          out_ += fmt::format("if ({}) goto l{};\nskip;\nl{}: skip;\n", truth(), n, n);
        else
          out_ +=
              fmt::format("l{}: s = (s + 1) % {};\nif (s != 0 && b) goto l{};\n", n, values(), n);
      }
      break;
    }
    case 13:
    case 14:
      out_ += fmt::format("if ({}) {{\n", condition());
      statements(1 + below(2), depth + 1);
      if (one_in(2)) {
        out_ += "} else {\n";
        statements(1, depth + 1);
      }
      out_ += "}\n";
      break;
    case 15:
      out_ += fmt::format("while ({}) {{\n", condition());
      statements(1 + below(2), depth + 1);
      if (one_in(3)) out_ += one_in(2) ? "if (b) break;\n" : "if (b) continue;\n";
      out_ += "}\n";
      break;
    case 16:
      out_ += "do {\n";
      statements(1, depth + 1);
      out_ += fmt::format("}} while ({});\n", condition());
      break;
    case 17:
      if (in_section_) return statement(depth);
      in_section_ = true; // sections do not nest, nor hold calls that may have one
      out_ += "atomic {\n";
      statements(1 + below(2), 2);
      out_ += "}\n";
      in_section_ = false;
      break;
    default:
      if (has_procedure_ && !in_section_)
        out_ += fmt::format("call help({});\n", below(values()));
      else
        out_ += "skip;\n";
    }
  }

  std::mt19937_64 random_;
  RandomOptions options_;
  std::string out_;
  unsigned jumps_ = 0;
  bool has_procedure_ = false, has_forbid_ = false, has_me_ = false, in_section_ = false;
};

} // namespace

std::string random_program(std::uint64_t seed, const RandomOptions& options) {
  return Generator(seed, options).run();
}

} // namespace weir::test
