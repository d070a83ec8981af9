#pragma once

#include <memory>
#include <string>
#include <vector>

#include "icct/rl/mlp_actor.h"
#include "icct/rl/tree_actor.h"
#include "tests/golden_files.h"

// Reads the actors and critics of recorded SAC updates into our layout.

namespace icct {

inline TreeOptions read_tree_options(const Json& config) {
  const Json& ddt = config.at("ddt");
  TreeOptions options;
  options.observations = config.at("obs_dim").get<int>();
  options.actions = config.at("action_dim").get<int>();
  options.leaves = ddt.at("num_leaves").get<int>();
  options.features = ddt.at("num_sub_features").get<int>();
  options.nodes = ddt.at("hard_node").get<bool>() ? NodeKind::Crisp : NodeKind::Soft;
  const bool is_sparse = ddt.at("sparse_submodel_type").get<int>() == 2;
  options.leaf = is_sparse ? LeafKind::Sparse : LeafKind::Complete;
  if (!ddt.at("submodels").get<bool>()) options.leaf = LeafKind::Static;
  if (ddt.at("fs_submodel_version").get<int>() == 1)
    options.selector_gradient = SelectorGradient::Combined;
  options.shared_steepness = !ddt.at("use_individual_alpha").get<bool>();
  options.temperature = ddt.at("argmax_tau").get<double>();
  return options;
}

inline TreeActorOptions read_actor_options(const Json& config) {
  const Json& ddt = config.at("ddt");
  TreeActorOptions options;
  options.gumbel = ddt.at("use_gumbel_softmax").get<bool>();
  if (ddt.at("submodels").get<bool>() && ddt.at("sparse_submodel_type").get<int>() == 1)
    options.l1_coefficient = ddt.at("l1_reg_coeff").get<double>();
  options.l1_one_leaf = ddt.at("l1_hard_attn").get<bool>();
  return options;
}

// The numbers of the recorded block that our block of this name comes from.
inline std::vector<float> recorded_block(const TreeOptions& o, const Json& recorded,
                                         const std::string& name) {
  const auto read = [&recorded](const std::string& key) {
    return flatten<float>(recorded.at("ddt." + key));
  };
  if (name == "node_weights") return read("layers");
  if (name == "thresholds") return read("comparators");
  if (name == "steepness") return read("alpha");
  if (name == "log_std") return read("action_stds");
  if (name == "selectors") return read("sub_weights");
  if (name == "feature_biases") return read("sub_biases");
  if (o.leaf == LeafKind::Static) return read("action_mus");
  if (o.leaf == LeafKind::Sparse) return read("sub_scalars");
  std::vector<float> all;  // complete controllers, leaf by leaf
  for (int leaf = 0; leaf < o.leaves; ++leaf) {
    const std::string part = name == "gains" ? ".weight" : ".bias";
    const auto values = read("lin_models." + std::to_string(leaf) + part);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

// Parameters or gradients of a tree, laid out as ours.
inline std::vector<float> arrange_tree(const TreeOptions& o, const Json& recorded) {
  std::vector<float> all;
  for (const ParameterBlock& block : parameter_blocks(o)) {
    const auto values = recorded_block(o, recorded, block.name);
    EXPECT_EQ(all.size(), block.offset);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

// Parameters or gradients of layers, in the order of the names.
inline std::vector<float> arrange_layers(const Json& recorded,
                                         const std::vector<std::string>& names) {
  std::vector<float> all;
  for (const std::string& name : names) {
    for (const char* part : {".weight", ".bias"}) {
      const auto values = flatten<float>(recorded.at(name + part));
      all.insert(all.end(), values.begin(), values.end());
    }
  }
  return all;
}

// The two heads of a recorded network are one layer of ours.
inline std::vector<float> arrange_network(const Json& recorded) {
  std::vector<float> all = arrange_layers(recorded, {"latent_pi.0", "latent_pi.2"});
  for (const char* part : {"mu.weight", "log_std.weight", "mu.bias", "log_std.bias"}) {
    const auto values = flatten<float>(recorded.at(part));
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

inline bool is_tree(const Json& config) {
  return config.at("policy").get<std::string>() == "ddt";
}

inline std::vector<float> arrange_actor(const Json& config, const Json& recorded) {
  return is_tree(config) ? arrange_tree(read_tree_options(config), recorded)
                         : arrange_network(recorded);
}

inline std::unique_ptr<Actor<float>> make_actor(const Json& config) {
  const int batch = config.at("batch").get<int>();
  if (is_tree(config))
    return std::make_unique<TreeActor<float>>(FuzzyTree<float>(read_tree_options(config)), batch,
                                              read_actor_options(config));
  return std::make_unique<MlpActor<float>>(config.at("obs_dim").get<int>(),
                                           config.at("actor_hidden").get<std::vector<int>>(),
                                           config.at("action_dim").get<int>(), batch);
}

inline std::vector<float> arrange_critic(const Json& recorded, int critic) {
  const std::string name = "qf" + std::to_string(critic);
  return arrange_layers(recorded, {name + ".0", name + ".2", name + ".4"});
}

}  // namespace icct
