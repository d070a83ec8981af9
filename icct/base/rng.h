#pragma once

#include <array>
#include <cstdint>

namespace icct {

// The one source of randomness: xoshiro256++ (Blackman and Vigna), seeded through splitmix64. A
// plain value: copying it copies the stream, and `state` is all there is to save. Same seed, same
// numbers, on every machine.
class Rng {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit Rng(std::uint64_t seed);

  std::uint64_t next();                     // all 64 bits random
  double uniform();                         // in [0, 1), 53 random bits
  double uniform(double low, double high);  // in [low, high)
  double normal();                          // mean 0, standard deviation 1
  double gumbel();                          // Gumbel(0, 1)
  int below(int bound);                     // in 0 .. bound - 1, unbiased; bound > 0

  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  State state_;
};

}  // namespace icct
