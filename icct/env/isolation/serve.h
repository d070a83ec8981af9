#pragma once

#include <functional>
#include <memory>

#include "icct/env/environment.h"
#include "icct/env/isolation/channel.h"

namespace icct {

// The worker's side of a channel: makes the environment and answers requests until the process is
// killed. What the environment throws is answered as a failure; if it cannot even be made, every
// request is. `snapshots` above 0: so many resets are kept (icct/env/isolation/snapshots.h).
[[noreturn]] void serve(Channel& channel,
                        const std::function<std::unique_ptr<Environment>()>& make_environment,
                        int snapshots);

// Does what is asked and writes the reply, but does not post it.
void answer(Channel& channel, Environment& environment);

// Name, spaces and lengths of an environment as text, and back.
struct Description {
  std::string name;
  Space observations;
  Space actions;
  int max_steps = 0;
  int warm_up_steps = 0;
};
std::string write_description(const Environment& environment);
Description read_description(std::string_view text);

std::string write_metrics(const std::vector<Metric>& metrics);
std::vector<Metric> read_metrics(std::string_view text);

}  // namespace icct
