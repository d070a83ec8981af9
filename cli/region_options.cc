#include "cli/region_options.h"

#include <cmath>

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/number.h"
#include "icct/verify/property_text.h"
#include "icct/verify/range.h"

namespace icct {
namespace {

constexpr std::size_t kMaxBoxFile = std::size_t{1} << 24;

std::vector<double> read_ends(const JsonReader& list, double if_null, std::size_t size) {
  std::vector<double> ends;
  for (const JsonReader& element : list.elements()) ends.push_back(element.number_or_null(if_null));
  if (ends.size() != size) {
    list.fail("expected " + std::to_string(size) + " numbers, one per observation, found " +
              std::to_string(ends.size()));
  }
  return ends;
}

Box read_box(const std::string& path, const Policy& policy) {
  const Json json = parse_json(read_file(path, kMaxBoxFile), path);
  const JsonReader reader(json, path);
  reader.allow_only({"lower", "upper"});
  const std::size_t size = policy.observations.size();
  const std::vector<double> lower = read_ends(reader.at("lower"), -HUGE_VAL, size);
  const std::vector<double> upper = read_ends(reader.at("upper"), HUGE_VAL, size);
  Box box;
  for (std::size_t i = 0; i < size; ++i)
    box.push_back(intersection(at_least(lower[i]), at_most(upper[i])));
  return box;
}

// One "name = value" of --at.
void assign(const std::string& part, const Policy& policy, std::vector<double>& x) {
  const auto equals = part.find('=');
  if (equals == std::string::npos)
    throw Error("--at: expected 'name = number', found '" + part + "'");
  const std::string name(trimmed(part.substr(0, equals)));
  const std::optional<int> index = find_dimension(policy.observations, name);
  if (!index) {
    throw Error("--at: the policy has no observation '" + name + "'; it has " +
                list_names(policy.observations));
  }
  const std::string text(trimmed(part.substr(equals + 1)));
  const std::optional<double> value = parse_number(text);
  if (!value || !std::isfinite(*value))
    throw Error("--at: '" + text + "' for '" + name + "' is no finite number");
  x[static_cast<std::size_t>(*index)] = *value;
}

}  // namespace

void add_region_options(CLI::App& verb, RegionOptions& options) {
  CLI::Option* where = verb.add_option(
      "--where", options.where, "only these observations: \"height > 0 and x between -1 and 1\"");
  CLI::Option* box =
      verb.add_option("--box", options.box_file,
                      "only these: a file {\"lower\": [...], \"upper\": [...]}, null: unbounded");
  CLI::Option* everywhere =
      verb.add_flag("--everywhere", options.everywhere,
                    "all finite observations, also outside the bounds that the policy declares");
  where->excludes(box)->excludes(everywhere);
  box->excludes(everywhere);
}

Box region_of(const RegionOptions& options, const Policy& policy) {
  tree_of(policy);  // better than an error about boxes
  Box box = options.everywhere         ? whole_box(policy.observations.size())
            : options.box_file.empty() ? parse_box(options.where, policy)
                                       : read_box(options.box_file, policy);
  require_box(policy, box);
  return box;
}

std::string region_text(const RegionOptions& options) {
  if (options.everywhere) return "for every finite observation";
  if (!options.box_file.empty()) return "for every observation in the box of " + options.box_file;
  const std::string declared = "for every observation inside the declared bounds";
  return options.where.empty() ? declared : declared + " where " + options.where;
}

std::vector<double> parse_point(const std::string& text, const Policy& policy, const Box& box) {
  std::vector<double> x = centre(box);
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part(trimmed(text.substr(begin, end - begin)));
    if (!part.empty()) assign(part, policy, x);
    begin = end + 1;
  }
  return x;
}

std::string values_text(const Space& space, std::span<const double> values) {
  std::string text;
  for (std::size_t i = 0; i < space.size(); ++i) {
    text += (i == 0 ? "" : ", ") + space[i].name + " = " + exact_text(values[i]) +
            (space[i].unit.empty() ? "" : " " + space[i].unit);
  }
  return text;
}

Json values_json(const Space& space, std::span<const double> values) {
  Json json = Json::object();
  for (std::size_t i = 0; i < space.size(); ++i) json[space[i].name] = values[i];
  return json;
}

}  // namespace icct
