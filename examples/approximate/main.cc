// Universal approximation made visible: how the error of a tree falls as it grows.

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "examples/approximate/approximate.h"
#include "examples/approximate/picture.h"
#include "icct/base/file.h"
#include "icct/base/json.h"

namespace icct {
namespace {

constexpr int kMostLeaves = 1024;

struct Result {
  Target target;
  Curve constant, linear;
};

double ratio(const Curve& curve, std::size_t i) {
  return curve.errors[i] / curve.errors[i - 1];
}

void print_table(const Result& result) {
  const auto& [target, constant, linear] = result;
  std::printf("f = %s, %d %s in [0, 1]\n\n", target.formula.c_str(), target.inputs,
              target.inputs == 1 ? "input" : "inputs");
  std::printf("              static leaves           linear leaves\n");
  std::printf("  leaves    sup error    ratio      sup error    ratio\n");
  std::printf("  %6d    %9.3g             %12.3g\n", 1, constant.errors[0], linear.errors[0]);
  for (std::size_t i = 1; i < constant.leaves.size(); ++i) {
    std::printf("  %6d    %9.3g    %5.3f   %12.3g    %5.3f\n", constant.leaves[i],
                constant.errors[i], ratio(constant, i), linear.errors[i], ratio(linear, i));
  }
  const double constant_slope = predicted_slope(LeafKind::Static, target.inputs);
  const double linear_slope = predicted_slope(LeafKind::Complete, target.inputs);
  std::printf("  theory    N^%-7g    %5.3f   %4sN^%-6g    %5.3f\n", constant_slope,
              std::exp2(constant_slope), "", linear_slope, std::exp2(linear_slope));
  std::printf("  measured  N^%-7.3f            %4sN^%-6.3f    from %d leaves on\n\n",
              observed_slope(constant, kSlopeFrom), "", observed_slope(linear, kSlopeFrom),
              kSlopeFrom);
}

Json to_json(const Curve& curve) {
  return {{"sup_errors", curve.errors},
          {"slope", observed_slope(curve, kSlopeFrom)},
          {"predicted_slope", predicted_slope(curve.leaf, curve.inputs)}};
}

Json to_json(const Result& result) {
  return {{"function", result.target.formula},
          {"inputs", result.target.inputs},
          {"leaves", result.constant.leaves},
          {"static", to_json(result.constant)},
          {"linear", to_json(result.linear)}};
}

void print_json(const std::vector<Result>& results) {
  Json list = Json::array();
  for (const Result& result : results) list.push_back(to_json(result));
  std::printf("%s\n",
              write_json({{"slopes_from_leaves", kSlopeFrom}, {"functions", list}}).c_str());
}

void run(bool json, const std::string& svg_file) {
  std::vector<Result> results;
  std::vector<Curve> curves;
  for (const Target& target : {wave(), surface()}) {
    results.push_back({target, measure_curve(target, LeafKind::Static, kMostLeaves),
                       measure_curve(target, LeafKind::Complete, kMostLeaves)});
    curves.insert(curves.end(), {results.back().constant, results.back().linear});
  }
  if (json) {
    print_json(results);
  } else {
    for (const Result& result : results) print_table(result);
  }
  if (!svg_file.empty()) write_file_atomically(svg_file, draw_picture(wave(), curves));
}

}  // namespace
}  // namespace icct

int main(int argc, char** argv) {
  CLI::App program(
      "Fits trees of 1, 2, 4, ..., 1024 leaves to two smooth functions on the unit cube and prints "
      "their largest errors\nnext to the rates that theory predicts for static and linear leaves.",
      "approximate");
  bool json = false;
  std::string svg_file;
  program.add_flag("--json", json, "Print JSON instead of tables");
  program.add_option("--svg", svg_file, "Also draw a picture into this file")->type_name("FILE");
  try {
    program.parse(argc, argv);
    icct::run(json, svg_file);
  } catch (const CLI::Success& help) {
    return program.exit(help);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "approximate: %s\n", error.what());
    return 2;
  }
  return 0;
}
