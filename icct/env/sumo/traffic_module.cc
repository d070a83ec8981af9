#include "icct/env/sumo/traffic_module.h"

#include <algorithm>
#include <memory>

#include "icct/base/error.h"
#include "icct/env/environment_spec.h"
#include "icct/env/sumo/flow_traffic.h"
#include "icct/env/sumo/highway_traffic.h"
#include "icct/env/sumo/known_highways.h"

namespace icct {
namespace {

std::unique_ptr<Environment> make_flow(const std::string& spec, FlowTask task) {
  OptionReader options(parse_environment_spec(spec));
  const bool noise = options.on_or_off("noise", true);
  task.junction_collisions = options.on_or_off("junction_check", task.junction_collisions);
  task.sumo_drives = options.on_or_off("sumo_drives", false);
  options.finish();
  return std::make_unique<FlowTraffic>(std::move(task), spec, noise);
}

std::unique_ptr<Environment> make_highway(const std::string& spec, HighwayTask task) {
  OptionReader options(parse_environment_spec(spec));
  const double density = options.number("density", 1, 0, 10);
  task.radius = options.number("radius", task.radius, sight(task), 1e6);
  task.sumo_drives = options.on_or_off("sumo_drives", false);
  const auto is_refusal = [](const RewardTerm& term) {
    return term.kind == RewardTerm::Kind::UnsafeLaneChange;
  };
  const bool has_price = std::ranges::any_of(task.reward, is_refusal);
  const double refusals = has_price ? options.number("refusals", 1, 0, 1000) : 1;
  options.finish();
  for (RewardTerm& term : task.reward) {
    if (is_refusal(term)) term.weight *= refusals;
  }
  try {
    return std::make_unique<HighwayTraffic>(std::move(task), spec, density);
  } catch (const Error& problem) {
    throw Error(parse_environment_spec(spec).name + ": " + problem.what());
  }
}

std::unique_ptr<Environment> make(const std::string& spec) {
  const std::string name = parse_environment_spec(spec).name;
  if (name == "ring") return make_flow(spec, ring_task());
  if (name == "ring_two_lane") return make_flow(spec, two_lane_ring_task());
  if (name == "figure8") return make_flow(spec, figure_eight_task());
  if (name == "i94") return make_highway(spec, parse_highway(kI94, "i94.json", ""));
  if (name == "i280") return make_highway(spec, parse_highway(kI280, "i280.json", ""));
  if (name.ends_with(".json")) return make_highway(spec, read_highway(name));
  throw Error("the traffic module knows no '" + name + "'");
}

}  // namespace
}  // namespace icct

extern "C" icct::Environment* icct_make_traffic(const std::string& spec) {
  return icct::make(spec).release();
}
