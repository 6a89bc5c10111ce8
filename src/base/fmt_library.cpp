// fmt as part of our own archive, so that the command can be linked statically: Debian ships only
// the shared library, and the dynamic linker would take a quarter of a small run.
#include <fmt/format-inl.h>

template fmt::detail::thousands_sep_result<char>
    fmt::detail::thousands_sep_impl<char>(fmt::detail::locale_ref);
template char fmt::detail::decimal_point_impl(fmt::detail::locale_ref);
