#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/table_reader.h"
#include "icct/base/error.h"
#include "icct/base/json.h"
#include "icct/base/number.h"
#include "icct/policy/policy_file.h"

namespace icct {
namespace {

struct ActOptions {
  std::string file;
  bool json = false;
};

constexpr const char* kFooter =
    "\nOne observation per line on standard input, one action per line on standard output, in the "
    "same form:\n"
    "  CSV           0.1,0.2,0.3        with or without a first line of names, columns in any "
    "order\n"
    "  JSON list     [0.1, 0.2, 0.3]\n"
    "  JSON object   {\"angle\": 0.1, ...}\n"
    "nan (CSV) and null (JSON) stand for a value that is not known; what then happens the policy "
    "file says\n"
    "(\"invalid_observation\"). Each answer is written as soon as its line is read.\n"
    "\nExamples:\n"
    "  echo 0,0.05,0,0 | icct act examples/policies/inverted_pendulum.json\n"
    "  icct act policy.json < observations.csv > actions.csv";

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line += (line.empty() ? "" : ",") + field;
  return line + "\n";
}

std::string answer(const Policy& policy, std::span<const double> action, RowStyle style) {
  if (style == RowStyle::Csv) {
    std::vector<std::string> fields;
    for (const double value : action) fields.push_back(exact_text(value));
    return csv_line(fields);
  }
  Json json = style == RowStyle::JsonList ? Json::array() : Json::object();
  for (std::size_t a = 0; a < action.size(); ++a) {
    if (style == RowStyle::JsonList) {
      json.push_back(action[a]);
    } else {
      json[policy.actions[a].name] = action[a];
    }
  }
  return json.dump() + "\n";
}

void act_on_lines(const ActOptions& options) {
  const Policy policy = load_policy(options.file);
  TableReader reader(std::cin, policy.observations);
  std::vector<double> action(policy.actions.size());
  bool first = true;
  while (const std::optional<Row> row = reader.next()) {
    try {
      act(policy, row->values, action);
    } catch (const Error& error) {
      reader.fail(error.what());
    }
    if (first && reader.has_header() && !options.json) {
      std::vector<std::string> names;
      for (const Dimension& dimension : policy.actions) names.push_back(quote_csv(dimension.name));
      std::cout << csv_line(names);
    }
    first = false;
    const bool as_object = options.json && row->style == RowStyle::Csv;
    std::cout << answer(policy, action, as_object ? RowStyle::JsonObject : row->style);
    // Answer at once when nobody has sent more; otherwise let the buffer fill.
    if (std::cin.rdbuf()->in_avail() <= 0) print("");
  }
  print("");
}

}  // namespace

void add_act_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<ActOptions>();
  CLI::App* verb = program.add_subcommand("act", "Actions for observations given line by line");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  verb->add_flag("--json", options->json, "answer CSV lines as JSON objects");
  verb->callback([options] { act_on_lines(*options); });
}

}  // namespace icct
