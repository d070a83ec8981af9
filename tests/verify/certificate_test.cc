#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "icct/base/json.h"
#include "icct/policy/policy_file.h"
#include "icct/verify/verify.h"
#include "tests/temporary_folder.h"
#include "tests/verify/random_question.h"

namespace icct {
namespace {

// Runs tools/check_certificate, which shares no code with the library.
bool accepted(const TemporaryFolder& folder, const Policy& policy, const std::string& text) {
  const std::string policy_path = folder.path() / "policy.json";
  const std::string path = folder.path() / "certificate.json";
  save_policy(policy, policy_path);
  std::ofstream(path) << text;
  const std::string command = "python3 " ICCT_SOURCE_DIR "/tools/check_certificate '" +
                              policy_path + "' '" + path + "' > /dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

struct Proven {
  Policy policy;
  Property property;
  Proof proof;
};

// A random property that a random policy keeps, with a proof that reaches at least one leaf.
Proven random_proven(Rng& rng) {
  for (;;) {
    const int observations = 1 + rng.below(4), actions = 1 + rng.below(2);
    Proven result{random_policy(rng, 1 + rng.below(8), observations, actions),
                  random_property(rng, observations, actions),
                  {}};
    Verdict verdict = verify(result.policy, result.property, random_box(rng, observations),
                             {.effort = 200, .keep_proof = true});
    if (verdict.answer != Answer::Proven || verdict.proof.cases[0].leaves.empty()) continue;
    result.proof = std::move(verdict.proof);
    return result;
  }
}

bool has_split(const Reason& reason) {
  return !reason.halves.empty();
}

TEST(Certificate, IsAcceptedByAProgramThatSharesNoCode) {
  const TemporaryFolder folder;
  Rng rng(1);
  int added = 0, split = 0;
  for (int i = 0; i < 30 || added < 3 || split < 3; ++i) {
    ASSERT_LT(i, 5'000);
    const Proven proven = random_proven(rng);
    const Reason& first = proven.proof.cases[0].reasons[0];
    const bool rare = !first.multipliers.empty() || has_split(first);
    if (i >= 30 && !rare) continue;
    added += first.multipliers.empty() ? 0 : 1;
    split += has_split(first) ? 1 : 0;
    ASSERT_TRUE(accepted(folder, proven.policy, certificate(proven.property, proven.proof))) << i;
  }
}

TEST(Certificate, IsRefusedForAPolicyThatBreaksTheProperty) {
  const TemporaryFolder folder;
  Policy policy;
  policy.observations = {{"gap", ""}};
  policy.actions = {{"speed", "", -10, 10}};
  policy.squashing = Squashing::Clip;
  policy.controller = make_split(0, 5, make_leaf({{.bias = 9}}), make_leaf({{.bias = 1}}));
  const Property property{.violations = {{{.observations = {{0, 1}}, .bound = 5, .strict = true},
                                          {.actions = {{0, -1}}, .bound = -2, .strict = true}}}};
  const Verdict verdict = verify(policy, property, whole_box(1), {.keep_proof = true});
  ASSERT_EQ(verdict.answer, Answer::Proven);
  const std::string text = certificate(property, verdict.proof);
  EXPECT_TRUE(accepted(folder, policy, text));
  std::get<Tree>(policy.controller).leaves[1].controllers[0].bias = 2.5;
  EXPECT_FALSE(accepted(folder, policy, text)) << "the leaf is too fast";
  std::get<Tree>(policy.controller).leaves[1].controllers[0].bias = 1;
  std::get<Tree>(policy.controller).splits[0].threshold = 4;
  EXPECT_FALSE(accepted(folder, policy, text)) << "the fast leaf is reached";
}

TEST(Certificate, IsRefusedWithALeafLeftOutOrAWrongReason) {
  const TemporaryFolder folder;
  Rng rng(2);
  const Proven proven = random_proven(rng);
  Proof shorter = proven.proof;
  shorter.cases[0].leaves.pop_back();
  shorter.cases[0].reasons.pop_back();
  EXPECT_FALSE(accepted(folder, proven.policy, certificate(proven.property, shorter)));
  Proof wrong = proven.proof;
  wrong.cases[0].reasons[0] =
      Reason{.multipliers = std::vector<double>(proven.property.violations[0].size(), 0.0)};
  EXPECT_FALSE(accepted(folder, proven.policy, certificate(proven.property, wrong)));
}

}  // namespace
}  // namespace icct
