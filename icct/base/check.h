#pragma once

#include <cstdio>
#include <cstdlib>

namespace icct {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, condition);
  std::abort();
}

}  // namespace icct

// A promise between our own functions. A broken one is a defect of the program, never of its input:
// it aborts.
#define ICCT_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::icct::check_failed(#condition, __FILE__, __LINE__))
