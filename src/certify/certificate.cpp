#include "certify/certificate.h"
namespace weir::certify { std::string fingerprint(const lower::Automata&) { return ""; } }
