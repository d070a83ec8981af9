#include "icct/base/rng.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "icct/base/check.h"

namespace icct {
namespace {

std::uint64_t splitmix64(std::uint64_t& x) {
  x += 0x9e3779b97f4a7c15U;
  std::uint64_t z = x;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix64(seed);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

double Rng::uniform(double low, double high) {
  const double value = low + (high - low) * uniform();
  return value < high ? value : std::nextafter(high, low);  // rounding can reach the upper bound
}

// Box-Muller without the second number, so that the four words of state are the whole state.
double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double Rng::gumbel() {
  // 1 - uniform() is in (0, 1]; the tiny shift keeps the outer logarithm finite at 1.
  return -std::log(-std::log(1.0 - uniform()) + 0x1p-60);
}

// Lemire's method: the high word of a 64 x 64 bit product, rejecting the few values that would bias
// it.
int Rng::below(int bound) {
  ICCT_CHECK(bound > 0);
  const auto range = static_cast<std::uint64_t>(bound);
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * range;
  if (static_cast<std::uint64_t>(product) < range) {
    const std::uint64_t threshold = (0 - range) % range;
    while (static_cast<std::uint64_t>(product) < threshold)
      product = static_cast<Wide>(next()) * range;
  }
  return static_cast<int>(static_cast<std::uint64_t>(product >> 64));
}

}  // namespace icct
