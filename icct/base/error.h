#pragma once

#include <stdexcept>

namespace icct {

// The only exception of the library: a problem of the user, a file or a simulator. Its text says
// what is wrong, where, and what to do about it. Programs catch it once, in main.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace icct
