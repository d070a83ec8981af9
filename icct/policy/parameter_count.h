#pragma once

#include <vector>

#include "icct/policy/policy.h"
#include "icct/tree/fuzzy_tree.h"

namespace icct {

// Active parameters as the paper counts them (section 8.1). N_l leaves, m observations, d_a
// actions, e features.

// ICCT of any leaf kind: 3 per node (feature, sign, threshold), per leaf and action 1 (static), 2 e
// + 1 (sparse) or m + 1 (complete, L1-sparse). CDDT: m + 2 per node instead.
int count_parameters(const TreeOptions& options);

// CDDT after conversion to a crisp tree.
int count_crisp_parameters(const TreeOptions& options);

// A CART tree: 2 per node (feature, threshold), 1 per leaf and action.
int count_cart_parameters(int leaves, int actions);

// All weights and biases; of a Gaussian policy network the mean head only.
int count_mlp_parameters(const std::vector<int>& sizes);

// The same for a policy as it stands, pruned or edited: 3 per split, per leaf and action 1 with no
// term, m + 1 with all features, else 2 e + 1.
int count_parameters(const Policy& policy);

// The three network sizes of the paper: about as many parameters as the tree's active ones (Lower),
// as all its learnable ones (Upper), and the size usual in deep reinforcement learning (Max).
enum class MlpSize { Lower, Upper, Max };

// Hidden layers: those of the paper for the observations and actions of its seven domains with
// network sizes. Elsewhere Max is 256, 256, and the others two equal layers whose count comes
// closest to that of `tree`.
std::vector<int> hidden_layers(MlpSize size, const TreeOptions& tree);

}  // namespace icct
