#pragma once

#include <vector>

#include "icct/base/rng.h"
#include "icct/imitation/samples.h"

namespace icct {

// Samples that own their numbers. All inputs are float numbers.
struct OwnedSamples {
  int features, outputs;
  std::vector<double> x, y, weights;

  int rows() const { return static_cast<int>(x.size()) / features; }
  Samples view() const {
    return {{x.data(), rows(), features}, {y.data(), rows(), outputs}, weights};
  }
};

// `values`: how many different ones an input or output may have; 0: as many as there are.
inline OwnedSamples random_samples(int rows, int features, int outputs, int values,
                                   std::uint64_t seed) {
  OwnedSamples samples{features, outputs, {}, {}, {}};
  Rng rng(seed);
  const auto draw = [&] {
    return values > 0 ? rng.below(values) : static_cast<double>(static_cast<float>(rng.normal()));
  };
  for (int i = 0; i < rows * features; ++i) samples.x.push_back(draw());
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < outputs; ++k) {
      const double signal = samples.x[static_cast<std::size_t>(i * features + k % features)];
      samples.y.push_back(values > 0 ? draw() : signal * signal + 0.3 * draw());
    }
  }
  return samples;
}

}  // namespace icct
