#include "icct/env/sumo/highway_task.h"

#include <map>

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/json.h"
#include "icct/base/number.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = std::size_t(16) << 20;

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

double number_or(const JsonReader& json, const char* key, double otherwise) {
  return json.has(key) ? json.at(key).number() : otherwise;
}

double positive_or(const JsonReader& json, const char* key, double otherwise) {
  const double value = number_or(json, key, otherwise);
  if (json.has(key) && !(value > 0)) json.at(key).fail("expected a number above 0");
  return value;
}

std::vector<std::string> strings(const JsonReader& json) {
  std::vector<std::string> list;
  for (const JsonReader& each : json.elements()) list.push_back(each.string());
  if (list.empty()) json.fail("expected at least one edge");
  return list;
}

int whole_number(const JsonReader& json, double least, double most) {
  const double value = json.number();
  if (value != static_cast<int>(value) || value < least || value > most)
    json.fail("expected a whole number from " + std::to_string(static_cast<int>(least)) + " to " +
              std::to_string(static_cast<int>(most)));
  return static_cast<int>(value);
}

PlainNetwork::Point read_point(const JsonReader& json) {
  const std::vector<double> xy = json.numbers();
  if (xy.size() != 2) json.fail("expected [x, y]");
  return {xy[0], xy[1]};
}

PlainNetwork::Edge read_edge(const std::string& id, const JsonReader& json) {
  json.allow_only({"from", "to", "lanes", "speed_limit", "length", "priority", "shape"});
  PlainNetwork::Edge edge{.id = id,
                          .from = json.at("from").string(),
                          .to = json.at("to").string(),
                          .lanes = whole_number(json.at("lanes"), 1, 100),
                          .speed = json.at("speed_limit").number(),
                          .length = positive_or(json, "length", 0),
                          .shape = {},
                          .centred = true};
  if (json.has("priority")) edge.priority = whole_number(json.at("priority"), 1, 1000);
  if (json.has("shape")) {
    for (const JsonReader& point : json.at("shape").elements())
      edge.shape.push_back(read_point(point));
  }
  return edge;
}

// "m0.1 > m1.2": from lane 1 of m0 to lane 2 of m1.
PlainNetwork::Connection read_connection(const JsonReader& json) {
  const std::string text = json.string();
  const std::size_t arrow = text.find(" > ");
  const auto part = [&](const std::string& side) -> std::pair<std::string, int> {
    const std::size_t dot = side.rfind('.');
    if (dot == std::string::npos || dot + 1 == side.size() ||
        side.find_first_not_of("0123456789", dot + 1) != std::string::npos || side.size() > dot + 4)
      json.fail("expected EDGE.LANE > EDGE.LANE, found '" + text + "'");
    return {side.substr(0, dot), std::stoi(side.substr(dot + 1))};
  };
  if (arrow == std::string::npos) json.fail("expected EDGE.LANE > EDGE.LANE, found '" + text + "'");
  const auto [from, from_lane] = part(text.substr(0, arrow));
  const auto [to, to_lane] = part(text.substr(arrow + 3));
  return {.from = from, .to = to, .from_lane = from_lane, .to_lane = to_lane};
}

PlainNetwork read_network(const JsonReader& json) {
  json.allow_only({"nodes", "edges", "connections"});
  PlainNetwork network;
  network.normalised = false;
  for (const auto& [id, node] : json.at("nodes").members())
    network.nodes.push_back({.id = id, .at = read_point(node)});
  for (const auto& [id, edge] : json.at("edges").members())
    network.edges.push_back(read_edge(id, edge));
  for (const JsonReader& connection : json.at("connections").elements())
    network.connections.push_back(read_connection(connection));
  return network;
}

HighwayTask::VehicleType read_type(const std::string& id, const JsonReader& json) {
  HighwayTask::VehicleType type{.id = id, .attributes = {}};
  for (const auto& [name, value] : json.members()) {
    type.attributes.emplace_back(
        name, value.value().is_string() ? value.string() : exact_text(value.number()));
  }
  return type;
}

HighwayTask::Flow read_flow(const JsonReader& json) {
  json.allow_only({"route", "per_hour", "type", "depart_lane", "depart_speed"});
  HighwayTask::Flow flow;
  flow.route = strings(json.at("route"));
  flow.per_hour = json.at("per_hour").number();
  if (!(flow.per_hour >= 0 && flow.per_hour <= 100000))
    json.at("per_hour").fail("expected vehicles per hour, from 0 to 100000");
  flow.type = json.at("type").string();
  flow.depart_lane = json.has("depart_lane") ? json.at("depart_lane").string() : "best";
  flow.depart_speed = json.has("depart_speed") ? json.at("depart_speed").string() : "max";
  return flow;
}

HighwayTask::Car read_car(const JsonReader& json) {
  json.allow_only({"type", "route", "lane", "position", "speed", "speed_mode", "lane_change_mode"});
  HighwayTask::Car car;
  car.type = json.at("type").string();
  car.route = strings(json.at("route"));
  if (json.has("lane")) car.lane = json.at("lane").string();
  car.position = number_or(json, "position", car.position);
  car.speed = number_or(json, "speed", car.speed);
  if (json.has("speed_mode")) car.speed_mode = whole_number(json.at("speed_mode"), 0, 127);
  if (json.has("lane_change_mode"))
    car.lane_change_mode = whole_number(json.at("lane_change_mode"), 0, 4095);
  return car;
}

ObservationBlock read_observation(const JsonReader& json) {
  json.allow_only({"what", "divide_by", "divide_speeds_by", "lanes", "range"});
  ObservationBlock block;
  block.kind = read_kind(json, observation_kinds());
  block.divide_by = positive_or(json, "divide_by", 1);
  block.divide_speeds_by = positive_or(json, "divide_speeds_by", 1);
  block.range = positive_or(json, "range", block.range);
  using enum ObservationBlock::Kind;
  if (block.kind == MainLane || block.kind == LaneGaps)
    block.lanes = whole_number(json.at("lanes"), 1, 100);
  return block;
}

RewardTerm read_reward(const JsonReader& json) {
  json.allow_only({"what", "weight", "divide_by", "seconds", "distance", "deceleration", "share"});
  RewardTerm term;
  term.kind = read_kind(json, reward_kinds());
  term.weight = json.at("weight").number();
  using enum RewardTerm::Kind;
  if (term.kind == Speed) term.divide_by = positive_or(json, "divide_by", 0);
  if (term.kind == ShortHeadway || term.kind == LongHeadway)
    term.seconds = json.at("seconds").number();
  if (term.kind == LongHeadway || term.kind == OffTargetLane)
    term.distance = json.at("distance").number();
  if (term.kind == HardBraking) term.deceleration = json.at("deceleration").number();
  if (term.kind == Milestone) term.share = json.at("share").number();
  return term;
}

void read_actions(const JsonReader& json, HighwayTask& task) {
  json.allow_only({"acceleration", "lane_changes", "safe_gap"});
  const std::vector<double> bounds = json.at("acceleration").numbers();
  if (bounds.size() != 2 || !(bounds[0] < bounds[1]))
    json.at("acceleration").fail("expected [lowest, highest]");
  task.min_acceleration = bounds[0];
  task.max_acceleration = bounds[1];
  task.lane_changes = json.has("lane_changes") && json.at("lane_changes").value() == true;
  if (!json.has("safe_gap")) return;
  const JsonReader gap = json.at("safe_gap");
  gap.allow_only({"distance", "seconds"});
  task.safe_gap = {gap.at("distance").number(), gap.at("seconds").number()};
}

void read_traffic(const JsonReader& json, const fs::path& folder, HighwayTask& task) {
  json.allow_only({"types", "flows", "routes", "warm_up"});
  if (json.has("types")) {
    for (const auto& [id, type] : json.at("types").members())
      task.types.push_back(read_type(id, type));
  }
  if (json.has("flows")) {
    for (const JsonReader& flow : json.at("flows").elements())
      task.flows.push_back(read_flow(flow));
  }
  if (json.has("routes")) task.routes_file = folder / json.at("routes").string();
  task.warm_up = number_or(json, "warm_up", 0);
}

}  // namespace

HighwayTask parse_highway(const std::string& text, const std::string& source,
                          const fs::path& folder) {
  const Json document = parse_json(text, source);
  const JsonReader json(document, source);
  json.allow_only({"format", "name", "network", "traffic", "car", "actions", "step_length",
                   "max_steps", "observations", "reward"});
  if (json.at("format").string() != "icct-highway-1")
    json.at("format").fail("expected \"icct-highway-1\"");
  HighwayTask task;
  task.name = json.at("name").string();
  if (json.at("network").value().is_string())
    task.network_file = folder / json.at("network").string();
  else
    task.network = read_network(json.at("network"));
  read_traffic(json.at("traffic"), folder, task);
  task.car = read_car(json.at("car"));
  read_actions(json.at("actions"), task);
  task.step_length = positive_or(json, "step_length", 0.1);
  task.max_steps = whole_number(json.at("max_steps"), 1, 10000000);
  for (const JsonReader& block : json.at("observations").elements())
    task.observations.push_back(read_observation(block));
  for (const JsonReader& term : json.at("reward").elements())
    task.reward.push_back(read_reward(term));
  if (task.observations.empty()) json.at("observations").fail("expected at least one");
  return task;
}

HighwayTask read_highway(const fs::path& file) {
  return parse_highway(read_file(file, kMaxBytes), file.string(), file.parent_path());
}

}  // namespace icct
