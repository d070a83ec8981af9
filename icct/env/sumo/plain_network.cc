#include "icct/env/sumo/plain_network.h"

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/number.h"
#include "icct/env/sumo/cache.h"
#include "icct/env/sumo/run_program.h"
#include "icct/env/sumo/simulation.h"
#include "icct/env/sumo/xml.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::vector<PlainNetwork::Point>& shape) {
  std::string text;
  for (const auto& point : shape)
    text += (text.empty() ? "" : " ") + exact_text(point.x) + "," + exact_text(point.y);
  return text;
}

std::string nodes_xml(const PlainNetwork& network) {
  std::string xml = "<nodes>\n";
  for (const auto& node : network.nodes) {
    xml += "  <node" + xml_attribute("id", node.id) + xml_attribute("x", node.at.x) +
           xml_attribute("y", node.at.y) + xml_attribute("type", "priority");
    if (node.radius > 0) xml += xml_attribute("radius", node.radius);
    xml += "/>\n";
  }
  return xml + "</nodes>\n";
}

std::string edges_xml(const PlainNetwork& network) {
  std::string xml = "<edges>\n";
  for (const auto& edge : network.edges) {
    xml += "  <edge" + xml_attribute("id", edge.id) + xml_attribute("from", edge.from) +
           xml_attribute("to", edge.to) + xml_attribute("numLanes", edge.lanes) +
           xml_attribute("speed", edge.speed);
    if (edge.length > 0) xml += xml_attribute("length", edge.length);
    if (edge.priority > 0) xml += xml_attribute("priority", edge.priority);
    if (!edge.shape.empty()) xml += xml_attribute("shape", text_of(edge.shape));
    if (edge.centred) xml += xml_attribute("spreadType", "center");
    xml += "/>\n";
  }
  return xml + "</edges>\n";
}

std::string connections_xml(const PlainNetwork& network) {
  std::string xml = "<connections>\n";
  for (const auto& c : network.connections) {
    xml += "  <connection" + xml_attribute("from", c.from) + xml_attribute("to", c.to);
    if (c.from_lane >= 0) xml += xml_attribute("fromLane", c.from_lane);
    if (c.to_lane >= 0) xml += xml_attribute("toLane", c.to_lane);
    xml += "/>\n";
  }
  return xml + "</connections>\n";
}

// netconvert says nothing of a disk that is full.
void require_complete(const fs::path& network) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
  if (read_file(network, kMaxBytes).find("</net>") == std::string::npos)
    throw Error(network.string() + ": netconvert wrote only a part of it; is the disk full?");
}

}  // namespace

fs::path build_network(const PlainNetwork& network) {
  const fs::path nodes = cached_text(nodes_xml(network), ".nod.xml");
  const fs::path edges = cached_text(edges_xml(network), ".edg.xml");
  std::vector<std::string> command = {"netconvert", "--no-turnarounds", "true", "--node-files",
                                      nodes,        "--edge-files",     edges};
  if (!network.connections.empty()) {
    const fs::path connections = cached_text(connections_xml(network), ".con.xml");
    command.insert(command.end(), {"--connection-files", connections});
  }
  if (!network.normalised)
    command.insert(command.end(), {"--offset.disable-normalization", "true"});
  // The file names stand for what is in them. Another netconvert may make another network.
  std::string key = sumo_version() + "\n";
  for (const std::string& each : command) key += fs::path(each).filename().string() + "\n";
  return cached_file(key, ".net.xml", [&command](const fs::path& path) {
    command.insert(command.end(), {"--output-file", path});
    run_program(command);
    require_complete(path);
  });
}

}  // namespace icct
