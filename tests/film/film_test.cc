#include "icct/film/film.h"

#include <gtest/gtest.h>

#include "icct/base/json.h"
#include "icct/env/highway/lane_keeping.h"
#include "tests/complaint.h"

namespace icct {
namespace {

// A car that drives along one lane, for 10 steps.
class StraightRoad final : public Environment {
 public:
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 10; }
  void reset(std::uint64_t, std::span<double> x) override { x[0] = steps_ = 0; }
  Step step(std::span<const double>, std::span<double> x) override {
    x[0] = ++steps_;
    return {.reward = 2, .terminated = false, .truncated = steps_ == 10};
  }
  Scene scene() override {
    return {.lanes = {{.centre = {{0, 0}, {100, 0}}, .width = 3}},
            .range = 40,
            .cars = {{.front = {10.0 * steps_, 0}, .length = 5, .width = 2, .speed = 1},
                     {.front = {10.0 * steps_ + 8, 0},
                      .length = 5,
                      .width = 2,
                      .speed = 2,
                      .controlled = true}}};
  }

 private:
  std::string name_ = "</script>road";
  Space observations_ = {{.name = "x", .unit = "m"}};
  Space actions_ = {{"gas", "", -1, 1}};
  int steps_ = 0;
};

Policy policy_for(const Environment& environment) {
  Policy policy;
  policy.observations = environment.observations();
  policy.actions = environment.actions();
  policy.controller = make_leaf(std::vector<Controller>(environment.actions().size()));
  return policy;
}

TEST(Film, HasTheMomentsOfAnEpisodeEvenlySpread) {
  StraightRoad road;
  const Film film = record_film(road, policy_for(road), 1, 5);
  ASSERT_EQ(film.frames.size(), 6U);
  EXPECT_EQ(film.frames[3].step, 6);
  EXPECT_EQ(film.frames[3].total_reward, 12);
  EXPECT_EQ(film.frames[3].cars[0].front.x, 60);
  EXPECT_EQ(film.lanes.size(), 1U);
  EXPECT_EQ(film.actions, std::vector<std::string>{"gas"});
}

TEST(Film, EndsWithTheLastMomentInWhichNobodyActs) {
  StraightRoad road;
  const Film film = record_film(road, policy_for(road), 1, 3);
  ASSERT_EQ(film.frames.size(), 4U);
  EXPECT_EQ(film.frames[2].step, 8);
  EXPECT_EQ(film.frames[2].action.size(), 1U);
  EXPECT_EQ(film.frames[3].step, 10);
  EXPECT_EQ(film.frames[3].total_reward, 20);
  EXPECT_EQ(film.frames[3].cars[0].front.x, 100);
  EXPECT_TRUE(film.frames[3].action.empty());
}

TEST(Film, AnEnvironmentWithoutASceneIsRefused) {
  LaneKeeping lane;
  EXPECT_EQ(complaint([&] { record_film(lane, policy_for(lane), 1); }),
            "lane_keeping does not describe its scene: there is nothing to draw");
}

TEST(Film, ThePageHoldsEverythingAndNoNameCanEndItsScript) {
  StraightRoad road;
  const std::string page = film_page(record_film(road, policy_for(road), 1));
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("</script>"), page.rfind("</script>"));
  const std::size_t begin = page.find("const film = ") + 13;
  const Json film = parse_json(page.substr(begin, page.find(";\n", begin) - begin), "film");
  EXPECT_EQ(film.at("frames").size(), 11U);
  EXPECT_EQ(film.at("range"), 40);
  EXPECT_EQ(film.at("frames")[2].at("cars")[1], Json({28.0, 0.0, 0.0, 2.0, 5.0, 2.0, 1}));
}

TEST(Film, ThePictureShowsTheControlledCarInRed) {
  StraightRoad road;
  const std::string svg = film_svg(record_film(road, policy_for(road), 1), 4);
  EXPECT_NE(svg.find("#d62728"), std::string::npos);
  EXPECT_EQ(svg.find("#d62728"), svg.rfind("#d62728"));
  EXPECT_NE(svg.find("step 4"), std::string::npos);
}

TEST(Film, ThePictureShowsHowFarTheCarSeesWhereThereIsARange) {
  StraightRoad road;
  Film film = record_film(road, policy_for(road), 1);
  EXPECT_NE(film_svg(film, 4).find("<circle"), std::string::npos);
  film.range = 0;
  EXPECT_EQ(film_svg(film, 4).find("<circle"), std::string::npos);
}

}  // namespace
}  // namespace icct
