#include "icct/env/sumo/plain_network.h"

#include <gtest/gtest.h>

#include "icct/env/sumo/simulation.h"
#include "tests/temporary_folder.h"

namespace icct {

namespace {

const char* version = "SUMO 1.15.0";

}  // namespace

// In place of the library's: another SUMO is installed from one moment to the next.
std::string sumo_version() {
  return version;
}

namespace {

TEST(PlainNetwork, IsBuiltOnceForEveryVersionOfSumo) {
  const TemporaryFolder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  PlainNetwork network;
  network.nodes = {{"a", {0, 0}}, {"b", {100, 0}}};
  network.edges = {{.id = "e", .from = "a", .to = "b", .speed = 10, .shape = {}}};
  const std::filesystem::path first = build_network(network);
  EXPECT_EQ(build_network(network), first);
  version = "SUMO 1.16.0";
  const std::filesystem::path second = build_network(network);
  EXPECT_NE(second, first);
  EXPECT_TRUE(std::filesystem::exists(first) && std::filesystem::exists(second));
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace icct
