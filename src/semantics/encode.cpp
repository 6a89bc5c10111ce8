#include "semantics/encode.h"

namespace weir::semantics {

using ir::Value;

namespace {

class Decoder {
public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}

  Value value() {
    std::uint64_t bits = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      bits |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    return static_cast<Value>(bits >> 1) ^ -static_cast<Value>(bits & 1);
  }
  std::uint32_t number() { return static_cast<std::uint32_t>(value()); }
  std::vector<Value> values() {
    std::vector<Value> result(number());
    for (Value& v : result) v = value();
    return result;
  }

private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

} // namespace

// Numbers as bytes, small ones short: 7 bits each, sign folded in.
void put(std::string& out, Value value) {
  auto bits = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  for (; bits >= 0x80; bits >>= 7) out += static_cast<char>(bits | 0x80);
  out += static_cast<char>(bits);
}

void put(std::string& out, const std::vector<Value>& values) {
  put(out, static_cast<Value>(values.size()));
  for (const Value value : values) put(out, value);
}

std::string encode(const Thread& thread) {
  std::string out;
  put(out, thread.process.value);
  put(out, thread.arguments);
  put(out, static_cast<Value>(thread.stack.size()));
  for (const Frame& frame : thread.stack) {
    put(out, frame.routine.value);
    put(out, frame.at);
    put(out, frame.locals);
  }
  put(out, thread.variables);
  put(out, static_cast<Value>(thread.buffer.size()));
  for (const Pending& pending : thread.buffer) {
    put(out, pending.cell.value);
    put(out, pending.value);
    put(out, pending.age);
    put(out, pending.epoch);
  }
  put(out, thread.ended ? 1 : 0);
  put(out, thread.rounds);
  put(out, thread.epoch);
  return out;
}

Thread decode(std::string_view bytes) {
  Decoder in(bytes);
  Thread thread;
  thread.process = {in.number()};
  thread.arguments = in.values();
  thread.stack.resize(in.number());
  for (Frame& frame : thread.stack) {
    frame.routine = {in.number()};
    frame.at = in.number();
    frame.locals = in.values();
  }
  thread.variables = in.values();
  thread.buffer.resize(in.number());
  for (Pending& pending : thread.buffer) {
    pending.cell = {in.number()};
    pending.value = in.value();
    pending.age = in.number();
    pending.epoch = in.number();
  }
  thread.ended = in.number() != 0;
  thread.rounds = in.number();
  thread.epoch = in.number();
  return thread;
}

} // namespace weir::semantics
