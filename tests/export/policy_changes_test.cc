#include "icct/export/policy_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "icct/policy/edit.h"
#include "tests/complaint.h"
#include "tests/export/outside.h"

namespace icct {
namespace {

using testing::HasSubstr;

Policy edited(const Policy& policy, const std::vector<std::string>& edits) {
  Policy result = policy;
  for (const std::string& edit : edits) apply_edit(result, edit);
  return result;
}

TEST(PolicyChanges, AreNoneForTheSame) {
  Policy other = example_policy("near_human");
  other.provenance.command = "somewhere else";
  EXPECT_TRUE(policy_changes(example_policy("near_human"), other).empty());
}

TEST(PolicyChanges, NameNumbersBeforeAndAfter) {
  const Policy policy = example_policy("near_human");
  const Policy after =
      edited(policy, {"alone.threshold = 4.5", "brisk.acceleration.bias=0.25",
                      "brisk.acceleration.gain.speed=-0.7", "stop.acceleration.gain.speed=0",
                      "stop.acceleration.gain.target_speed=1"});
  EXPECT_EQ(policy_changes(policy, after),
            (std::vector<std::string>{"alone: threshold 5 -> 4.5 m",
                                      "brisk, acceleration: bias 0 -> 0.25",
                                      "brisk, acceleration: gain of speed -0.6 -> -0.7",
                                      "stop, acceleration: no longer uses speed (gain -2)",
                                      "stop, acceleration: also uses target_speed (gain 1)"}));
}

TEST(PolicyChanges, NameWhatIsAskedInstead) {
  const Policy policy = example_policy("near_human");
  EXPECT_EQ(policy_changes(policy, edited(policy, {"close.observation=speed"})),
            (std::vector<std::string>{"close: distance_to_human <= 1 m -> speed <= 1 m/s"}));
}

TEST(PolicyChanges, TellOfStructureAndSurroundings) {
  const Policy policy = example_policy("near_human");
  Policy other = policy;
  other.name = "other";
  other.squashing = Squashing::Clip;
  other.safe_action.reset();
  other.actions[0].upper = 9;
  other.observations[2].name = "goal";
  std::get<Tree>(other.controller).leaves[1].name = "careful";
  const std::vector<std::string> changes = policy_changes(policy, other);
  for (const char* expected :
       {"name: 'Carriage beside people' -> 'other'", "observation 'target_speed' is gone",
        "observation 'goal' is new", "action 'acceleration': upper bound 8 -> 9",
        "squashing: tanh -> clip", "safe action: -8 -> none", "close, no: cautious -> careful",
        "cautious is gone", "careful is new"})
    EXPECT_NE(std::ranges::find(changes, expected), changes.end()) << expected;
}

TEST(ApplyEdit, RenamesAndKeepsThePolicyValid) {
  const Policy policy = example_policy("near_human");
  EXPECT_EQ(name_of(tree_of(edited(policy, {"stop.name=halt"})), {2, true}), "halt");
  EXPECT_EQ(edited(policy, {"alone.threshold=5"}), policy);
}

TEST(ApplyEdit, FindsNamesWithPoints) {
  Policy policy = example_policy("near_human");
  std::get<Tree>(policy.controller).splits[0].name = "a";
  std::get<Tree>(policy.controller).splits[1].name = "a.b";
  apply_edit(policy, "a.b.threshold=2");
  EXPECT_EQ(tree_of(policy).splits[1].threshold, 2);
}

TEST(ApplyEdit, ExplainsWhatItCannotDo) {
  Policy policy = example_policy("near_human");
  const auto complaint_of = [&](const std::string& edit) {
    return complaint([&] { apply_edit(policy, edit); });
  };
  EXPECT_THAT(complaint_of("alone.threshold"), HasSubstr("expected TARGET=VALUE"));
  EXPECT_THAT(complaint_of("node9.threshold=1"), HasSubstr("no node or leaf has this name"));
  EXPECT_THAT(complaint_of("alone.threshold=high"), HasSubstr("'high' is no finite number"));
  EXPECT_THAT(complaint_of("alone.threshold=inf"), HasSubstr("'inf' is no finite number"));
  EXPECT_THAT(complaint_of("alone.bias=1"), HasSubstr("a node has threshold, observation"));
  EXPECT_THAT(complaint_of("stop.braking.bias=1"), HasSubstr("the actions are acceleration"));
  EXPECT_THAT(complaint_of("stop.acceleration.gain.mood=1"), HasSubstr("no observation 'mood'"));
  EXPECT_THAT(complaint_of("stop.name=brisk"), HasSubstr("names must differ"));
  EXPECT_EQ(policy, example_policy("near_human")) << "as it was";
}

}  // namespace
}  // namespace icct
