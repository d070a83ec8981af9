#pragma once

#include <functional>
#include <string>

#include "icct/base/error.h"

namespace icct {

// The text of the Error that `action` throws, or "none".
inline std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace icct
