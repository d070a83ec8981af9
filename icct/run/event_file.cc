#include "icct/run/event_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include "icct/base/check.h"
#include "icct/base/error.h"

namespace icct {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
    table[byte] = crc;
  }
  return table;
}

template <typename Unsigned>
std::string little_endian(Unsigned value) {
  std::string bytes(sizeof(value), '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(value >> (8 * i));
  return bytes;
}

// The record format asks for a checksum that differs from that of the bytes it is stored in.
std::string masked_checksum(std::string_view bytes) {
  return little_endian(std::rotr(crc32c(bytes), 15) + 0xA282EAD8U);
}

// The few kinds of protobuf fields that events are made of.
enum class Wire : unsigned { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
  return bytes + static_cast<char>(value);
}

std::string key(unsigned field, Wire wire) {
  return varint((field << 3) | static_cast<unsigned>(wire));
}

std::string bytes_field(unsigned field, const std::string& bytes) {
  return key(field, Wire::Bytes) + varint(bytes.size()) + bytes;
}

std::string double_field(unsigned field, double value) {
  return key(field, Wire::Fixed64) + little_endian(std::bit_cast<std::uint64_t>(value));
}

std::string float_field(unsigned field, float value) {
  return key(field, Wire::Fixed32) + little_endian(std::bit_cast<std::uint32_t>(value));
}

std::string integer_field(unsigned field, std::int64_t value) {
  return key(field, Wire::Varint) + varint(static_cast<std::uint64_t>(value));
}

float nearest_float(double value) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kLargest, kLargest));
}

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& action) {
  throw Error(path.string() + ": cannot " + action + ": " + std::strerror(errno));
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_crc_table();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
  }
  return ~crc;
}

EventFile::EventFile(const std::filesystem::path& path, double wall_time)
    : path_(path), file_(std::fopen(path.c_str(), "wbe"), std::fclose) {
  if (!file_) fail(path_, "create");
  // A buffer behind ours would hide how far writing came when it fails.
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  add_record(double_field(1, wall_time) + bytes_field(3, "brain.Event:2"));
  flush();
}

EventFile::~EventFile() {
  try {
    flush();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): as the header says
  }
}

void EventFile::add(const std::string& tag, std::int64_t step, double wall_time, double value) {
  const std::string point = bytes_field(1, tag) + float_field(2, nearest_float(value));
  const std::string summary = bytes_field(1, point);
  add_record(double_field(1, wall_time) + integer_field(2, step) + bytes_field(5, summary));
}

void EventFile::flush() {
  const std::size_t written = std::fwrite(pending_.data(), 1, pending_.size(), file_.get());
  pending_.erase(0, written);
  if (!pending_.empty()) fail(path_, "write");
}

void EventFile::add_record(const std::string& event) {
  const std::string length = little_endian(std::uint64_t{event.size()});
  pending_ += length + masked_checksum(length) + event + masked_checksum(event);
}

void add_row(EventFile& file, double wall_time, const Progress& progress, const ProgressRow& row) {
  ICCT_CHECK(row.details.size() == progress.detail_names.size());
  const auto add = [&](const std::string& tag, double value) {
    if (!std::isnan(value)) file.add(tag, row.steps, wall_time, value);
  };
  add("return/training", row.training_return);
  add("return/validation", row.validation_mean);
  add("return/validation_error", row.validation_error);
  add("return/validation_worst", row.validation_worst);
  add("return/best", row.best_validation);
  add("tree/leaves", row.leaves);
  add("tree/parameters", row.parameters);
  add("run/episodes", static_cast<double>(row.episodes));
  add("run/seconds", row.seconds);
  for (std::size_t i = 0; i < row.details.size(); ++i) {
    add("detail/" + progress.detail_names[i], row.details[i]);
  }
}

}  // namespace icct
