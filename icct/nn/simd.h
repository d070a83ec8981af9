#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#if defined(__AVX__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace icct {

// Vectors of 32 bytes, a language extension that GCC and Clang share: arithmetic acts on all lanes,
// on processors with narrower registers in several instructions. Functions take and return them by
// reference only, since how they travel by value depends on the processor.
template <class T>
struct SimdTypes {
  // GCC takes the attribute on a dependent type in a typedef only.
  // NOLINTNEXTLINE(modernize-use-using)
  typedef T Register __attribute__((vector_size(32)));
};
template <class T>
using Simd = typename SimdTypes<T>::Register;

template <class T>
inline constexpr int kLanes = 32 / static_cast<int>(sizeof(T));

// Numbers in a cache line of 64 bytes: the width of a panel (panels.h), two vectors.
template <class T>
inline constexpr int kLine = 2 * kLanes<T>;

// The kLanes numbers from `p` on as one vector, lanes(p).v; no alignment needed.
template <class T>
struct __attribute__((packed, may_alias)) Lanes {
  Simd<T> v;
};
template <class T>
inline const Lanes<T>& lanes(const T* p) {
  return *reinterpret_cast<const Lanes<T>*>(p);
}
template <class T>
inline Lanes<T>& lanes(T* p) {
  return *reinterpret_cast<Lanes<T>*>(p);
}

// sum += a * b, rounded once where the processor can. Spelled out because compilers choose between
// one and two roundings by the code around it, and then the same sample would get different numbers
// in different company.
#if defined(__AVX__) && defined(__FMA__)
inline void add_product(Simd<float>& sum, const Simd<float>& a, const Simd<float>& b) {
  sum = _mm256_fmadd_ps(a, b, sum);
}
inline void add_product(Simd<double>& sum, const Simd<double>& a, const Simd<double>& b) {
  sum = _mm256_fmadd_pd(a, b, sum);
}
#else
template <class Vector>
inline void add_product(Vector& sum, const Vector& a, const Vector& b) {
  sum += a * b;
}
#endif

// The sum of all lanes, always in the same order.
template <class T>
inline T sum_of_lanes(const Simd<T>& v) {
  T sums[kLanes<T>];
  for (int i = 0; i < kLanes<T>; ++i) sums[i] = v[i];
  for (int width = kLanes<T> / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i) sums[i] += sums[i + width];
  return sums[0];
}

// Calls f(constant 0), f(constant 1), ...: an unrolled loop, so that arrays indexed by it can live
// in registers.
template <int kCount, class F>
[[gnu::always_inline]] inline void unrolled(const F& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) {
    (f(std::integral_constant<int, i>{}), ...);
  }
  (std::make_integer_sequence<int, kCount>{});
}

// Exchanges the lanes of `a` that have bit kBit in their number with those of `b` that lack it.
template <class T, int kBit>
[[gnu::always_inline]] inline void exchange_lanes(Simd<T>& a, Simd<T>& b) {
  constexpr int n = kLanes<T>;
  [&]<int... i>(std::integer_sequence<int, i...>) {
    const Simd<T> first = __builtin_shufflevector(a, b, (i & kBit ? n + i - kBit : i)...);
    b = __builtin_shufflevector(a, b, (i & kBit ? n + i : i + kBit)...);
    a = first;
  }
  (std::make_integer_sequence<int, n>{});
}

// Transposes kLanes x kLanes numbers: to[j * to_step + i] = from[i * from_step + j]. Halves, then
// quarters, then single numbers change places across the diagonal.
template <class T>
inline void transpose_block(const T* from, std::ptrdiff_t from_step, T* to,
                            std::ptrdiff_t to_step) {
  constexpr int n = kLanes<T>;
  Simd<T> row[n];
  unrolled<n>([&](auto i) { row[i] = lanes(from + i * from_step).v; });
  const auto exchange = [&](auto bit) {
    unrolled<n>([&](auto i) {
      if constexpr ((i & bit) == 0) exchange_lanes<T, bit>(row[i], row[i + bit]);
    });
  };
  if constexpr (n == 8) exchange(std::integral_constant<int, 4>{});
  exchange(std::integral_constant<int, 2>{});
  exchange(std::integral_constant<int, 1>{});
  unrolled<n>([&](auto i) { lanes(to + i * to_step).v = row[i]; });
}

}  // namespace icct
