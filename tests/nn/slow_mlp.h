#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "icct/base/rng.h"

namespace icct {

// A network as one would write it on paper, one sample at a time and in double precision. The
// parameters lie as in MlpShape.
struct SlowMlp {
  template <class T>
  SlowMlp(const std::vector<int>& layer_sizes, std::span<T> parameters)
      : sizes(layer_sizes), p(parameters.begin(), parameters.end()) {}

  std::vector<double> forward(const std::vector<double>& x) {
    activations = {x};
    std::size_t at = 0;
    for (std::size_t layer = 0; layer + 1 < sizes.size(); ++layer) {
      const std::vector<double>& in = activations.back();
      const std::size_t outputs = static_cast<std::size_t>(sizes[layer + 1]);
      std::vector<double> out(outputs);
      for (std::size_t o = 0; o < outputs; ++o) {
        out[o] = p[at + outputs * in.size() + o];
        for (std::size_t i = 0; i < in.size(); ++i) out[o] += p[at + o * in.size() + i] * in[i];
        if (layer + 2 < sizes.size() && out[o] < 0) out[o] = 0;
      }
      at += outputs * (in.size() + 1);
      activations.push_back(out);
    }
    return activations.back();
  }

  // Of the last forward pass: adds to `gradient` and returns the gradient of the input.
  std::vector<double> backward(std::vector<double> d, std::vector<double>& gradient) const {
    std::size_t at = p.size();
    for (std::size_t layer = sizes.size() - 1; layer-- > 0;) {
      const std::vector<double>& in = activations[layer];
      at -= d.size() * (in.size() + 1);
      std::vector<double> d_in(in.size());
      for (std::size_t o = 0; o < d.size(); ++o) {
        gradient[at + d.size() * in.size() + o] += d[o];
        for (std::size_t i = 0; i < in.size(); ++i) {
          gradient[at + o * in.size() + i] += d[o] * in[i];
          if (layer == 0 || in[i] > 0) d_in[i] += d[o] * p[at + o * in.size() + i];
        }
      }
      d = d_in;
    }
    return d;
  }

  std::vector<int> sizes;
  std::vector<double> p;
  std::vector<std::vector<double>> activations;
};

// Adam as in the paper, in double precision.
struct SlowAdam {
  explicit SlowAdam(std::size_t size) : m(size), v(size) {}

  void step(std::vector<double>& p, const std::vector<double>& g, double learning_rate) {
    ++t;
    for (std::size_t i = 0; i < p.size(); ++i) {
      m[i] = 0.9 * m[i] + 0.1 * g[i];
      v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
      const double m_hat = m[i] / (1 - std::pow(0.9, t));
      const double v_hat = v[i] / (1 - std::pow(0.999, t));
      p[i] -= learning_rate * m_hat / (std::sqrt(v_hat) + 1e-8);
    }
  }

  int t = 0;
  std::vector<double> m, v;
};

template <class T>
void fill_random(std::span<T> values, Rng& rng) {
  for (T& value : values) value = static_cast<T>(rng.uniform(-1, 1));
}

}  // namespace icct
