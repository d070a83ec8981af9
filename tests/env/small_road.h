#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "icct/base/file.h"
#include "icct/base/json.h"
#include "icct/env/traffic.h"
#include "tests/temporary_folder.h"

namespace icct {

struct StandingCar {
  std::string edge;
  int lane = 0;
  double position = 0;  // m, front bumper
};

// A highway file for tests: 400 m with three lanes, of which the right one leaves and the others
// lead on for 400 m more. The car enters standing in the middle lane, at 200 m. Nobody else is
// there.
inline Json small_road() {
  return parse_json(R"json({
    "format": "icct-highway-1", "name": "small", "step_length": 0.5, "max_steps": 400,
    "network": {
      "nodes": {"a": [0, 0], "b": [400, 0], "c": [800, 0], "d": [600, -100]},
      "edges": {
        "first": {"from": "a", "to": "b", "lanes": 3, "speed_limit": 20, "length": 400},
        "second": {"from": "b", "to": "c", "lanes": 2, "speed_limit": 30, "length": 400},
        "off": {"from": "b", "to": "d", "lanes": 1, "speed_limit": 15}},
      "connections": ["first.0 > off.0", "first.1 > second.0", "first.2 > second.1"]},
    "traffic": {"types": {"car": {"accel": 3, "decel": 4.5, "sigma": 0, "length": 5}}},
    "car": {"type": "car", "route": ["first", "second"], "lane": "1", "position": 200,
            "speed_mode": 0, "lane_change_mode": 0},
    "actions": {"acceleration": [-12, 3]},
    "observations": [{"what": "speed"}],
    "reward": [{"what": "speed", "weight": 1}]
  })json",
                    "small road");
}

// The environment of a highway file, with cars that stand for ever, at the beginning of an episode.
class Road {
 public:
  explicit Road(Json road, const std::vector<StandingCar>& cars = {}) {
    write_file_atomically(folder_ / "cars.rou.xml", routes(cars));
    road["traffic"]["routes"] = "cars.rou.xml";
    road["traffic"]["warm_up"] = 5;
    write_file_atomically(folder_ / "road.json", write_json(road));
    environment_ = make_traffic(folder_ / "road.json");
    observation_.resize(environment_->observations().size());
    environment_->reset(1, observation_);
  }

  Step drive(double acceleration, double lane_command = 0) {
    return environment_->step(std::vector{acceleration, lane_command}, observation_);
  }

  Scene scene() { return environment_->scene(); }

  // The observation of that name.
  double sees(const std::string& name) const {
    for (std::size_t i = 0; i < observation_.size(); ++i) {
      if (environment_->observations()[i].name == name) return observation_[i];
    }
    ADD_FAILURE() << "no observation " << name;
    return 0;
  }

  double counts(const std::string& name) {
    for (const Metric& metric : environment_->metrics()) {
      if (metric.name == name) return metric.value;
    }
    ADD_FAILURE() << "no metric " << name;
    return 0;
  }

 private:
  static std::string routes(const std::vector<StandingCar>& cars) {
    std::string xml = "<routes>\n";
    for (std::size_t i = 0; i < cars.size(); ++i) {
      const std::string lane = std::to_string(cars[i].lane), at = std::to_string(cars[i].position);
      xml += "<vehicle id='standing" + std::to_string(i) + "' type='car' depart='0' departLane='" +
             lane + "' departPos='" + at + "' departSpeed='0'><route edges='" + cars[i].edge +
             "'/><stop lane='" + cars[i].edge + "_" + lane + "' endPos='" + at +
             "' duration='10000'/></vehicle>\n";
    }
    return xml + "</routes>\n";
  }

  TemporaryFolder folder_;
  std::unique_ptr<Environment> environment_;
  std::vector<double> observation_;
};

}  // namespace icct
