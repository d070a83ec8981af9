#include "icct/run/progress_csv.h"

#include <gtest/gtest.h>

#include <limits>

#include "icct/base/number.h"

namespace icct {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The fields of every line, quotes undone.
std::vector<std::vector<std::string>> parse(const std::string& csv) {
  std::vector<std::vector<std::string>> lines(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    std::string& field = lines.back().back();
    if (quoted && csv.substr(i, 2) == "\"\"") {
      field += csv[i++];
    } else if (csv[i] == '"') {
      quoted = !quoted;
    } else if (csv[i] == ',' && !quoted) {
      lines.back().emplace_back();
    } else if (csv[i] == '\n' && !quoted) {
      lines.push_back({""});
    } else {
      field += csv[i];
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(lines.back(), std::vector<std::string>{""}) << "the last line has no end";
  lines.pop_back();
  return lines;
}

ProgressRow row_of_thirds() {
  return {.steps = 9007199254740993,
          .episodes = 41,
          .seconds = 1.0 / 3,
          .stage = "grow",
          .training_return = -2.0 / 3,
          .validation_mean = 1e-300 / 3,
          .validation_error = 1e300 / 3,
          .validation_worst = -7,
          .best_validation = 100.0 / 3,
          .leaves = 8,
          .parameters = 82,
          .details = {}};
}

TEST(ProgressCsv, HasOneColumnPerFieldAndDetail) {
  Progress progress{.detail_names = {"critic_loss", "entropy"}, .rows = {row_of_thirds()}};
  progress.rows[0].details = {0.5, 0.25};
  const auto lines = parse(to_csv(progress));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], (std::vector<std::string>{
                          "steps", "episodes", "seconds", "stage", "training_return",
                          "validation_mean", "validation_error", "validation_worst",
                          "best_validation", "leaves", "parameters", "critic_loss", "entropy"}));
  EXPECT_EQ(lines[1].size(), lines[0].size());
  EXPECT_EQ(lines[1][11], "0.5");
  EXPECT_EQ(lines[1][12], "0.25");
}

TEST(ProgressCsv, ReadsBackAsTheSameNumbers) {
  const ProgressRow row = row_of_thirds();
  const auto fields = parse(to_csv({.detail_names = {}, .rows = {row}})).at(1);
  EXPECT_EQ(fields.at(0), "9007199254740993");
  EXPECT_EQ(fields.at(1), "41");
  EXPECT_EQ(parse_number(fields.at(2)), row.seconds);
  EXPECT_EQ(fields.at(3), "grow");
  EXPECT_EQ(parse_number(fields.at(4)), row.training_return);
  EXPECT_EQ(parse_number(fields.at(5)), row.validation_mean);
  EXPECT_EQ(parse_number(fields.at(6)), row.validation_error);
  EXPECT_EQ(parse_number(fields.at(7)), row.validation_worst);
  EXPECT_EQ(parse_number(fields.at(8)), row.best_validation);
  EXPECT_EQ(fields.at(9), "8");
  EXPECT_EQ(fields.at(10), "82");
}

TEST(ProgressCsv, LeavesNaNEmpty) {
  Progress progress{.detail_names = {"loss"}, .rows = {row_of_thirds()}};
  progress.rows[0].training_return = kNaN;
  progress.rows[0].details = {kNaN};
  const auto fields = parse(to_csv(progress)).at(1);
  EXPECT_EQ(fields.at(4), "");
  EXPECT_EQ(fields.at(11), "");
}

TEST(ProgressCsv, KeepsTextsWithCommasQuotesAndLineBreaksInOneField) {
  const std::string odd = "grow, \"then\"\nprune";
  Progress progress{.detail_names = {"a,b"}, .rows = {row_of_thirds()}};
  progress.rows[0].stage = odd;
  progress.rows[0].details = {1};
  const auto lines = parse(to_csv(progress));
  EXPECT_EQ(lines.at(0).at(11), "a,b");
  EXPECT_EQ(lines.at(1).at(3), odd);
}

TEST(ProgressCsv, IsOnlyTheNamesBeforeTheFirstRow) {
  EXPECT_EQ(parse(to_csv({})).size(), 1U);
}

}  // namespace
}  // namespace icct
