#pragma once
// match(variant, arm, arm, ...): every case has an arm, or it does not compile.

#include <utility>
#include <variant>

namespace weir {

template <class... Arms> struct Overloaded : Arms... { using Arms::operator()...; };
template <class... Arms> Overloaded(Arms...) -> Overloaded<Arms...>;

template <class Variant, class... Arms> decltype(auto) match(Variant&& value, Arms&&... arms) {
  return std::visit(Overloaded{std::forward<Arms>(arms)...}, std::forward<Variant>(value));
}

} // namespace weir
