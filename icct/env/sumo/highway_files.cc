#include "icct/env/sumo/highway_files.h"

#include <algorithm>
#include <cmath>

#include "icct/env/sumo/xml.h"

namespace icct {

namespace {

// Vehicles that enter with a probability per second, which SUMO wants to be at most 1: denser
// traffic is several flows.
std::string flow_xml(const HighwayTask::Flow& flow, double per_second, const std::string& place) {
  std::string edges;
  for (const std::string& edge : flow.route) edges += (edges.empty() ? "" : " ") + edge;
  const double parts = std::max(1.0, std::ceil(per_second));
  std::string xml;
  for (int i = 0; i < static_cast<int>(parts); ++i) {
    xml += "  <flow" + xml_attribute("id", place + "." + std::to_string(i)) +
           xml_attribute("type", flow.type) + xml_attribute("begin", 0) +
           xml_attribute("end", 1000000) + xml_attribute("probability", per_second / parts) +
           xml_attribute("departLane", flow.depart_lane) +
           xml_attribute("departSpeed", flow.depart_speed) + "><route" +
           xml_attribute("edges", edges) + "/></flow>\n";
  }
  return xml;
}

}  // namespace

std::string flow_place(std::size_t index) {
  return "traffic.flows[" + std::to_string(index) + "]";
}

std::string highway_routes_xml(const HighwayTask& task, double density) {
  std::string xml = "<routes>\n";
  for (const HighwayTask::VehicleType& type : task.types) {
    xml += "  <vType" + xml_attribute("id", type.id);
    for (const auto& [name, value] : type.attributes) xml += xml_attribute(name, value);
    xml += "/>\n";
  }
  for (std::size_t i = 0; i < task.flows.size(); ++i) {
    const double per_second = task.flows[i].per_hour * density / 3600;
    if (per_second > 0)
      xml += flow_xml(task.flows[i], per_second, flow_place(i));  // not 0 for SUMO
  }
  return xml + "</routes>\n";
}

}  // namespace icct
