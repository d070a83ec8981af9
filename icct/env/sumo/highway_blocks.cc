#include "icct/env/sumo/highway_blocks.h"

#include <map>

#include "icct/env/sumo/json_ranges.h"

namespace icct {
namespace {

const std::map<std::string, ObservationBlock::Kind>& observation_kinds() {
  using enum ObservationBlock::Kind;
  static const std::map<std::string, ObservationBlock::Kind> kinds = {
      {"progress", Progress},
      {"speed", Speed},
      {"speed_limit", SpeedLimit},
      {"lane", Lane},
      {"lane_count", LaneCount},
      {"main_lane", MainLane},
      {"target_lanes", TargetLanes},
      {"targets_from_right", TargetsFromRight},
      {"distance_to_edge_end", DistanceToEdgeEnd},
      {"lane_gaps", LaneGaps},
      {"neighbours", Neighbours}};
  return kinds;
}

const std::map<std::string, RewardTerm::Kind>& reward_kinds() {
  using enum RewardTerm::Kind;
  static const std::map<std::string, RewardTerm::Kind> kinds = {
      {"speed", Speed},
      {"time", Time},
      {"short_headway", ShortHeadway},
      {"long_headway", LongHeadway},
      {"hard_braking", HardBraking},
      {"unsafe_lane_change", UnsafeLaneChange},
      {"off_target_lane", OffTargetLane},
      {"milestone", Milestone},
      {"arrival", Arrival},
      {"missed_exit", MissedExit},
      {"collision", Collision}};
  return kinds;
}

template <class Kind>
Kind read_kind(const JsonReader& json, const std::map<std::string, Kind>& kinds) {
  const JsonReader what = json.at("what");
  const auto found = kinds.find(what.string());
  if (found != kinds.end()) return found->second;
  std::string known;
  for (const auto& [name, kind] : kinds) known += (known.empty() ? "" : ", ") + name;
  what.fail("'" + what.string() + "' is not one of: " + known);
}

// What each kind of reward is told beside its weight.
void read_details(const JsonReader& json, RewardTerm& term) {
  switch (term.kind) {
    case RewardTerm::Kind::Speed:
      json.allow_only({"what", "weight", "divide_by"});
      term.divide_by = positive_or(json, "divide_by", 0);
      return;
    case RewardTerm::Kind::ShortHeadway:
      json.allow_only({"what", "weight", "seconds"});
      term.seconds = positive(json.at("seconds"));
      return;
    case RewardTerm::Kind::LongHeadway:
      json.allow_only({"what", "weight", "seconds", "distance"});
      term.seconds = positive(json.at("seconds"));
      term.distance = positive(json.at("distance"));
      return;
    case RewardTerm::Kind::OffTargetLane:
      json.allow_only({"what", "weight", "distance"});
      term.distance = positive(json.at("distance"));
      return;
    case RewardTerm::Kind::HardBraking:
      json.allow_only({"what", "weight", "deceleration"});
      term.deceleration = positive(json.at("deceleration"));
      return;
    case RewardTerm::Kind::Milestone:
      json.allow_only({"what", "weight", "share"});
      term.share = number_in(json.at("share"), 0, 1);
      return;
    default:
      json.allow_only({"what", "weight"});
  }
}

}  // namespace

ObservationBlock read_observation(const JsonReader& json) {
  using enum ObservationBlock::Kind;
  ObservationBlock block;
  block.kind = read_kind(json, observation_kinds());
  if (block.kind == LaneGaps)
    json.allow_only({"what", "divide_by", "divide_speeds_by", "lanes", "range"});
  else if (block.kind == Neighbours)
    json.allow_only({"what", "divide_by", "divide_speeds_by", "range"});
  else if (block.kind == MainLane)
    json.allow_only({"what", "divide_by", "lanes"});
  else
    json.allow_only({"what", "divide_by"});
  block.divide_by = positive_or(json, "divide_by", 1);
  block.divide_speeds_by = positive_or(json, "divide_speeds_by", 1);
  block.range = positive_or(json, "range", block.range);
  if (block.kind == MainLane || block.kind == LaneGaps)
    block.lanes = whole_number(json.at("lanes"), 1, 100);
  return block;
}

RewardTerm read_reward(const JsonReader& json) {
  RewardTerm term;
  term.kind = read_kind(json, reward_kinds());
  term.weight = json.at("weight").number();
  read_details(json, term);
  return term;
}

}  // namespace icct
