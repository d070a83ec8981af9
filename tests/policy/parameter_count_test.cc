#include "icct/policy/parameter_count.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace icct {
namespace {

struct Domain {
  std::string_view name;
  int m;
  int d_a;
};

constexpr std::array<Domain, 6> kDomains = {{{"inverted pendulum", 4, 1},
                                             {"lunar lander", 8, 2},
                                             {"lane keeping", 12, 1},
                                             {"single-lane ring", 44, 1},
                                             {"multi-lane ring", 66, 2},
                                             {"figure-8", 28, 1}}};
constexpr Domain kMultiLaneRing = kDomains[4];
constexpr Domain kI94 = {"I-94", 19, 2};

struct Printed {
  int leaves;
  int count;
};

// Table 1, in the order of the domains above.
using Row = std::array<Printed, 6>;

// clang-format off
const Row kDt            = {{{256,766}, {256,1022}, {256,766}, {32,94},   {256,1022}, {256,766}}};
const Row kDtDagger      = {{{32,94},   {32,126},   {16,46},   {16,46},   {31,122},   {16,46}}};
const Row kCddtCrisp     = {{{2,5},     {8,37},     {16,61},   {16,61},   {16,77},    {16,61}}};
const Row kIcctStatic    = {{{32,125},  {32,157},   {16,61},   {16,61},   {16,77},    {16,61}}};
const Row kIcct1         = {{{8,45},    {8,69},     {16,93},   {16,93},   {16,141},   {16,93}}};
const Row kIcct2         = {{{4,29},    {8,101},    {16,125},  {16,125},  {16,205},   {16,125}}};
const Row kIcct3         = {{{2,17},    {8,133},    {16,157},  {16,157},  {16,269},   {16,157}}};
const Row kIcctL1        = {{{4,29},    {8,165},    {16,253},  {16,765},  {16,2189},  {16,509}}};
const Row kIcctComplete  = {{{2,13},    {8,165},    {16,253},  {16,765},  {16,2189},  {16,509}}};
const Row kCddtCtrlCrisp = {{{2,13},    {8,165},    {16,253},  {16,765},  {16,2189},  {16,509}}};
const Row kCddt          = {{{2,8},     {8,86},     {16,226},  {16,706},  {16,1036},  {16,466}}};
const Row kCddtControl   = {{{2,16},    {8,214},    {16,418},  {16,1410}, {16,2092},  {16,914}}};

constexpr std::array<int, 6> kMlpLower = {79, 110, 127, 151, 221, 103};
constexpr std::array<int, 6> kMlpUpper = {121, 222, 407, 709, 3266, 1021};
constexpr std::array<int, 6> kMlpMax   = {67329, 68610, 69377, 77569, 83458, 73473};
// clang-format on

TreeOptions options(const Domain& domain, int leaves, NodeKind nodes, LeafKind leaf, int e = 0) {
  TreeOptions o;
  o.observations = domain.m;
  o.actions = domain.d_a;
  o.leaves = leaves;
  o.features = e;
  o.nodes = nodes;
  o.leaf = leaf;
  return o;
}

template <class Count>
void expect_row(const Row& row, const Count& count) {
  for (std::size_t i = 0; i < row.size(); ++i)
    EXPECT_EQ(count(kDomains[i], row[i].leaves), row[i].count) << kDomains[i].name;
}

void expect_icct_row(const Row& row, LeafKind leaf, int e = 0) {
  expect_row(row, [&](const Domain& domain, int leaves) {
    return count_parameters(options(domain, leaves, NodeKind::Crisp, leaf, e));
  });
}

void expect_crisp_cddt_row(const Row& row, LeafKind leaf) {
  expect_row(row, [&](const Domain& domain, int leaves) {
    return count_crisp_parameters(options(domain, leaves, NodeKind::Soft, leaf));
  });
}

TEST(Table1, CountsDecisionTrees) {
  const auto count = [](const Domain& domain, int leaves) {
    return count_cart_parameters(leaves, domain.d_a);
  };
  expect_row(kDt, count);
  expect_row(kDtDagger, count);
}

TEST(Table1, CountsIcctsOfEveryLeafKind) {
  expect_icct_row(kIcctStatic, LeafKind::Static);
  expect_icct_row(kIcct1, LeafKind::Sparse, 1);
  expect_icct_row(kIcct2, LeafKind::Sparse, 2);
  expect_icct_row(kIcct3, LeafKind::Sparse, 3);
  expect_icct_row(kIcctL1, LeafKind::Complete);
  expect_icct_row(kIcctComplete, LeafKind::Complete);
}

TEST(Table1, CountsCddtsAfterConversion) {
  expect_crisp_cddt_row(kCddtCrisp, LeafKind::Static);
  expect_crisp_cddt_row(kCddtCtrlCrisp, LeafKind::Complete);
}

// On the multi-lane ring, with its two actions, the paper prints the counts of one action.
int cddt_actions(const Domain& domain) {
  return domain.name == kMultiLaneRing.name ? 1 : domain.d_a;
}

TEST(Table1, CountsCddts) {
  for (const auto& [row, leaf] :
       {std::pair{kCddt, LeafKind::Static}, {kCddtControl, LeafKind::Complete}}) {
    expect_row(row, [leaf = leaf](Domain domain, int leaves) {
      domain.d_a = cddt_actions(domain);
      return count_parameters(options(domain, leaves, NodeKind::Soft, leaf));
    });
  }
}

TEST(Table1, PrintsFewerCddtParametersOnTheMultiLaneRingThanItsFormulaGives) {
  const auto formula = [](LeafKind leaf) {
    return count_parameters(options(kMultiLaneRing, 16, NodeKind::Soft, leaf));
  };
  EXPECT_EQ(formula(LeafKind::Static), (66 + 2) * 15 + 2 * 16);
  EXPECT_EQ(formula(LeafKind::Complete), (66 + 2) * 15 + (66 + 1) * 2 * 16);
  EXPECT_NE(formula(LeafKind::Static), kCddt[4].count);
  EXPECT_NE(formula(LeafKind::Complete), kCddtControl[4].count);
}

int count_mlp(MlpSize size, const Domain& domain) {
  std::vector<int> sizes =
      hidden_layers(size, options(domain, 8, NodeKind::Crisp, LeafKind::Sparse, 2));
  sizes.insert(sizes.begin(), domain.m);
  sizes.push_back(domain.d_a);
  return count_mlp_parameters(sizes);
}

TEST(Table1, CountsNetworks) {
  for (std::size_t i = 0; i < kDomains.size(); ++i) {
    EXPECT_EQ(count_mlp(MlpSize::Lower, kDomains[i]), kMlpLower[i]) << kDomains[i].name;
    EXPECT_EQ(count_mlp(MlpSize::Upper, kDomains[i]), kMlpUpper[i]) << kDomains[i].name;
    EXPECT_EQ(count_mlp(MlpSize::Max, kDomains[i]), kMlpMax[i]) << kDomains[i].name;
  }
}

TEST(I94Table, CountsIcctsAndNetworks) {
  const auto icct = [](int leaves, int e) {
    return count_parameters(options(kI94, leaves, NodeKind::Crisp, LeafKind::Sparse, e));
  };
  EXPECT_EQ(icct(2, 1), 15);
  EXPECT_EQ(icct(2, 2), 23);
  EXPECT_EQ(icct(4, 1), 33);
  EXPECT_EQ(icct(4, 2), 49);
  EXPECT_EQ(icct(8, 1), 69);
  EXPECT_EQ(count_mlp(MlpSize::Lower, kI94), 46);
  EXPECT_EQ(count_mlp(MlpSize::Upper, kI94), 862);
  EXPECT_EQ(count_mlp(MlpSize::Max, kI94), 71426);
}

// 10 observations and 3 actions are in no table.
TEST(HiddenLayers, ComeAsCloseToTheTreeAsTwoEqualLayersCan) {
  const Domain elsewhere = {"elsewhere", 10, 3};
  const TreeOptions tree = options(elsewhere, 8, NodeKind::Crisp, LeafKind::Sparse, 2);
  const auto learnable = static_cast<int>(FuzzyTree<float>(tree).parameters().size());
  for (const auto& [size, target] :
       {std::pair{MlpSize::Lower, count_parameters(tree)}, {MlpSize::Upper, learnable}}) {
    const std::vector<int> layers = hidden_layers(size, tree);
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[0], layers[1]);
    const auto distance = [target = target](int width) {
      return std::abs(count_mlp_parameters({10, width, width, 3}) - target);
    };
    for (int width = 1; width < 100; ++width) EXPECT_LE(distance(layers[0]), distance(width));
  }
  EXPECT_EQ(hidden_layers(MlpSize::Max, tree), (std::vector<int>{256, 256}));
}

TEST(CountPolicy, CountsSplitsAndTheControllersAsTheyStand) {
  Policy policy;
  policy.observations = numbered_space("x", 3);
  policy.actions = numbered_space("a", 2);
  const Controller constant, one{.terms = {{1, 2}}}, two{.terms = {{0, 1}, {2, 1}}},
      all{.terms = {{0, 1}, {1, 1}, {2, 1}}};
  policy.controller = make_split(0, 1, make_leaf({constant, one}), make_leaf({two, all}));
  EXPECT_EQ(count_parameters(policy), 3 + 1 + 3 + 5 + 4);
  policy.controller = make_leaf({constant, constant});
  EXPECT_EQ(count_parameters(policy), 2);
  policy.controller = Mlp<double>({3, 5, 2});
  EXPECT_EQ(count_parameters(policy), 4 * 5 + 6 * 2);
}

}  // namespace
}  // namespace icct
