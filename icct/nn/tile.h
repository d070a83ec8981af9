#pragma once

#include <cstddef>
#include <type_traits>

#include "icct/nn/simd.h"

// The innermost loop of every matrix product: a tile of up to six rows and one panel of columns is
// summed up in registers. Six rows by two vectors are twelve sums, which leaves four of the sixteen
// registers of AVX2 for the factors, and enough independent sums to hide the latency of a
// multiply-add.

namespace icct {

inline constexpr int kTileRows = 6;

template <class T, int kRows>
struct Tile {
  Simd<T> sum[kRows][2];
};

// sum[r] += a[r][k * step] * line k of b, for k = 0 .. count - 1. The order of additions does not
// depend on kRows.
template <class T, int kRows>
[[gnu::always_inline]] inline void accumulate(Tile<T, kRows>& tile, const T* const (&a)[kRows],
                                              std::ptrdiff_t step, const T* b, int count) {
  for (int k = 0; k < count; ++k) {
    const Simd<T> b0 = lanes(b + k * kLine<T>).v;
    const Simd<T> b1 = lanes(b + k * kLine<T> + kLanes<T>).v;
    unrolled<kRows>([&](auto r) {
      const Simd<T> factor = a[r][k * step] - Simd<T>{};  // in every lane
      add_product(tile.sum[r][0], factor, b0);
      add_product(tile.sum[r][1], factor, b1);
    });
  }
}

// Cuts `count` rows into tiles of nearly equal height and calls f(constant height, first row).
template <class F>
inline void for_each_tile(int count, const F& f) {
  const int tiles = (count + kTileRows - 1) / kTileRows;
  int first = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    const int height = count / tiles + (tile < count % tiles ? 1 : 0);
    switch (height) {
      case 1:
        f(std::integral_constant<int, 1>{}, first);
        break;
      case 2:
        f(std::integral_constant<int, 2>{}, first);
        break;
      case 3:
        f(std::integral_constant<int, 3>{}, first);
        break;
      case 4:
        f(std::integral_constant<int, 4>{}, first);
        break;
      case 5:
        f(std::integral_constant<int, 5>{}, first);
        break;
      default:
        f(std::integral_constant<int, 6>{}, first);
        break;
    }
    first += height;
  }
}

}  // namespace icct
