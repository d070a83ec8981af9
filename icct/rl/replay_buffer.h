#pragma once

#include <memory>
#include <span>
#include <vector>

#include "icct/base/matrix.h"
#include "icct/base/rng.h"
#include "icct/base/state_archive.h"

namespace icct {

// One step of an environment.
struct Transition {
  std::span<const double> observation;
  std::span<const double> action;  // in [-1, 1], before scaling to the bounds
  double reward;
  std::span<const double> next_observation;
  // The task ended here. An episode cut by its time limit did not end: learning goes on expecting
  // reward.
  bool terminated;
};

// Sampled transitions, each field row after row.
struct Batch {
  Batch(int size, int observation_size, int action_size);

  MatrixView<const float> x() const { return rows_of(observations); }
  MatrixView<const float> a() const { return rows_of(actions); }
  MatrixView<const float> next_x() const { return rows_of(next_observations); }

  int size;
  std::vector<float> observations, next_observations;  // size x observation_size
  std::vector<float> actions;                          // size x action_size
  std::vector<float> rewards;                          // size
  std::vector<float> terminated;                       // size, 1 or 0

 private:
  MatrixView<const float> rows_of(const std::vector<float>& values) const {
    return {values.data(), size, static_cast<int>(values.size()) / size};
  }
};

// The last `capacity` transitions, in single precision. A ring: new ones replace the oldest.
class ReplayBuffer {
 public:
  // Throws Error unless 1 <= capacity.
  ReplayBuffer(int capacity, int observation_size, int action_size);

  int size() const { return size_; }
  int capacity() const { return capacity_; }

  // Throws Error if a number is NaN or infinite in single precision; then nothing is stored.
  void add(const Transition& transition);

  // Fills the batch with transitions drawn uniformly, with replacement. size() must be positive.
  // Does not allocate.
  void sample(Rng& rng, Batch& batch) const;

  // Restoring needs a buffer of the same capacity and sizes.
  void visit_state(StateArchive& archive);

 private:
  float* slot(int i) const { return storage_.get() + static_cast<std::size_t>(i) * slot_size_; }
  void copy_to(Batch& batch, int row, const float* from) const;

  int capacity_;
  std::size_t observation_size_, action_size_, slot_size_;
  int size_ = 0;
  int next_ = 0;  // slot of the next transition
  // Slots of observation, next observation, action, reward, terminated. Not initialised: memory is
  // taken only as the buffer fills.
  std::unique_ptr<float[]> storage_;
};

}  // namespace icct
