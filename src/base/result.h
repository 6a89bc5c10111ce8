#pragma once
// A value, or what is wrong with the input. Member names are std::expected's, which C++20 lacks.

#include "base/diagnostic.h"

#include <utility>
#include <variant>

namespace weir {

template <class T> class Result {
public:
  Result(T value) : content_(std::move(value)) {}
  Result(Diagnostics errors) : content_(std::move(errors)) {}

  bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return std::get<0>(content_); }
  T& operator*() { return std::get<0>(content_); }
  const T* operator->() const { return &std::get<0>(content_); }
  const Diagnostics& error() const { return std::get<1>(content_); }

private:
  std::variant<T, Diagnostics> content_;
};

} // namespace weir
