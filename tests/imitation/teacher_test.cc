#include "icct/imitation/teacher.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "icct/base/rng.h"
#include "icct/export/to_c.h"
#include "icct/policy/policy_file.h"
#include "tests/complaint.h"
#include "tests/temporary_folder.h"
#include "tests/tracking_environment.h"

namespace icct {
namespace {

Policy example() {
  return tracking_policy(
      make_split(0, 1.5, make_leaf({{0.25, {{0, 0.01}}}}), make_leaf({{.bias = -0.5}})));
}

// Compiles C source into a shared library in the folder.
void compile(const TemporaryFolder& folder, const std::string& name, const std::string& source) {
  std::ofstream(folder / (name + ".c")) << source;
  const std::string base = (folder / name).string();
  ASSERT_EQ(
      std::system(("cc -ffp-contract=off -shared -fPIC -o " + base + ".so " + base + ".c").c_str()),
      0);
}

std::string complaint_of(const std::string& path) {
  return complaint([&] { load_teacher(path, 0, Tracking()); });
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

TEST(LoadTeacher, AnExportedFunctionActsAsThePolicyItCameFrom) {
  const TemporaryFolder folder;
  const CSource c = to_c(example(), "example", false);
  std::ofstream(folder / "example.h") << c.header;
  compile(folder, "example", c.source);
  save_policy(example(), folder / "policy.json");
  const auto policy = load_teacher((folder / "policy.json").string(), 0, Tracking());
  const auto by_file_name = load_teacher((folder / "example.so").string(), 0, Tracking());
  const auto by_name =
      load_teacher((folder / "example.so").string() + ":example_act", 0, Tracking());
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> x = {i == 0 ? 1.5 : rng.uniform(-50, 50)};
    std::vector<double> expected(1), action(1);
    policy->act(x, expected);
    by_file_name->act(x, action);
    EXPECT_EQ(action, expected);
    by_name->act(x, action);
    EXPECT_EQ(action, expected);
  }
}

TEST(LoadTeacher, FindsThePolicyOfARunAndOfASeed) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "several/seed2");
  std::filesystem::create_directories(folder / "one");
  save_policy(example(), folder / "several/seed2/policy.json");
  save_policy(example(), folder / "one/policy.json");
  EXPECT_NO_THROW(load_teacher((folder / "several").string(), 2, Tracking()));
  EXPECT_NO_THROW(load_teacher((folder / "one").string(), 7, Tracking()));
  expect_in(complaint([&] { load_teacher((folder / "several").string(), 1, Tracking()); }),
            "neither policy.json nor seed1/policy.json");
}

TEST(LoadTeacher, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  save_policy(example(), folder / "policy.json");
  expect_in(complaint([&] { load_teacher((folder / "policy.json").string(), 0, Tracking(true)); }),
            "has 1 observations, but tracking has 2");
  expect_in(complaint_of((folder / "none.json").string()), "none.json");
  expect_in(complaint_of((folder / "none.so").string()), "none.so");
  std::ofstream(folder / "text.so") << "not a library";
  expect_in(complaint_of((folder / "text.so").string()), "text.so: cannot load");
  compile(folder, "other", "int something(const double* x, double* a) { a[0] = x[0]; return 0; }");
  expect_in(complaint_of((folder / "other.so").string()), "has no function 'other_act'");
  EXPECT_EQ(complaint_of((folder / "other.so").string() + ":something"), "none");
}

TEST(LoadTeacher, ALibraryForAnotherEnvironmentIsRefused) {
  const TemporaryFolder folder;
  compile(folder, "more",
          "int two_actions(const double* x, double* a) { a[0] = a[1] = x[0]; return 0; }\n"
          "int checks_two(const double* x, double* a) { a[0] = 0; return x[1] != x[1]; }\n"
          "int fails(const double* x, double* a) { a[0] = 0; return x[0] > 1 ? 7 : 0; }");
  const std::string file = (folder / "more.so").string();
  expect_in(complaint_of(file + ":two_actions"), "gives more actions than the 1 of tracking");
  expect_in(complaint_of(file + ":checks_two"), "reads more observations than the 1 of tracking");
  std::vector<double> action(1);
  const auto fails = load_teacher(file + ":fails", 0, Tracking());
  expect_in(complaint([&] { fails->act(std::vector{2.0}, action); }), "returned 7 instead of 0");
}

TEST(LoadTeacher, ALibraryThatFailsIsRefused) {
  const TemporaryFolder folder;
  compile(folder, "fails", "int fails_act(const double* x, double* a) { a[0] = x[0]; return 7; }");
  expect_in(complaint_of((folder / "fails.so").string()),
            "fails.so:fails_act: returned 7 instead of 0");
}

TEST(LoadTeacher, ALibraryMayNotGiveHalfAnAction) {
  const TemporaryFolder folder;
  compile(folder, "single",
          "int single_act(const float* x, float* a) { a[0] = x[0] > 0; return 0; }\n"
          "int wide(const double* x, double* a) { a[0] = 7 * x[0]; return 0; }");
  std::vector<double> action(1);
  expect_in(complaint_of((folder / "single.so").string()),
            "single.so:single_act: gave no finite 'a'; it must take and write doubles");
  const auto wide = load_teacher((folder / "single.so").string() + ":wide", 0, Tracking());
  wide->act(std::vector{1.0}, action);
  EXPECT_EQ(action[0], 1);  // the bound
}

}  // namespace
}  // namespace icct
