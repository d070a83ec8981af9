#include "icct/tree/fuzzy_tree.h"

#include <bit>
#include <type_traits>

#include "icct/base/check.h"
#include "icct/base/option_range.h"

namespace icct {
namespace {

constexpr int kMaxSize = 1 << 20;

std::size_t block_size(const ParameterBlock& block) {
  std::size_t size = 1;
  for (const int length : block.shape) size *= static_cast<std::size_t>(length);
  return size;
}

}  // namespace

void validate(const TreeOptions& o) {
  require_between("observations", o.observations, 1, kMaxSize);
  require_between("actions", o.actions, 1, kMaxSize);
  require_between("leaves", o.leaves, 1, kMaxSize);
  if (!std::has_single_bit(static_cast<unsigned>(o.leaves)))
    refuse_option("leaves", std::to_string(o.leaves), "a power of two");
  if (o.leaf == LeafKind::Sparse) require_between("features", o.features, 1, o.observations);
  require_positive("temperature", o.temperature, 1e6);
}

std::vector<ParameterBlock> parameter_blocks(const TreeOptions& o) {
  const int nodes = o.leaves - 1;
  const std::vector<int> per_feature = {o.leaves, o.actions, o.observations};
  const std::vector<int> per_action = {o.leaves, o.actions};
  std::vector<ParameterBlock> blocks = {{"node_weights", 0, {nodes, o.observations}},
                                        {"thresholds", 0, {nodes}},
                                        {"steepness", 0, {o.shared_steepness ? 1 : nodes}},
                                        {"log_std", 0, per_action}};
  if (o.leaf != LeafKind::Sparse) blocks.push_back({"leaf_bias", 0, per_action});
  if (o.leaf != LeafKind::Static) blocks.push_back({"gains", 0, per_feature});
  if (o.leaf == LeafKind::Sparse) {
    blocks.push_back({"selectors", 0, per_feature});
    blocks.push_back({"feature_biases", 0, per_feature});
  }
  std::size_t offset = 0;
  for (ParameterBlock& block : blocks) {
    block.offset = offset;
    offset += block_size(block);
  }
  return blocks;
}

template <class T>
TreeView<T>::TreeView(const TreeOptions& o, std::span<T> values)
    : values_(values),
      m_(o.observations),
      actions_(o.actions),
      shared_steepness_(o.shared_steepness) {
  const std::size_t nodes = index(o.leaves - 1);
  const std::size_t per_action = index(o.leaves) * index(o.actions);
  const std::size_t per_feature = per_action * index(o.observations);
  std::size_t end = 0;
  const auto take = [&end](std::size_t& start, std::size_t size) {
    start = end;
    end += size;
  };
  take(weights_, nodes * index(m_));
  take(thresholds_, nodes);
  take(steepness_, shared_steepness_ ? 1 : nodes);
  take(log_stds_, per_action);
  if (o.leaf != LeafKind::Sparse) take(biases_, per_action);
  if (o.leaf != LeafKind::Static) take(gains_, per_feature);
  if (o.leaf == LeafKind::Sparse) {
    take(selectors_, per_feature);
    take(feature_biases_, per_feature);
  }
  ICCT_CHECK(end == values.size());
}

template <class T>
FuzzyTree<T>::FuzzyTree(const TreeOptions& options) : options_(options) {
  validate(options);
  depth_ = std::bit_width(static_cast<unsigned>(options.leaves)) - 1;
  const ParameterBlock last = parameter_blocks(options).back();
  parameters_.resize(last.offset + block_size(last));
}

template class TreeView<float>;
template class TreeView<double>;
template class TreeView<const float>;
template class TreeView<const double>;
template class FuzzyTree<float>;
template class FuzzyTree<double>;

}  // namespace icct
