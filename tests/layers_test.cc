#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

// What each folder may include beside itself. One direction only: nothing sideways, nothing back.
const std::map<std::string, std::set<std::string>>& allowed() {
  static const std::map<std::string, std::set<std::string>> rules = {
      {"icct/base", {}},
      {"icct/tree", {"icct/base"}},
      {"icct/nn", {"icct/base"}},
      {"icct/env", {"icct/base"}},
      {"icct/policy", {"icct/base", "icct/tree", "icct/nn"}},
      {"icct/export", {"icct/base", "icct/tree", "icct/nn", "icct/policy"}},
      {"icct/verify", {"icct/base", "icct/tree", "icct/nn", "icct/policy"}},
      {"icct/rollout", {"icct/base", "icct/tree", "icct/nn", "icct/policy", "icct/env"}},
      {"icct/film",
       {"icct/base", "icct/tree", "icct/nn", "icct/policy", "icct/env", "icct/rollout"}},
      {"icct/search",
       {"icct/base", "icct/tree", "icct/nn", "icct/policy", "icct/env", "icct/rollout"}},
      {"icct/train",
       {"icct/base", "icct/tree", "icct/nn", "icct/policy", "icct/env", "icct/rollout",
        "icct/search", "icct/rl"}},
      {"icct/imitation",
       {"icct/base", "icct/tree", "icct/nn", "icct/policy", "icct/env", "icct/rollout",
        "icct/search", "icct/rl", "icct/train"}},
      {"icct/run",
       {"icct/base", "icct/tree", "icct/nn", "icct/policy", "icct/env", "icct/rollout",
        "icct/search", "icct/rl", "icct/train", "icct/imitation", "icct/export"}},
      {"icct/rl", {"icct/base", "icct/tree", "icct/nn", "icct/policy", "icct/env", "icct/rollout"}},
  };
  return rules;
}

// "icct/tree" for "icct/tree/tree.h", also for deeper folders.
std::string folder_of(const std::string& path) {
  return path.substr(0, path.find('/', 5));
}

std::set<std::string> includes_of(const fs::path& file) {
  std::set<std::string> included;
  std::ifstream input(file);
  for (std::string line; std::getline(input, line);) {
    if (line.starts_with("#include \"")) included.insert(line.substr(10, line.rfind('"') - 10));
  }
  return included;
}

TEST(Layers, EveryFolderIncludesOnlyWhatItMay) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(ICCT_SOURCE_DIR "/icct")) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc") continue;
    ++files;
    const std::string file = fs::relative(entry.path(), ICCT_SOURCE_DIR);
    const std::string folder = folder_of(file);
    ASSERT_TRUE(allowed().contains(folder)) << folder << " has no rule in this test";
    for (const std::string& included : includes_of(entry.path())) {
      ASSERT_TRUE(included.starts_with("icct/"))
          << file << " includes \"" << included << "\"; write the whole path";
      const std::string target = folder_of(included);
      EXPECT_TRUE(target == folder || allowed().at(folder).contains(target))
          << file << " may not include " << included;
    }
  }
  EXPECT_GT(files, 20);
}

}  // namespace
