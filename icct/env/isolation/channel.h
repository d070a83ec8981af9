#pragma once

#include <semaphore.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "icct/env/environment.h"

namespace icct {

enum class Request : int { Describe, Reset, Step, Metrics, Scene, KeepMoment, ReturnToMoment };
enum class Reply : int { Done, Failed };  // Failed: the text says why

// Memory that a process shares with its worker. One request at a time: the process writes it and
// posts `asked`, the worker answers and posts `answered`.
struct Channel {
  Channel();

  static constexpr std::size_t kMaxNumbers = 4096;
  static constexpr std::size_t kMaxText = std::size_t(1) << 26;  // touched only where written

  sem_t asked;
  sem_t answered;
  sem_t handed_back;  // among the worker's own processes: a reset is asked for
  Request request;
  Reply reply;
  std::uint64_t seed;
  std::size_t action_size;
  std::array<double, kMaxNumbers> action;
  std::array<double, kMaxNumbers> observation;
  Step step;
  std::size_t text_size;
  std::array<char, kMaxText> text;

  void write_text(std::string_view content);  // throws Error if it is longer than kMaxText
  std::string_view read_text() const { return {text.data(), text_size}; }
};

}  // namespace icct
