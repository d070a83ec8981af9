#include "icct/env/isolation/serve.h"

#include <exception>

#include "icct/base/error.h"
#include "icct/base/json.h"
#include "icct/base/number.h"
#include "icct/env/isolation/process.h"
#include "icct/env/isolation/snapshots.h"

namespace icct {
namespace {

Json write_space(const Space& space) {
  Json list = Json::array();
  for (const Dimension& d : space) {
    // Bounds may be infinite, which JSON cannot say.
    list.push_back({d.name, d.unit, exact_text(d.lower), exact_text(d.upper)});
  }
  return list;
}

Space read_space(const Json& list) {
  Space space;
  for (const Json& d : list) {
    space.push_back({d[0].get<std::string>(), d[1].get<std::string>(),
                     parse_number(d[2].get<std::string>()).value(),
                     parse_number(d[3].get<std::string>()).value()});
  }
  return space;
}

void work_on(Channel& channel, Environment& environment) {
  const std::span<double> observation(channel.observation.data(),
                                      environment.observations().size());
  switch (channel.request) {
    case Request::Describe:
      return channel.write_text(write_description(environment));
    case Request::Reset:
      return environment.reset(channel.seed, observation);
    case Request::Step:
      channel.step = environment.step({channel.action.data(), channel.action_size}, observation);
      return;
    case Request::Metrics:
      return channel.write_text(write_metrics(environment.metrics()));
    case Request::Scene:
      return channel.write_text(write_scene(environment.scene()));
    case Request::KeepMoment:
    case Request::ReturnToMoment:
      throw Error("no moment of an episode is kept where resets are not");
  }
}

// Runs `work`; what it throws becomes a failure.
template <class Work>
Reply attempt(Channel& channel, const Work& work) {
  try {
    work();
    return Reply::Done;
  } catch (const std::exception& problem) {
    channel.write_text(problem.what());
  } catch (...) {
    channel.write_text("an unknown exception");
  }
  return Reply::Failed;
}

}  // namespace

std::string write_description(const Environment& environment) {
  if (environment.observations().size() > Channel::kMaxNumbers ||
      environment.actions().size() > Channel::kMaxNumbers) {
    throw Error(environment.name() + ": more than " + std::to_string(Channel::kMaxNumbers) +
                " observations or actions");
  }
  return Json({{"name", environment.name()},
               {"observations", write_space(environment.observations())},
               {"actions", write_space(environment.actions())},
               {"max_steps", environment.max_steps()},
               {"warm_up_steps", environment.warm_up_steps()}})
      .dump();
}

Description read_description(std::string_view text) {
  const Json json = parse_json(text, "description of an environment");
  return {json.at("name").get<std::string>(), read_space(json.at("observations")),
          read_space(json.at("actions")), json.at("max_steps").get<int>(),
          json.at("warm_up_steps").get<int>()};
}

std::string write_metrics(const std::vector<Metric>& metrics) {
  Json list = Json::array();
  for (const Metric& metric : metrics) list.push_back({metric.name, metric.value});
  return list.dump();
}

std::vector<Metric> read_metrics(std::string_view text) {
  std::vector<Metric> metrics;
  for (const Json& each : parse_json(text, "metrics of an environment"))
    metrics.push_back({each[0].get<std::string>(), each[1].get<double>()});
  return metrics;
}

void answer(Channel& channel, Environment& environment) {
  channel.reply = attempt(channel, [&] { work_on(channel, environment); });
}

void serve(Channel& channel, const std::function<std::unique_ptr<Environment>()>& make_environment,
           int snapshots) {
  std::unique_ptr<Environment> environment;
  const Reply made = attempt(channel, [&] { environment = make_environment(); });
  if (made == Reply::Done && snapshots > 0) serve_snapshots(channel, *environment, snapshots);
  for (;;) {
    wait_for(channel.asked);
    if (made == Reply::Done)
      answer(channel, *environment);
    else
      channel.reply = made;
    sem_post(&channel.answered);
  }
}

}  // namespace icct
