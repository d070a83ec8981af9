#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "icct/env/make_environment.h"
#include "tests/env/quick_environments.h"

namespace {

long allocations = 0;

}  // namespace

// Every allocation of this program counts itself.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace icct {
namespace {

TEST(Step, AllocatesNothing) {
  for (const std::string& name : quick_environments()) {
    const auto environment = make_environment(name);
    std::vector<double> observation(environment->observations().size());
    const std::vector<double> action(environment->actions().size());
    environment->reset(1, observation);
    const long before = allocations;
    Step step;
    while (!step.terminated && !step.truncated) step = environment->step(action, observation);
    EXPECT_EQ(allocations, before) << name;
  }
}

}  // namespace
}  // namespace icct
