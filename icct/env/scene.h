#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icct {

// What an environment looks like from above at one moment, in metres, so that it can be drawn.
struct Scene {
  struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
  };
  struct Lane {
    std::vector<Point> centre;
    double width = 0;
    bool operator==(const Lane&) const = default;
  };
  struct Car {
    Point front;         // middle of the front bumper
    double heading = 0;  // rad, counter-clockwise from the x axis
    double length = 0, width = 0;
    double speed = 0;  // m/s
    bool controlled = false;
    bool operator==(const Car&) const = default;
  };
  std::vector<Lane> lanes;  // the same in every moment of an environment, and so is:
  double range = 0;         // m around the controlled car in which it sees others; 0: no such limit
  std::vector<Car> cars;

  bool operator==(const Scene&) const = default;
};

std::string write_scene(const Scene& scene);
Scene read_scene(std::string_view text);  // throws Error

}  // namespace icct
