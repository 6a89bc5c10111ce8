#pragma once
// The files of runtime/, as text.

namespace weir::emit {

extern const char* const runtime_cbmc;
extern const char* const runtime_esbmc;
extern const char* const runtime_svcomp;
extern const char* const runtime_any;

} // namespace weir::emit
