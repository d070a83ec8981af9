#include "icct/env/sumo/flow_files.h"

#include <algorithm>

#include "icct/env/sumo/xml.h"

namespace icct {
namespace {

// No deviation of the speed factor: the environment draws it from its own seed.
std::string type_xml(const std::string& id, const DriverType& driver) {
  return "  <vType" + xml_attribute("id", id) + xml_attribute("length", 5) +
         xml_attribute("accel", 2.6) + xml_attribute("decel", driver.deceleration) +
         xml_attribute("sigma", 0.5) + xml_attribute("tau", 1) +
         xml_attribute("minGap", driver.min_gap) + xml_attribute("maxSpeed", driver.max_speed) +
         xml_attribute("speedFactor", 1) + xml_attribute("speedDev", 0) +
         xml_attribute("impatience", 0.5) + xml_attribute("carFollowModel", "IDM") +
         xml_attribute("laneChangeModel", "LC2013") + xml_attribute("lcStrategic", 1) +
         xml_attribute("lcCooperative", 1) + xml_attribute("lcSpeedGain", 1) +
         xml_attribute("lcKeepRight", 1) + "/>\n";
}

}  // namespace

std::vector<std::string> loop_from(const FlowTask& task, const std::string& edge) {
  std::vector<std::string> route = task.loop;
  std::rotate(route.begin(), std::ranges::find(route, edge), route.end());
  return route;
}

std::string loop_name(const std::string& edge) {
  return "from_" + edge;
}

std::string flow_routes_xml(const FlowTask& task) {
  std::string xml =
      "<routes>\n" + type_xml(kHumanType, task.human) + type_xml(kControlledType, task.controlled);
  for (const std::string& edge : task.loop) {
    std::string edges;
    for (const std::string& each : loop_from(task, edge))
      edges += (edges.empty() ? "" : " ") + each;
    xml +=
        "  <route" + xml_attribute("id", loop_name(edge)) + xml_attribute("edges", edges) + "/>\n";
  }
  return xml + "</routes>\n";
}

}  // namespace icct
