#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace icct {

// While it lives, numbers too small for full precision count as zero on this thread. The moments of
// Adam decay into that range, where every operation would take a hundred times longer.
class FlushDenormals {
 public:
#if defined(__SSE__)
  FlushDenormals() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | kFlushResults | kFlushInputs);
  }
  ~FlushDenormals() {
    _mm_setcsr(before_);
  }

 private:
  static constexpr unsigned kFlushResults = 0x8000;
  static constexpr unsigned kFlushInputs = 0x0040;
  unsigned before_;

 public:
#else
  FlushDenormals() {}
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;
};

}  // namespace icct
