#include "icct/env/sumo/highway_files.h"

#include "icct/env/sumo/xml.h"

namespace icct {

std::string highway_routes_xml(const HighwayTask& task, double density) {
  std::string xml = "<routes>\n";
  for (const HighwayTask::VehicleType& type : task.types) {
    xml += "  <vType" + xml_attribute("id", type.id);
    for (const auto& [name, value] : type.attributes) xml += xml_attribute(name, value);
    xml += "/>\n";
  }
  int number = 0;
  for (const HighwayTask::Flow& flow : task.flows) {
    if (flow.per_hour * density == 0) continue;  // which SUMO refuses
    std::string edges;
    for (const std::string& edge : flow.route) edges += (edges.empty() ? "" : " ") + edge;
    xml += "  <flow" + xml_attribute("id", "flow" + std::to_string(number++)) +
           xml_attribute("type", flow.type) + xml_attribute("begin", 0) +
           xml_attribute("end", 1000000) +
           xml_attribute("probability", flow.per_hour * density / 3600) +
           xml_attribute("departLane", flow.depart_lane) +
           xml_attribute("departSpeed", flow.depart_speed) + "><route" +
           xml_attribute("edges", edges) + "/></flow>\n";
  }
  return xml + "</routes>\n";
}

}  // namespace icct
