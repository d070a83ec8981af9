#include "icct/env/sumo/highway_files.h"

#include <algorithm>
#include <cmath>

#include "icct/env/sumo/xml.h"

namespace icct {

namespace {

// Vehicles that enter with a probability per second, which SUMO wants to be at most 1: denser
// traffic is several flows.
std::string flow_xml(const HighwayTask::Flow& flow, double per_second, int& number) {
  std::string edges;
  for (const std::string& edge : flow.route) edges += (edges.empty() ? "" : " ") + edge;
  const double parts = std::max(1.0, std::ceil(per_second));
  std::string xml;
  for (int i = 0; i < static_cast<int>(parts); ++i) {
    xml += "  <flow" + xml_attribute("id", "flow" + std::to_string(number++)) +
           xml_attribute("type", flow.type) + xml_attribute("begin", 0) +
           xml_attribute("end", 1000000) + xml_attribute("probability", per_second / parts) +
           xml_attribute("departLane", flow.depart_lane) +
           xml_attribute("departSpeed", flow.depart_speed) + "><route" +
           xml_attribute("edges", edges) + "/></flow>\n";
  }
  return xml;
}

}  // namespace

std::string highway_routes_xml(const HighwayTask& task, double density) {
  std::string xml = "<routes>\n";
  for (const HighwayTask::VehicleType& type : task.types) {
    xml += "  <vType" + xml_attribute("id", type.id);
    for (const auto& [name, value] : type.attributes) xml += xml_attribute(name, value);
    xml += "/>\n";
  }
  int number = 0;
  for (const HighwayTask::Flow& flow : task.flows) {
    const double per_second = flow.per_hour * density / 3600;
    if (per_second > 0) xml += flow_xml(flow, per_second, number);  // SUMO refuses 0
  }
  return xml + "</routes>\n";
}

}  // namespace icct
