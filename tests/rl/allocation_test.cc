// No update may allocate: counts every operator new of this program.

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "icct/rl/mlp_actor.h"
#include "icct/rl/sac.h"
#include "icct/rl/td3.h"
#include "icct/rl/tree_actor.h"
#include "icct/tree/initialise.h"
#include "tests/rl/random_batch.h"

namespace {

std::atomic<long> allocations = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Weak, because the thread sanitizer brings its own; not inlined, or GCC sees free() meet new and
// warns.
[[gnu::weak, gnu::noinline]] void* operator new(std::size_t size) {
  return allocate(size, alignof(std::max_align_t));
}
[[gnu::weak, gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::weak, gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::weak, gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::weak, gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::weak, gnu::noinline]] void operator delete(void* memory, std::size_t,
                                                  std::align_val_t) noexcept {
  std::free(memory);
}

namespace icct {
namespace {

constexpr int kBatch = 64;  // with these sizes large enough to be shared by two threads

std::unique_ptr<Actor<float>> make_actor(bool is_mlp, bool gumbel, Rng& rng) {
  if (is_mlp) {
    auto actor = std::make_unique<MlpActor<float>>(4, std::vector{128, 128}, 2, kBatch);
    initialise(actor->network(), rng);
    return actor;
  }
  TreeOptions options;
  options.observations = 4;
  options.actions = 2;
  FuzzyTree<float> tree(options);
  initialise_published(tree, rng);
  TreeActorOptions more;
  more.gumbel = gumbel;
  return std::make_unique<TreeActor<float>>(std::move(tree), kBatch, more);
}

bool is_counting() {
  const long before = allocations;
  ::operator delete(::operator new(1));
  return allocations > before;
}

// Sampling, updating and exploring, after one round in which buffers may still grow.
template <class Algorithm>
void expect_no_allocation(Algorithm& algorithm, Rng& rng) {
  ReplayBuffer replay(100, 4, 2);
  const std::vector<double> x = {1, 2, 3, 4};
  std::vector<double> action = {0.5, -0.5};
  Batch batch(kBatch, 4, 2);
  long before = 0;
  for (int round = 0; round < 10; ++round) {
    if (round == 1) before = allocations;
    replay.add({x, action, 1, x, false});
    replay.sample(rng, batch);
    algorithm.update(batch, rng);
    algorithm.explore(x, rng, action);
  }
  EXPECT_EQ(allocations - before, 0);
}

TEST(Allocation, NoSacUpdateAllocates) {
  if (!is_counting()) GTEST_SKIP() << "a sanitizer's operator new is in charge";
  for (const int threads : {1, 2}) {
    for (const auto& [is_mlp, gumbel] :
         {std::pair{false, false}, std::pair{false, true}, std::pair{true, false}}) {
      Rng rng(1);
      const auto actor = make_actor(is_mlp, gumbel, rng);
      SacOptions sac_options;
      sac_options.batch_size = kBatch;
      sac_options.critic_hidden = {128, 128};
      sac_options.threads = threads;
      sac_options.actor_average = 0.9;
      Sac sac(*actor, sac_options, rng);
      expect_no_allocation(sac, rng);
    }
  }
}

TEST(Allocation, NoTd3UpdateAllocates) {
  if (!is_counting()) GTEST_SKIP() << "a sanitizer's operator new is in charge";
  Rng rng(1);
  const auto actor = make_actor(true, false, rng);
  Td3Options options;
  options.batch_size = kBatch;
  options.critic_hidden = {128, 128};
  Td3 td3(*actor, options, rng);
  expect_no_allocation(td3, rng);
}

}  // namespace
}  // namespace icct
