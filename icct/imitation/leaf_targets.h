#pragma once

#include <span>
#include <vector>

#include "icct/imitation/model_tree.h"

namespace icct {

// The samples as linear leaves are fitted to them: inputs of order one, and outputs before the link
// with weights that make a least-squares fit of them close to a fit of what the link makes of it.
class LeafTargets {
 public:
  LeafTargets(const Samples& samples, Link link);

  int size() const { return samples_.x.rows; }
  int features() const { return samples_.x.columns; }
  int outputs() const { return samples_.y.columns; }
  std::span<const double> x(int sample) const {
    return {x_.data() + static_cast<std::size_t>(sample) * scales_.size(), scales_.size()};
  }
  double target(int sample, int output) const { return targets_[index(sample, output)]; }
  double weight(int sample, int output) const { return weights_[index(sample, output)]; }

  // Improves a controller of scaled inputs by the squared error after the link, on these samples,
  // its features left alone.
  Controller refined(Controller controller, std::span<const int> samples, int output) const;

  // The same function of the inputs as they were given.
  Controller unscaled(Controller controller) const;

 private:
  std::size_t index(int sample, int output) const {
    return static_cast<std::size_t>(sample) * static_cast<std::size_t>(outputs()) +
           static_cast<std::size_t>(output);
  }
  double error(const Controller& controller, std::span<const int> samples, int output) const;
  Controller step(const Controller& controller, std::span<const int> samples, int output) const;

  Samples samples_;
  Link link_;
  std::vector<double> means_, scales_;  // of the inputs
  std::vector<double> x_, targets_, weights_;
};

}  // namespace icct
