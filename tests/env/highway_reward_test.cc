#include "icct/env/sumo/highway_reward.h"

#include <gtest/gtest.h>

#include <cmath>

namespace icct {
namespace {

using Kind = RewardTerm::Kind;

constexpr double kRouteLength = 1000;  // m

// What one step pays, from a view `before` to the view `after`.
struct Moment {
  CarView before, after;
  HighwayEvents events;

  double pays(const RewardTerm& term) const {
    return highway_reward({term}, before, after, events, kRouteLength);
  }
};

Moment driving(double speed) {
  Moment moment;
  moment.after.speed = speed;
  moment.after.speed_limit = 40;
  return moment;
}

Moment following(double speed, double gap) {
  Moment moment = driving(speed);
  moment.events.leader = LaneMap::Neighbour{.gap = gap, .speed = speed};
  return moment;
}

TEST(HighwayReward, SpeedIsDividedByItsNumberOrByTheLimit) {
  EXPECT_EQ(driving(10).pays({.kind = Kind::Speed, .weight = 2, .divide_by = 5}), 4);
  EXPECT_EQ(driving(10).pays({.kind = Kind::Speed, .weight = 2}), 0.5);
}

TEST(HighwayReward, TimeCostsTheSameInEveryStep) {
  EXPECT_EQ(driving(0).pays({.kind = Kind::Time, .weight = -0.2}), -0.2);
  EXPECT_EQ(driving(30).pays({.kind = Kind::Time, .weight = -0.2}), -0.2);
}

TEST(HighwayReward, AShortHeadwayIsOneBelowItsSeconds) {
  const RewardTerm term{.kind = Kind::ShortHeadway, .weight = -1, .seconds = 2};
  EXPECT_EQ(following(10, 19).pays(term), -1);
  EXPECT_EQ(following(10, 20).pays(term), 0);
  EXPECT_EQ(following(0, 1).pays(term), 0);
  EXPECT_EQ(driving(10).pays(term), 0);
}

TEST(HighwayReward, ALongHeadwayIsOneAboveItsSecondsWithALeaderWithinItsDistance) {
  const RewardTerm term{.kind = Kind::LongHeadway, .weight = -1, .seconds = 5, .distance = 200};
  EXPECT_EQ(following(10, 51).pays(term), -1);
  EXPECT_EQ(following(10, 50).pays(term), 0);
  EXPECT_EQ(following(10, 200).pays(term), -1);
  EXPECT_EQ(following(10, 201).pays(term), 0);
  EXPECT_EQ(driving(10).pays(term), 0);
}

TEST(HighwayReward, ACarThatStandsBehindALeaderHasTheLongestHeadway) {
  const RewardTerm term{.kind = Kind::LongHeadway, .weight = -1, .seconds = 5, .distance = 200};
  EXPECT_EQ(following(0, 3).pays(term), -1);
  EXPECT_EQ(following(0, 201).pays(term), 0);
  EXPECT_EQ(driving(0).pays(term), 0);
}

TEST(HighwayReward, HardBrakingIsSlowingDownByMoreThanItsNumber) {
  const RewardTerm term{.kind = Kind::HardBraking, .weight = -5, .deceleration = 4};
  Moment moment = driving(10);
  moment.events.acceleration = -4;
  EXPECT_EQ(moment.pays(term), 0);
  moment.events.acceleration = -4.1;
  EXPECT_EQ(moment.pays(term), -5);
  moment.events.acceleration = 5;
  EXPECT_EQ(moment.pays(term), 0);
}

TEST(HighwayReward, OffTheTargetLaneTheEndOfTheEdgeCountsTheMoreTheNearerItIs) {
  const RewardTerm term{.kind = Kind::OffTargetLane, .weight = -2, .distance = 100};
  Moment moment = driving(10);
  moment.after.distance_to_edge_end = 50;
  EXPECT_DOUBLE_EQ(moment.pays(term), -2 * std::exp(-0.5));
  moment.after.in_target_lane = true;
  EXPECT_EQ(moment.pays(term), 0);
}

TEST(HighwayReward, AMilestoneIsPaidInTheStepThatPassesIt) {
  const RewardTerm term{.kind = Kind::Milestone, .weight = 20, .share = 0.4};
  const auto from_to = [&](double before, double after) {
    Moment moment = driving(10);
    moment.before.progress = before;
    moment.after.progress = after;
    return moment.pays(term);
  };
  EXPECT_EQ(from_to(380, 399), 0);
  EXPECT_EQ(from_to(399, 400), 20);
  EXPECT_EQ(from_to(400, 420), 0);
}

TEST(HighwayReward, TheMilestoneAtTheEndIsPaidOnArrival) {
  Moment moment = driving(10);
  moment.before.progress = moment.after.progress = 990;
  moment.events.arrived = true;
  EXPECT_EQ(moment.pays({.kind = Kind::Milestone, .weight = 20, .share = 1}), 20);
}

TEST(HighwayReward, EveryEventPaysItsOwnTermAndNoOther) {
  const std::pair<Kind, bool HighwayEvents::*> events[] = {
      {Kind::UnsafeLaneChange, &HighwayEvents::refused_lane_change},
      {Kind::Arrival, &HighwayEvents::arrived},
      {Kind::MissedExit, &HighwayEvents::missed_exit},
      {Kind::Collision, &HighwayEvents::collided}};
  for (const auto& [happened, flag] : events) {
    Moment moment = driving(10);
    moment.events.*flag = true;
    for (const auto& [kind, other] : events) {
      const double expected = kind == happened ? 7 : 0;
      EXPECT_EQ(moment.pays({.kind = kind, .weight = 7}), expected) << static_cast<int>(kind);
    }
  }
}

TEST(HighwayReward, TermsAddUp) {
  const Moment moment = driving(10);
  const std::vector<RewardTerm> terms = {{.kind = Kind::Speed, .weight = 1, .divide_by = 10},
                                         {.kind = Kind::Time, .weight = -0.25}};
  EXPECT_EQ(highway_reward(terms, moment.before, moment.after, moment.events, kRouteLength), 0.75);
}

}  // namespace
}  // namespace icct
