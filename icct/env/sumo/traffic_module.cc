#include "icct/env/sumo/traffic_module.h"

#include "icct/base/error.h"
#include "icct/env/environment_spec.h"
#include "icct/env/sumo/flow_traffic.h"

namespace icct {
namespace {

std::unique_ptr<Environment> make_flow(const std::string& spec, FlowTask task) {
  OptionReader options(parse_environment_spec(spec));
  const bool noise = options.on_or_off("noise", true);
  task.junction_collisions = options.on_or_off("junction_check", task.junction_collisions);
  options.finish();
  return std::make_unique<FlowTraffic>(std::move(task), spec, noise);
}

}  // namespace
}  // namespace icct

extern "C" std::unique_ptr<icct::Environment> icct_make_traffic(const std::string& spec) {
  using namespace icct;
  const std::string name = parse_environment_spec(spec).name;
  if (name == "ring") return make_flow(spec, ring_task());
  if (name == "ring_two_lane") return make_flow(spec, two_lane_ring_task());
  if (name == "figure8") return make_flow(spec, figure_eight_task());
  throw Error("the traffic module knows no '" + name + "'");
}
