#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "icct/base/state_archive.h"

namespace icct {

// The Adam optimiser (Kingma and Ba, 2015) for one parameter vector, in PyTorch's order of
// operations: beta 0.9 and 0.999, epsilon 1e-8 outside the root, no weight decay.
class Adam {
 public:
  explicit Adam(std::size_t parameters);

  // parameters -= learning_rate * corrected first moment / (root of corrected second + epsilon).
  void step(std::span<float> parameters, std::span<const float> gradient, double learning_rate);

  // The same and, in the same pass, target = (1 - tau) target + tau parameters.
  void step_and_smooth(std::span<float> parameters, std::span<const float> gradient,
                       double learning_rate, std::span<float> target, double tau);

  void visit_state(StateArchive& archive, const std::string& name);

 private:
  struct Scale {
    float step;  // learning rate over the correction of the first moment
    float root;  // one over the root of the correction of the second
  };
  Scale next_scale(double learning_rate);

  std::int64_t steps_ = 0;
  std::vector<float> first_, second_;
};

}  // namespace icct
