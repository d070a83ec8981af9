#pragma once

namespace icct {

// The highway files that come with the project, environments/*.json.
extern const char* const kI94;
extern const char* const kI280;

}  // namespace icct
