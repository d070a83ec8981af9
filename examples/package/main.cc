// Loads a policy, runs it, and asks for the exact range of its actions.
#include <cstdio>
#include <exception>

#include "icct/policy/policy_file.h"
#include "icct/verify/range.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const icct::Policy policy = icct::load_policy(argv[1]);
    const icct::Box box = icct::declared_box(policy);
    const std::vector<icct::ActionRange> ranges = icct::action_ranges(policy, box);
    const std::vector<double> action = icct::act(policy, icct::centre(box));
    for (std::size_t a = 0; a < action.size(); ++a) {
      std::printf("%s: %g here, from %g to %g anywhere\n", policy.actions[a].name.c_str(),
                  action[a], ranges[a].min.value, ranges[a].max.value);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
