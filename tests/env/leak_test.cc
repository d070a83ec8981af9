#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "icct/base/rng.h"
#include "icct/env/make_environment.h"
#include "icct/env/traffic.h"

namespace icct {
namespace {

// Memory of this process, in bytes.
std::int64_t resident_bytes() {
  std::int64_t whole = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

// Short episodes of random actions, so that resets dominate.
void play(Environment& environment, Rng& rng, int episodes) {
  std::vector<double> x(environment.observations().size());
  std::vector<double> action(environment.actions().size());
  for (int i = 0; i < episodes; ++i) {
    environment.reset(static_cast<std::uint64_t>(i), x);
    for (int step = 0; step < 10; ++step) {
      for (std::size_t a = 0; a < action.size(); ++a)
        action[a] = rng.uniform(environment.actions()[a].lower, environment.actions()[a].upper);
      const Step result = environment.step(action, x);
      if (result.terminated || result.truncated) break;
    }
  }
}

class Leak : public testing::TestWithParam<std::string> {};

TEST_P(Leak, MemoryIsFlatOverTenThousandEpisodes) {
  const std::unique_ptr<Environment> environment = make_environment(GetParam());
  Rng rng(1);
  play(*environment, rng, 1'000);
  const std::int64_t before = resident_bytes();
  play(*environment, rng, 10'000);
  EXPECT_LT(resident_bytes() - before, 256 * 1024);
}

// Traffic lives in another process, and its steps are slow: benchmarks/traffic.cc looks after it.
std::vector<std::string> environments_of_this_process() {
  std::vector<std::string> names = environment_names();
  std::erase_if(names, is_traffic);
  return names;
}

INSTANTIATE_TEST_SUITE_P(AllEnvironments, Leak, testing::ValuesIn(environments_of_this_process()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace icct
