#include "icct/rl/replay_buffer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "icct/base/check.h"
#include "icct/base/error.h"

namespace icct {
namespace {

bool fits_float(std::span<const double> values) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::abs(value) <= kLargest; });
}

float* append(float* out, std::span<const double> values) {
  return std::transform(values.begin(), values.end(), out,
                        [](double value) { return static_cast<float>(value); });
}

}  // namespace

Batch::Batch(int batch_size, int observation_size, int action_size) : size(batch_size) {
  ICCT_CHECK(batch_size > 0 && observation_size > 0 && action_size > 0);
  const auto rows = static_cast<std::size_t>(batch_size);
  observations.resize(rows * static_cast<std::size_t>(observation_size));
  next_observations.resize(observations.size());
  actions.resize(rows * static_cast<std::size_t>(action_size));
  rewards.resize(rows);
  terminated.resize(rows);
}

ReplayBuffer::ReplayBuffer(int capacity, int observation_size, int action_size)
    : capacity_(capacity),
      observation_size_(static_cast<std::size_t>(observation_size)),
      action_size_(static_cast<std::size_t>(action_size)),
      slot_size_(2 * observation_size_ + action_size_ + 2) {
  ICCT_CHECK(observation_size > 0 && action_size > 0);
  if (capacity < 1)
    throw Error("replay buffer: the capacity is " + std::to_string(capacity) +
                ", but must be at least 1");
  const std::size_t size = static_cast<std::size_t>(capacity) * slot_size_;
  storage_ = std::make_unique_for_overwrite<float[]>(size);
}

void ReplayBuffer::add(const Transition& t) {
  ICCT_CHECK(t.observation.size() == observation_size_ && t.action.size() == action_size_);
  ICCT_CHECK(t.next_observation.size() == observation_size_);
  if (!fits_float(t.observation) || !fits_float(t.next_observation) || !fits_float(t.action) ||
      !fits_float({&t.reward, 1}))
    throw Error(
        "replay buffer: a transition holds NaN or a number too large for single precision; check "
        "the observations and rewards of the environment");
  float* out = slot(next_);
  out = append(out, t.observation);
  out = append(out, t.next_observation);
  out = append(out, t.action);
  *out++ = static_cast<float>(t.reward);
  *out = t.terminated ? 1.0f : 0.0f;
  next_ = next_ + 1 < capacity_ ? next_ + 1 : 0;
  size_ = std::min(size_ + 1, capacity_);
}

void ReplayBuffer::sample(Rng& rng, Batch& batch) const {
  ICCT_CHECK(size_ > 0);
  ICCT_CHECK(batch.observations.size() == static_cast<std::size_t>(batch.size) * observation_size_);
  ICCT_CHECK(batch.actions.size() == static_cast<std::size_t>(batch.size) * action_size_);
  // Slots lie all over the memory: ask for each some draws before it is copied.
  constexpr int kAhead = 16;
  const float* asked[kAhead];
  for (int i = 0; i < batch.size + kAhead; ++i) {
    if (i >= kAhead) copy_to(batch, i - kAhead, asked[i % kAhead]);
    if (i >= batch.size) continue;
    const float* drawn = slot(rng.below(size_));
    asked[i % kAhead] = drawn;
    for (std::size_t j = 0; j < slot_size_; j += 16) __builtin_prefetch(drawn + j);
    __builtin_prefetch(drawn + slot_size_ - 1);
  }
}

void ReplayBuffer::copy_to(Batch& batch, int row, const float* from) const {
  const auto i = static_cast<std::size_t>(row);
  std::copy_n(from, observation_size_, batch.observations.data() + i * observation_size_);
  from += observation_size_;
  std::copy_n(from, observation_size_, batch.next_observations.data() + i * observation_size_);
  from += observation_size_;
  std::copy_n(from, action_size_, batch.actions.data() + i * action_size_);
  from += action_size_;
  batch.rewards[i] = from[0];
  batch.terminated[i] = from[1];
}

void ReplayBuffer::visit_state(StateArchive& archive) {
  int capacity = capacity_;
  archive.value("replay.capacity", capacity);
  archive.value("replay.size", size_);
  archive.value("replay.next", next_);
  if (capacity != capacity_ || size_ < 0 || size_ > capacity_ || next_ < 0 || next_ >= capacity_) {
    size_ = next_ = 0;
    throw Error("saved state: the replay buffer does not fit; its capacity was " +
                std::to_string(capacity) + " and is " + std::to_string(capacity_) + " here");
  }
  archive.values("replay.transitions",
                 std::span(storage_.get(), static_cast<std::size_t>(size_) * slot_size_));
}

}  // namespace icct
