#include "icct/env/sumo/highway_task.h"

#include <algorithm>

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/json.h"
#include "icct/base/number.h"
#include "icct/env/sumo/highway_blocks.h"
#include "icct/env/sumo/json_ranges.h"
#include "icct/env/sumo/vehicle_attributes.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = std::size_t(16) << 20;
constexpr double kSight = 200;  // m, at least

std::vector<std::string> strings(const JsonReader& json) {
  std::vector<std::string> list;
  for (const JsonReader& each : json.elements()) list.push_back(each.string());
  if (list.empty()) json.fail("expected at least one edge");
  return list;
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
                          .speed = positive(json.at("speed_limit")),
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
    if (!is_vehicle_attribute(name)) value.fail("SUMO knows no such attribute of a vehicle type");
    type.attributes.emplace_back(
        name, value.value().is_string() ? value.string() : exact_text(value.number()));
  }
  return type;
}

// A lane as SUMO is told it: a number or a word.
std::string read_lane(const JsonReader& json) {
  std::string lane = json.string();
  const bool is_word =
      lane == "random" || lane == "free" || lane == "allowed" || lane == "best" || lane == "first";
  if (!is_word && !lane_number(lane))
    json.fail("expected a lane's number as text, or one of: random, free, allowed, best, first");
  return lane;
}

HighwayTask::Flow read_flow(const JsonReader& json) {
  json.allow_only({"route", "per_hour", "type", "depart_lane", "depart_speed"});
  HighwayTask::Flow flow;
  flow.route = strings(json.at("route"));
  flow.per_hour = json.at("per_hour").number();
  if (!(flow.per_hour >= 0 && flow.per_hour <= 100000))
    json.at("per_hour").fail("expected vehicles per hour, from 0 to 100000");
  flow.type = json.at("type").string();
  flow.depart_lane = json.has("depart_lane") ? read_lane(json.at("depart_lane")) : "best";
  flow.depart_speed = json.has("depart_speed") ? json.at("depart_speed").string() : "max";
  return flow;
}

HighwayTask::Car read_car(const JsonReader& json) {
  json.allow_only({"type", "route", "lane", "position", "speed", "speed_mode", "lane_change_mode"});
  HighwayTask::Car car;
  car.type = json.at("type").string();
  car.route = strings(json.at("route"));
  if (json.has("lane")) car.lane = read_lane(json.at("lane"));
  if (json.has("position")) car.position = number_in(json.at("position"), 0, kMany);
  if (json.has("speed")) car.speed = number_in(json.at("speed"), 0, 200);
  if (json.has("speed_mode")) car.speed_mode = whole_number(json.at("speed_mode"), 0, 127);
  if (json.has("lane_change_mode"))
    car.lane_change_mode = whole_number(json.at("lane_change_mode"), 0, 4095);
  return car;
}

void read_actions(const JsonReader& json, HighwayTask& task) {
  json.allow_only({"acceleration", "lane_changes", "safe_gap"});
  const std::vector<double> bounds = json.at("acceleration").numbers();
  if (bounds.size() != 2 || !(bounds[0] < bounds[1]))
    json.at("acceleration").fail("expected [lowest, highest]");
  task.min_acceleration = bounds[0];
  task.max_acceleration = bounds[1];
  if (json.has("lane_changes")) {
    const JsonReader changes = json.at("lane_changes");
    if (!changes.value().is_boolean()) changes.fail("expected true or false");
    task.lane_changes = changes.value().get<bool>();
  }
  if (!json.has("safe_gap")) return;
  const JsonReader gap = json.at("safe_gap");
  gap.allow_only({"distance", "seconds"});
  task.safe_gap = {number_in(gap.at("distance"), 0, kMany), number_in(gap.at("seconds"), 0, 100)};
}

void read_traffic(const JsonReader& json, const fs::path& folder, HighwayTask& task) {
  json.allow_only({"types", "flows", "routes", "warm_up", "radius"});
  if (json.has("types")) {
    for (const auto& [id, type] : json.at("types").members())
      task.types.push_back(read_type(id, type));
  }
  if (json.has("flows")) {
    for (const JsonReader& flow : json.at("flows").elements())
      task.flows.push_back(read_flow(flow));
  }
  if (json.has("routes")) task.routes_file = folder / json.at("routes").string();
  if (json.has("warm_up")) task.warm_up = number_in(json.at("warm_up"), 0, 100'000);
  if (json.has("radius")) task.radius = positive(json.at("radius"));
}

}  // namespace

double sight(const HighwayTask& task) {
  double range = kSight;
  for (const ObservationBlock& block : task.observations) range = std::max(range, block.range);
  for (const RewardTerm& term : task.reward) {
    if (term.kind == RewardTerm::Kind::LongHeadway) range = std::max(range, term.distance);
  }
  return range;
}

std::optional<int> lane_number(const std::string& lane) {
  const bool is_number =
      !lane.empty() && lane.size() < 4 && lane.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? std::optional(std::stoi(lane)) : std::nullopt;
}

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
  if (json.has("step_length"))
    task.step_length = whole_milliseconds(json.at("step_length"), 0.001, 10);
  task.max_steps = whole_number(json.at("max_steps"), 1, 10000000);
  for (const JsonReader& block : json.at("observations").elements())
    task.observations.push_back(read_observation(block));
  for (const JsonReader& term : json.at("reward").elements())
    task.reward.push_back(read_reward(term));
  if (task.observations.empty()) json.at("observations").fail("expected at least one");
  if (task.reward.empty()) json.at("reward").fail("expected at least one");
  if (task.radius > 0 && task.radius < sight(task))
    json.at("traffic").at("radius").fail("expected at least what the car sees, " +
                                         rounded_text(sight(task), 6) + " m");
  return task;
}

HighwayTask read_highway(const fs::path& file) {
  return parse_highway(read_file(file, kMaxBytes), file.string(), file.parent_path());
}

}  // namespace icct
