#include "icct/env/sumo/highway_reward.h"

#include <cmath>
#include <limits>

namespace icct {
namespace {

// Seconds until the car is where its leader is now, without end if it stands; nothing without a
// leader.
std::optional<double> headway(const CarView& view, const HighwayEvents& events) {
  if (!events.leader) return {};
  if (!(view.speed > 0)) return std::numeric_limits<double>::infinity();
  return events.leader->gap / view.speed;
}

double amount(const RewardTerm& term, const CarView& before, const CarView& after,
              const HighwayEvents& events, double route_length) {
  using enum RewardTerm::Kind;
  const std::optional<double> seconds = headway(after, events);
  const auto if_so = [](bool condition) { return condition ? 1.0 : 0.0; };
  switch (term.kind) {
    case Speed:
      return after.speed / (term.divide_by > 0 ? term.divide_by : after.speed_limit);
    case Time:
      return 1;
    case ShortHeadway:
      return if_so(seconds && *seconds < term.seconds);
    case LongHeadway:
      return if_so(seconds && *seconds > term.seconds && events.leader->gap <= term.distance);
    case HardBraking:
      return if_so(events.acceleration < -term.deceleration);
    case UnsafeLaneChange:
      return if_so(events.refused_lane_change);
    case OffTargetLane:
      return after.in_target_lane ? 0 : std::exp(-after.distance_to_edge_end / term.distance);
    case Milestone: {
      const double at = term.share * route_length;
      return if_so(before.progress < at && (after.progress >= at || events.arrived));
    }
    case Arrival:
      return if_so(events.arrived);
    case MissedExit:
      return if_so(events.missed_exit);
    case Collision:
      return if_so(events.collided);
  }
  return 0;
}

}  // namespace

double highway_reward(const std::vector<RewardTerm>& terms, const CarView& before,
                      const CarView& after, const HighwayEvents& events, double route_length) {
  double sum = 0;
  for (const RewardTerm& term : terms)
    sum += term.weight * amount(term, before, after, events, route_length);
  return sum;
}

}  // namespace icct
