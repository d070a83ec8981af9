#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace icct {

// One message of Google's protocol buffers, field by field, in the binary format. A message inside
// another is a field of bytes.
class ProtobufMessage {
 public:
  ProtobufMessage& number(int field, std::int64_t value);
  ProtobufMessage& bytes(int field, std::string_view value);
  ProtobufMessage& message(int field, const ProtobufMessage& value) {
    return bytes(field, value.bytes_);
  }

  const std::string& encoded() const { return bytes_; }

 private:
  void varint(std::uint64_t value);

  std::string bytes_;
};

}  // namespace icct
