#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "icct/policy/policy.h"
#include "icct/tree/batched_tree.h"
#include "icct/tree/crispify.h"

// Every allocation of this program passes here. Not inlined, or GCC sees free() meet new and warns.
namespace {
long allocations = 0;

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace icct {
namespace {

template <class Action>
long allocations_of(const Action& action) {
  const long before = allocations;
  action();
  return allocations - before;
}

template <class T>
FuzzyTree<T> random_tree(NodeKind nodes, LeafKind leaf) {
  TreeOptions o;
  o.observations = 6;
  o.actions = 2;
  o.leaves = 16;
  o.nodes = nodes;
  o.leaf = leaf;
  FuzzyTree<T> tree(o);
  Rng rng(1);
  for (T& value : tree.parameters()) value = static_cast<T>(rng.normal());
  return tree;
}

template <class T>
void expect_passes_without_allocation(NodeKind nodes, LeafKind leaf, bool noisy) {
  const int batch = 32;
  const FuzzyTree<T> tree = random_tree<T>(nodes, leaf);
  BatchedTree<T> pass(tree.options(), batch);
  std::vector<T> x(batch * 6, T(0.5)), d_x(batch * 6), mean(batch * 2), log_std(batch * 2);
  std::vector<T> ones(batch * 2, T(1)), gradient(tree.parameters().size()), probabilities(16);
  GumbelNoise<T> noise;
  Rng rng(2);
  draw_gumbel_noise(tree.options(), batch, rng, noise);
  const long count = allocations_of([&] {
    for (const int rows : {batch, 1, batch}) {
      pass.forward(tree, {x.data(), rows, 6}, {mean.data(), rows, 2}, {log_std.data(), rows, 2},
                   noisy ? &noise : nullptr);
      pass.backward(tree, {ones.data(), rows, 2}, {ones.data(), rows, 2}, gradient,
                    {d_x.data(), rows, 6});
      pass.leaf_probabilities(probabilities);
    }
  });
  EXPECT_EQ(count, 0) << "nodes " << int(nodes) << " leaf " << int(leaf) << " noisy " << noisy;
}

TEST(Allocation, IsCounted) {
  EXPECT_EQ(allocations_of([] { std::vector<int> one(100, 1); }), 1);
}

TEST(BatchedTree, PassesOverABatchAllocateNothing) {
  for (const auto nodes : {NodeKind::Crisp, NodeKind::Soft})
    for (const auto leaf : {LeafKind::Static, LeafKind::Sparse, LeafKind::Complete})
      for (const bool noisy : {false, true}) {
        expect_passes_without_allocation<float>(nodes, leaf, noisy);
        expect_passes_without_allocation<double>(nodes, leaf, noisy);
      }
}

TEST(Act, AllocatesNothingOnATreePolicy) {
  for (const auto leaf : {LeafKind::Static, LeafKind::Sparse, LeafKind::Complete}) {
    Policy policy;
    policy.observations = numbered_space("x", 6);
    policy.actions = {{.name = "a", .unit = "", .lower = -1, .upper = 1},
                      {.name = "b", .unit = "", .lower = 0, .upper = 5}};
    policy.controller = crispify(random_tree<double>(NodeKind::Crisp, leaf));
    policy.safe_action = std::vector<double>{0, 0};
    validate(policy);
    std::vector<double> x(6, 0.25), action(2), invalid(6, std::nan(""));
    for (const auto squashing : {Squashing::Tanh, Squashing::Clip}) {
      policy.squashing = squashing;
      EXPECT_EQ(allocations_of([&] { act(policy, x, action); }), 0);
      EXPECT_EQ(allocations_of([&] { act(policy, invalid, action); }), 0);
    }
  }
}

}  // namespace
}  // namespace icct
