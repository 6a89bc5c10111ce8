#include "certify/certify.h"
namespace weir::certify {
Judgement certify(const lower::Automata&, const Certificate&, const Limits&) { return Stopped{}; }
void write(std::ostream&, const lower::Automata&, const Certificate&) {}
std::variant<Certificate, Unreadable> read(std::istream&, const lower::Automata&) { return Unreadable{}; }
}
