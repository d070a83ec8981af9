#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "icct/base/file.h"
#include "icct/base/json.h"

namespace icct {

// Every recording whose name begins with `prefix`, from ICCT_GOLDEN_DIR or tests/golden, in order.
// One of them at least must exist, or the test fails.
inline std::vector<std::filesystem::path> golden_files(const std::string& prefix) {
  const char* chosen = std::getenv("ICCT_GOLDEN_DIR");
  const std::filesystem::path folder = chosen != nullptr ? chosen : ICCT_SOURCE_DIR "/tests/golden";
  std::vector<std::filesystem::path> files;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && name.ends_with(".json")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  EXPECT_FALSE(files.empty()) << "no " << prefix << "*.json in " << folder;
  return files;
}

inline Json read_golden(const std::filesystem::path& file) {
  return parse_json(read_file(file, std::size_t(1) << 28), file.string());
}

// All numbers of a nested list, row after row.
template <class T>
std::vector<T> flatten(const Json& json) {
  if (json.is_number()) return {json.get<T>()};
  std::vector<T> values;
  for (const Json& element : json) {
    const std::vector<T> part = flatten<T>(element);
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

// The same for values that were recorded as 32-bit floats with the fewest digits that give them
// back.
template <class T>
std::vector<T> flatten_float(const Json& json) {
  const std::vector<float> values = flatten<float>(json);
  return {values.begin(), values.end()};
}

// |a - b| <= tolerance * max(1, |b|), element by element.
template <class A, class B>
void expect_close(const A& actual, const B& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double a = static_cast<double>(actual[i]);
    const double b = static_cast<double>(expected[i]);
    EXPECT_LE(std::abs(a - b), tolerance * std::max(1.0, std::abs(b)))
        << what << " [" << i << "]: " << a << " != " << b;
  }
}

}  // namespace icct
