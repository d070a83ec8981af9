#include "icct/export/protobuf.h"

namespace icct {
namespace {

// Wire types.
constexpr std::uint64_t kVarint = 0;
constexpr std::uint64_t kBytes = 2;

std::uint64_t key(int field, std::uint64_t wire_type) {
  return (static_cast<std::uint64_t>(field) << 3) | wire_type;
}

}  // namespace

void ProtobufMessage::varint(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_ += static_cast<char>((value & 0x7f) | 0x80);
    value >>= 7;
  }
  bytes_ += static_cast<char>(value);
}

ProtobufMessage& ProtobufMessage::number(int field, std::int64_t value) {
  varint(key(field, kVarint));
  varint(static_cast<std::uint64_t>(value));
  return *this;
}

ProtobufMessage& ProtobufMessage::bytes(int field, std::string_view value) {
  varint(key(field, kBytes));
  varint(value.size());
  bytes_ += value;
  return *this;
}

}  // namespace icct
