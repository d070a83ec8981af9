#include "icct/env/environment_spec.h"

#include <gtest/gtest.h>

#include "tests/complaint.h"

namespace icct {
namespace {

TEST(EnvironmentSpec, ANameAloneHasNoOptions) {
  const EnvironmentSpec spec = parse_environment_spec("ring");
  EXPECT_EQ(spec.name, "ring");
  EXPECT_TRUE(spec.options.empty());
}

TEST(EnvironmentSpec, OptionsFollowAColon) {
  const EnvironmentSpec spec = parse_environment_spec("figure8:junction_check=on,noise=off");
  EXPECT_EQ(spec.name, "figure8");
  EXPECT_EQ(spec.options.at("junction_check"), "on");
  EXPECT_EQ(spec.options.at("noise"), "off");
}

TEST(EnvironmentSpec, WhatIsNoOptionIsRefused) {
  for (const char* text : {"ring:", "ring:noise", "ring:=on", "ring:noise=", "ring:noise=on,"})
    EXPECT_NE(complaint([text] { parse_environment_spec(text); }), "none") << text;
  EXPECT_NE(complaint([] { parse_environment_spec("ring:a=1,a=2"); }).find("twice"),
            std::string::npos);
}

TEST(EnvironmentSpec, ReadersSayWhatAnOptionMayBe) {
  const auto reader = [](const std::string& text) {
    return OptionReader(parse_environment_spec(text));
  };
  EXPECT_TRUE(reader("ring").on_or_off("noise", true));
  EXPECT_FALSE(reader("ring:noise=off").on_or_off("noise", true));
  EXPECT_EQ(reader("i94:density=0.5").number("density", 1, 0, 10), 0.5);
  EXPECT_EQ(complaint([&] { reader("ring:noise=no").on_or_off("noise", true); }),
            "environment ring: noise is 'no'; it is on or off");
  EXPECT_EQ(complaint([&] { reader("i94:density=-1").number("density", 1, 0, 10); }),
            "environment i94: density is '-1'; it is a number from 0 to 10");
}

TEST(EnvironmentSpec, OptionsLeftOverAreRefusedWithTheListOfThoseThereAre) {
  OptionReader reader(parse_environment_spec("ring:nose=off"));
  reader.on_or_off("noise", true);
  EXPECT_EQ(complaint([&] { reader.finish(); }),
            "environment ring has no option 'nose'; it has: noise");
}

TEST(EnvironmentSpec, AFileMayLieInAFolderWithAColon) {
  EXPECT_EQ(parse_environment_spec("a:b/road.json").name, "a:b/road.json");
  const EnvironmentSpec spec = parse_environment_spec("a:b/road.json:density=2");
  EXPECT_EQ(spec.name, "a:b/road.json");
  EXPECT_EQ(spec.options.at("density"), "2");
}

}  // namespace
}  // namespace icct
