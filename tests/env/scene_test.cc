#include "icct/env/scene.h"

#include <gtest/gtest.h>

namespace icct {
namespace {

TEST(Scene, IsTheSameAfterWritingAndReading) {
  const Scene scene{.lanes = {{.centre = {{0, 0.1}, {100, 0.3}}, .width = 3.2}},
                    .range = 150,
                    .cars = {{.front = {12.5, 0.1},
                              .heading = 0.7,
                              .length = 5,
                              .width = 1.8,
                              .speed = 31.29,
                              .controlled = true},
                             {.front = {40, 0.3}, .length = 12, .width = 2.5}}};
  EXPECT_EQ(read_scene(write_scene(scene)), scene);
}

}  // namespace
}  // namespace icct
