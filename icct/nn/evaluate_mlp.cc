#include <algorithm>

#include "icct/nn/mlp.h"

namespace icct {

std::vector<double> evaluate(const Mlp<double>& mlp, std::span<const double> x) {
  std::vector<double> input(x.begin(), x.end());
  for (int layer = 0; layer < mlp.layers(); ++layer) {
    const auto bias = mlp.bias(layer);
    const auto weights = mlp.weights(layer);
    std::vector<double> output(bias.begin(), bias.end());
    for (int o = 0; o < weights.rows; ++o) {
      for (int j = 0; j < weights.columns; ++j) output[o] += weights(o, j) * input[j];
      if (layer + 1 < mlp.layers()) output[o] = std::max(output[o], 0.0);
    }
    input = std::move(output);
  }
  return input;
}

}  // namespace icct
