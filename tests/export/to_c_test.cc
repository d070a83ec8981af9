#include "icct/export/to_c.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/complaint.h"
#include "tests/export/outside.h"

namespace icct {
namespace {

using testing::HasSubstr;

// The exported function, compiled with every warning an error, linked without libm, and loaded.
template <class Real>
class Compiled {
 public:
  explicit Compiled(const Policy& policy, const std::string& compiler = "gcc")
      : Compiled(to_c(policy, "exported", std::is_same_v<Real, float>), compiler) {}

  bool works() const { return act_ != nullptr; }
  int operator()(const std::vector<Real>& x, std::vector<Real>& action) const {
    return act_(x.data(), action.data());
  }

 private:
  Compiled(const CSource& c, const std::string& compiler)
      : library_(compiler,
                 "-std=c99 -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion "
                 "-Wsign-conversion -Wdouble-promotion -Werror -nodefaultlibs -lc -Wl,-z,defs",
                 c.source, c.header),
        act_(library_.find<int(const Real*, Real*)>("exported_act")) {}

  SharedLibrary library_;
  int (*act_)(const Real*, Real*);
};

class ToC : public testing::TestWithParam<std::string> {};

TEST_P(ToC, InDoubleGivesTheBitsOfAct) {
  const Policy policy = example_policy(GetParam());
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
  const Policy policy = example_policy(GetParam());
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
  Policy policy = example_policy("near_human");
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
  const Compiled<double> exported(oddly_named());
  ASSERT_TRUE(exported.works());
  EXPECT_THAT(to_c(oddly_named(), "p", false).header, HasSubstr("P_OBSERVATION_WHILE_VALUE = 0"));
}

TEST(ToC, StatesTheWorstCase) {
  EXPECT_THAT(to_c(example_policy("near_human"), "p", false).header,
              HasSubstr("2 decisions; 18 comparisons with them, 17 multiplications, 17 additions, "
                        "1 divisions"));
}

TEST(ToC, IsCleanForCppcheckAndClangTidy) {
  for (const char* program : {"cppcheck", "clang-tidy"}) {
    if (!is_installed(program)) GTEST_SKIP() << program << " is not installed: NOT CHECKED";
  }
  const TemporaryFolder folder;
  int number = 0;
  for (const Policy& policy :
       {example_policy("lunar_lander"), example_policy("inverted_pendulum"), oddly_named()}) {
    for (const bool single : {false, true}) {
      const std::string name = "p" + std::to_string(number++);
      const CSource c = to_c(policy, name, single);
      std::ofstream(folder / (name + ".h")) << c.header;
      std::ofstream(folder / (name + ".c")) << c.source;
    }
  }
  const std::string files = (folder / "p*.c").string();
  EXPECT_EQ(output_of("cppcheck --quiet --std=c99 --enable=all --suppress=missingIncludeSystem "
                      "--suppress=unusedFunction " +
                      files),
            "");
  const std::string tidy = output_of(
      "clang-tidy --quiet --checks='-*,bugprone-*,-bugprone-easily-swappable-parameters,cert-*,"
      "clang-analyzer-*,misc-*,performance-*,portability-*' " +
      files + " -- -std=c99");
  EXPECT_EQ(tidy.find("warning:"), std::string::npos) << tidy;
  EXPECT_EQ(tidy.find("error:"), std::string::npos) << tidy;
}

TEST(ToC, RefusesTreesThatCompilersCannotNest) {
  Policy policy = example_policy("near_human");
  Tree tree = make_leaf({{.bias = 0}});
  for (int i = 0; i < 101; ++i) tree = make_split(0, i, make_leaf({{.bias = 1}}), tree);
  policy.controller = tree;
  EXPECT_THAT(complaint([&] { to_c(policy, "p", false); }), HasSubstr("101 decisions deep"));
}

}  // namespace
}  // namespace icct
