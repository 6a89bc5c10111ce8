#include "translate/pipeline.h"

#include "ir/faults.h"
#include "ir/validate.h"
#include "translate/eager.h"
#include "translate/flush.h"
#include "translate/lazy.h"
#include "translate/paper.h"
#include "translate/parameters.h"
#include "translate/watch.h"

#include <algorithm>

namespace weir::translate {

using Kind = Bound::Kind;

const std::vector<EncodingRow>& encodings() {
  static const std::vector<EncodingRow> rows = {
      {Encoding::Eager,
       "eager",
       "one sequential program, a copy of memory per sweep",
       {Kind::Sweeps, Kind::Rounds}},
      {Encoding::Lazy,
       "lazy",
       "one sequential program, unrolled, sweep after sweep",
       {Kind::Sweeps}},
      {Encoding::Flush,
       "flush",
       "threads with groups of pending stores; covers age k and more",
       {Kind::Age}},
      {Encoding::Paper,
       "paper",
       "threads with view, mask and queue: CAV 2011",
       {Kind::Rounds, Kind::Age}},
      {Encoding::Plain, "plain", "as it is, without buffers: for a checker's own memory model", {}},
  };
  return rows;
}

const EncodingRow& row(Encoding encoding) {
  return *std::find_if(encodings().begin(), encodings().end(),
                       [&](const EncodingRow& r) { return r.encoding == encoding; });
}

std::optional<Encoding> encoding_named(std::string_view name) {
  for (const EncodingRow& r : encodings())
    if (name == r.name) return r.encoding;
  return std::nullopt;
}

bool suits(Encoding encoding, Kind bound) {
  const auto& bounds = row(encoding).bounds;
  return std::find(bounds.begin(), bounds.end(), bound) != bounds.end();
}

bool is_sequential(Encoding encoding) {
  return encoding == Encoding::Eager || encoding == Encoding::Lazy;
}

Encoding default_encoding(Kind bound, bool like_the_paper) {
  if (like_the_paper && suits(Encoding::Paper, bound)) return Encoding::Paper;
  for (const EncodingRow& r : encodings())
    if (suits(r.encoding, bound)) return r.encoding;
  return Encoding::Plain;
}

namespace {

std::variant<Translation, Unsupported> apply(const ir::Program& source, const Wish& wish) {
  switch (wish.encoding) {
  case Encoding::Eager: return translate_eager(source, wish.bound);
  case Encoding::Lazy: return translate_lazy(source, wish.bound.k, wish.unwind);
  case Encoding::Flush: return translate_flush(source, wish.bound.k);
  case Encoding::Paper: return translate_paper(source, wish.bound);
  case Encoding::Plain:
    return Translation{
        source, {}, std::vector<Part>(source.procedures.size(), Part::Image), {}, {}};
  }
  return Unsupported{"unknown encoding", {}};
}

} // namespace

std::variant<Translation, Unsupported> translate(const ir::Program& source, const Wish& wish) {
  const bool needs_faults =
      wish.explicit_faults && !is_sequential(wish.encoding); // those have them
  const ir::Program kept = with_kept_parameters(source);
  auto result = apply(needs_faults ? ir::with_explicit_faults(kept) : kept, wish);
  if (auto* translation = std::get_if<Translation>(&result)) {
    if (wish.watched_places) translation->program = watch_places(std::move(translation->program));
    translation->program = ir::validated(std::move(translation->program));
  }
  return result;
}

} // namespace weir::translate
