#pragma once

#include <span>
#include <variant>

#include "icct/base/matrix.h"
#include "icct/base/rng.h"
#include "icct/nn/team.h"
#include "icct/policy/policy.h"

namespace icct {

// A Gaussian policy that can be learned: observations in, mean and log standard deviation of the
// action before squashing out. Trees and networks look the same to a learning algorithm.
template <class T>
class Actor {
 public:
  virtual ~Actor() = default;

  virtual int observations() const = 0;
  virtual int actions() const = 0;
  virtual std::span<T> parameters() = 0;

  // Draws what the next pass over at most `batch` samples needs beside the observations. To be
  // called before every forward pass of learning; deployed policies need nothing.
  virtual void draw_noise(int batch, Rng& rng) = 0;

  // Fills `mean` and `log_std`, batch x actions; the latter clamped to [kMinLogStd, kMaxLogStd].
  // `x` must stay as it is until backward.
  virtual void forward(MatrixView<const T> x, MatrixView<T> mean, MatrixView<T> log_std) = 0;

  // Adds the gradient of the last forward pass to `d_parameters` and, unless it is empty, to `d_x`.
  virtual void backward(MatrixView<const T> d_mean, MatrixView<const T> d_log_std,
                        std::span<T> d_parameters, MatrixView<T> d_x = {}) = 0;

  // The actor's own penalty at the last forward pass, 0 if it has none; its gradient is added to
  // `d_parameters`.
  virtual T penalty(Rng& rng, std::span<T> d_parameters) = 0;

  // Members who may share the work of a pass, kept by the caller; null for none. The numbers do not
  // depend on it.
  virtual void set_team(Team* team) = 0;

  // What is deployed: the crisp tree, or the network without its log-standard-deviation head.
  virtual std::variant<Tree, Mlp<double>> controller() const = 0;
};

}  // namespace icct
