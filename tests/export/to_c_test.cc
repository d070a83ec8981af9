#include "icct/export/to_c.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "icct/base/rng.h"
#include "icct/policy/policy_file.h"
#include "tests/complaint.h"
#include "tests/temporary_folder.h"

namespace icct {
namespace {

using testing::HasSubstr;

// The exported function, compiled with every warning an error and loaded.
template <class Real>
class Compiled {
 public:
  explicit Compiled(const Policy& policy, const std::string& compiler = "gcc") {
    const CSource c = to_c(policy, "exported", std::is_same_v<Real, float>);
    std::ofstream(folder_ / "exported.h") << c.header;
    std::ofstream(folder_ / "exported.c") << c.source;
    const std::string base = folder_.path() / "exported";
    const std::string command =
        compiler +
        " -std=c99 -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion"
        " -Wdouble-promotion -Werror -shared -fPIC -o " +
        base + ".so " + base + ".c";
    if (std::system(command.c_str()) != 0) return;
    library_ = ::dlopen((base + ".so").c_str(), RTLD_NOW);
    if (library_ != nullptr)
      act_ = reinterpret_cast<int (*)(const Real*, Real*)>(::dlsym(library_, "exported_act"));
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() {
    if (library_ != nullptr) ::dlclose(library_);
  }

  bool works() const { return act_ != nullptr; }
  int operator()(const std::vector<Real>& x, std::vector<Real>& action) const {
    return act_(x.data(), action.data());
  }

 private:
  TemporaryFolder folder_;
  void* library_ = nullptr;
  int (*act_)(const Real*, Real*) = nullptr;
};

Policy example(const std::string& name) {
  return load_policy(std::string(ICCT_SOURCE_DIR "/examples/policies/") + name + ".json");
}

// Mostly moderate, sometimes a threshold or its neighbour, sometimes anything finite.
std::vector<double> awkward(const Policy& policy, Rng& rng) {
  std::vector<double> x(policy.observations.size());
  for (double& value : x) {
    value = rng.normal();
    if (rng.below(20) == 0) value = std::ldexp(rng.normal(), rng.below(2000) - 1000);
  }
  const Tree& tree = tree_of(policy);
  if (!tree.splits.empty() && rng.below(2) == 0) {
    const Split& split =
        tree.splits[static_cast<std::size_t>(rng.below(static_cast<int>(tree.splits.size())))];
    const double far[] = {split.threshold, -HUGE_VAL, HUGE_VAL};
    const double to = far[rng.below(3)];
    x[static_cast<std::size_t>(split.feature)] = std::nextafter(split.threshold, to);
  }
  return x;
}

class ToC : public testing::TestWithParam<std::string> {};

TEST_P(ToC, InDoubleGivesTheBitsOfAct) {
  const Policy policy = example(GetParam());
  for (const char* compiler : {"gcc", "clang"}) {
    const Compiled<double> exported(policy, compiler);
    ASSERT_TRUE(exported.works()) << compiler;
    Rng rng(1);
    std::vector<double> action(policy.actions.size());
    for (int i = 0; i < 1'000'000; ++i) {
      const std::vector<double> x = awkward(policy, rng);
      ASSERT_EQ(exported(x, action), 0);
      ASSERT_EQ(action, act(policy, x)) << compiler << ", observation " << i;
    }
  }
}

TEST_P(ToC, InSinglePrecisionIsNear) {
  const Policy policy = example(GetParam());
  const Compiled<float> exported(policy);
  ASSERT_TRUE(exported.works());
  Rng rng(2);
  std::vector<float> action(policy.actions.size());
  int far = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::vector<float> x;
    for (std::size_t k = 0; k < policy.observations.size(); ++k)
      x.push_back(static_cast<float>(rng.normal()));
    ASSERT_EQ(exported(x, action), 0);
    const std::vector<double> exact = act(policy, std::vector<double>(x.begin(), x.end()));
    for (std::size_t a = 0; a < action.size(); ++a) {
      const double span = policy.actions[a].upper - policy.actions[a].lower;
      far += std::abs(static_cast<double>(action[a]) - exact[a]) > 1e-5 * span ? 1 : 0;
    }
  }
  EXPECT_LE(far, 2) << "only where a threshold, rounded, lies between";
}

INSTANTIATE_TEST_SUITE_P(Examples, ToC,
                         testing::Values("lunar_lander", "inverted_pendulum", "near_human"),
                         [](const auto& name) { return name.param; });

TEST(ToC, AnswersInvalidObservationsAsThePolicySays) {
  Policy policy = example("near_human");
  std::vector<double> action = {7};
  const Compiled<double> safe(policy);
  EXPECT_EQ(safe({1, NAN, 1}, action), 1);
  EXPECT_EQ(action[0], -8);
  policy.safe_action.reset();
  action = {7};
  const Compiled<double> strict(policy);
  EXPECT_EQ(strict({HUGE_VAL, 0, 1}, action), 1);
  EXPECT_EQ(action[0], 7) << "untouched";
  EXPECT_EQ(strict({1, 0, 1}, action), 0);
  EXPECT_NE(action[0], 7);
}

TEST(ToC, SurvivesOddNames) {
  Policy policy = example("near_human");
  policy.name = "*/ int main; // @N \\";
  policy.observations[0].name = "while";
  policy.observations[1].name = "speed (m/s) */";
  policy.observations[2].name = "Größe @R";
  policy.actions[0].name = "1";
  std::get<Tree>(policy.controller).leaves[0].name = "*/ x @P /*";
  const Compiled<double> exported(policy);
  ASSERT_TRUE(exported.works());
  EXPECT_THAT(to_c(policy, "p", false).header, HasSubstr("P_OBSERVATION_WHILE_VALUE = 0"));
}

TEST(ToC, RefusesTreesThatCompilersCannotNest) {
  Policy policy = example("near_human");
  Tree tree = make_leaf({{.bias = 0}});
  for (int i = 0; i < 101; ++i) tree = make_split(0, i, make_leaf({{.bias = 1}}), tree);
  policy.controller = tree;
  EXPECT_THAT(complaint([&] { to_c(policy, "p", false); }), HasSubstr("101 decisions deep"));
}

}  // namespace
}  // namespace icct
